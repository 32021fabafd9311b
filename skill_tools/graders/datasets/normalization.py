"""Forms of a text for comparison: unchanged, without case and punctuation, or without names."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from hashlib import blake2b
from typing import Any

_MARKS = "".join(c for c in map(chr, range(0x300, 0x1CFF)) if unicodedata.category(c)[0] == "M")
"""Signs that belong to the preceding letter, such as Hindi vowels: not letters for ``re``."""
_ALONE = "\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
"""Characters of scripts without spaces between words: each counts as a word."""
_STOPS = "\u00a1\u00ab\u00b7\u00bb\u00bf\u2000-\u206f\u2e00-\u2e7f\u3000-\u303f\u0964\u0965\u060c\u061b\u061f"
"""Punctuation beyond ASCII; other characters, such as emoji, are words."""
_NUMBER = r"\d+(?:[.,:]\d+)*"
_SIGNS = r"[+*/=<>^%|&~()\[\]{}\\$#@]|(?<![^\W\d_])-|-(?![^\W\d_])|(?<!\S)[.,;:!?_](?!\S)"
"""Signs that change the question; punctuation does so only if it stands alone. Hyphens in words are excluded."""
_ASCII = re.compile(rf"{_NUMBER}|[a-z]+(?:'[a-z]+)?|{_SIGNS}")
_WORDS = re.compile(
    rf"{_NUMBER}|[{_ALONE}]|[^\W\d_{_ALONE}](?:[^\W\d_{_ALONE}]|['{_MARKS}])*|{_SIGNS}"
    rf"|[^\x00-\x7f\w\s{_STOPS}{_MARKS}]"
)
_ODD = re.compile(r"(?<!\w)[.,;:!?_]|[.,;:!?_](?=[^\W\d])")
"""Punctuation that does not end a word, as in a board of dots, or in code."""
_ALL = re.compile(r"\w+|[^\w\s]+")
"""Words and runs of signs: a run may be a letter in Morse code, or a row of a board."""
MOST_ODD = 4
"""Number of such characters in a text from which all punctuation counts."""
_PLAIN = str.maketrans(
    {"\u2212": "-", "\u2019": "'", "\u00b2": "^2", "\u00b3": "^3", "\u2070": "^0", "\u00b9": "^1"}
)
"""Characters that NFKC turns into another number (2\u00b2 is not 22), or keeps."""
_DOLLARS = re.compile(r"\$\$?(?=\S)([^$]*?\S)\$\$?(?!\d)")
"""A formula between dollar signs, by Pandoc's rule (tex_math_dollars): not `$5 and $6`."""
_LAYOUT = re.compile(r"\\(?:[()\[\],;:!]|(?:left|right|displaystyle|q?quad|limits)(?![a-z]))")
"""LaTeX that only affects the layout of a formula, not its meaning."""
_ONE_FORM = (
    (re.compile(r"\\[dt]frac(?![a-z])"), r"\\frac"),
    (re.compile(r"([\^_])\{(\w)\}"), r"\1\2"),
    (re.compile(r"\\(?:text|mathrm|mathbf|operatorname)\{([^{}]*)\}"), r"\1"),
)
"""Equivalent forms in LaTeX, each with the form to compare."""
_NAMED = re.compile(rf"{_NUMBER}|[^\W\d_]+|[^\w\s]")
LEAST_LOWER = 8
"""Minimum lower-case words in a text for comparing it without names."""
SHORT = 12
"""Maximum words in an answer that is a label; a longer answer can be worded in many ways."""
LONGEST = 20_000
"""Number of characters of a text that are compared in other than its exact form."""
_FINAL = re.compile(r"####\s*(.+?)\s*$|\\boxed\{((?:[^{}]|\{[^{}]*\})*)\}", re.MULTILINE)
"""Matches the answer in a worked solution: as in GSM8K, and in LaTeX."""


def digest(text: str) -> int:
    """Return a 64-bit hash of a text."""
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest())


def words(text: str) -> list[str]:
    """Return the words, numbers and signs of a text, in lower case and without punctuation.

    Punctuation that stands alone, as on a board or in code, counts as a word.
    """
    plain = text[:LONGEST]
    plain = plain.lower() if text.isascii() else _folded(plain).casefold()
    if "$" in plain or "\\" in plain:
        plain = _as_one_form(plain)
    if len(_ODD.findall(plain)) >= MOST_ODD:
        return _ALL.findall(plain)
    return (_ASCII if text.isascii() else _WORDS).findall(plain)


def tight(text: str) -> str:
    """Return a text without superfluous whitespace and final punctuation, and with a lowercase first letter."""
    plain = text if text.isascii() else _folded(text[:LONGEST])
    plain = " ".join(plain[:LONGEST].split()).rstrip(".?!: ")
    return plain[:1].lower() + plain[1:]


def _as_one_form(text: str) -> str:
    """Return a text with its formulas in one notation, without LaTeX's layout commands and dollar signs."""
    text = _LAYOUT.sub(" ", _DOLLARS.sub(r" \1 ", text))
    for form, other in _ONE_FORM:
        text = form.sub(other, text)
    return text


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text.translate(_PLAIN))


def without_names(text: str, answer: str) -> tuple[str, str]:
    """Return a text and its answer with a number in place of each capitalized word; "" if too little remains.

    The first word of each sentence is replaced, too, because it is the same in texts that differ only in names.
    """
    seen: dict[str, str] = {}
    lower = 0
    made = []
    for word in _NAMED.findall(text[:LONGEST]):
        if word[0].isupper():
            made.append(seen.setdefault(word, f"\x00{len(seen)}"))
        else:
            made.append(word)
            lower += word[0].islower()
    if lower < LEAST_LOWER or not seen:
        return "", ""
    of_answer = (seen.get(word, word) for word in _NAMED.findall(answer[:LONGEST]))
    return " ".join(made), " ".join(of_answer)


def is_of_one_case(text: str) -> bool:
    """Return whether a text has only capitals or no capitals, so that its case has no meaning."""
    return text in (text.lower(), text.upper())


def canonical(answer: Any) -> str:
    """Return an answer in a form that is the same for equal answers, regardless of notation, case or order of items.

    A worked solution is reduced to its final answer. A missing answer becomes "".
    """
    if answer is None:
        return ""
    if isinstance(answer, bool):
        return str(answer).lower()
    if isinstance(answer, int | float):
        return _number(str(answer)) or str(answer)
    if isinstance(answer, Sequence) and not isinstance(answer, str | bytes):
        return " , ".join(sorted(map(canonical, answer)))
    if not isinstance(answer, str):
        return json.dumps(answer, sort_keys=True, default=str)
    text = final(answer)
    if text[:1] in "[{" and text[-1:] in "]}" and text:
        try:
            return canonical(json.loads(text))
        except (ValueError, RecursionError):
            pass
    if number := _number(text):
        return number
    parts = re.split(r"\s*[,;]\s*", text) if len(text) < 400 else [text]
    return " , ".join(sorted(_spelled(part) for part in parts if part))


def final(answer: str) -> str:
    """Return the final answer in a worked solution; return any other text unchanged."""
    found = list(_FINAL.finditer(answer[-LONGEST:])) if "####" in answer or "\\b" in answer else []
    return (found[-1][1] or found[-1][2] or "" if found else answer).strip()


def _spelled(text: str) -> str:
    if number := _number(text):
        return number
    found = words(text)
    if len(found) > 1 and found[0] in ("the", "a", "an"):
        found = found[1:]
    return " ".join(found) or text.strip()


def _number(text: str) -> str:
    """Return a number in its shortest form; "" for any other text."""
    plain = text.strip().strip("$\u20ac\u00a3").rstrip(".").replace("\u2212", "-")
    if not plain or len(plain) > 40 or not (plain[0] in "-+." or plain[0].isdigit()):
        return ""
    if re.fullmatch(r"[-+]?\d{1,3}(,\d{3})+(\.\d+)?", plain):
        plain = plain.replace(",", "")
    try:
        if "/" in plain:
            return str(Fraction(plain))
        number = Decimal(plain)
    except (InvalidOperation, ValueError, ZeroDivisionError):
        return ""
    if not number.is_finite() or abs(number.adjusted()) > 40:
        return ""
    return str(Fraction(number))
