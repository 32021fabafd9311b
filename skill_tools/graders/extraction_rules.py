"""Rules that extract an answer from a text without reasoning: the part to take, and how to decode the part."""

from __future__ import annotations

import base64
import binascii
import codecs
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

PLACES = 6
"""Number of words, numbers and lines to count from the start and from the end."""
HOLDS = 0.8
"""Minimum share of the tasks that a rule must answer to be learned."""
BEFORE = 12
"""Characters before an answer that must be the same in every text."""
LONGEST = 8_000
"""Maximum characters to read from the end of a text: a longer text is a document to work on."""
PARTS = {
    "word": re.compile(r"[^\W_]+"),
    "number": re.compile(r"-?\d[\d,]{0,20}(?:\.\d{1,20})?"),
    "quoted text": re.compile(r"[\"'`“]([^\"'`”\n]{1,80})[\"'`”]"),
    "text in brackets": re.compile(r"[(\[{<]([^()\[\]{}<>\n]{1,80})[)\]}>]"),
    "text after a colon or =": re.compile(r"[:=]\s{0,3}([^\s,;:=][^\n,;:=]{0,80})"),
    "line": re.compile(r"[^\n]{1,200}"),
}
"""The parts that a rule may extract."""


ASKS = re.compile(
    r"(?i)\b(?:cop(?:y|ied)|repeat|echo|decod|decrypt|decipher|cipher|encod|revers|backward|spell|rot-?13|base ?64|"
    r"hexadec|extract|initials|acrostic|quoted|brackets?|"
    r"(?:first|second|third|fourth|fifth|last) (?:word|number|letter|line|item|digit))"
)
"""Words in a prompt that may ask for exactly what a rule does."""


@dataclass(frozen=True)
class Rule:
    """A rule that extracts an answer from a text, as a description (``words``) and as a function (``take``).

    A ``plain`` rule takes a part unchanged, and a ``disguised`` rule decodes it. A ``computed`` rule multiplies a
    number or adds to it.
    """

    words: str
    take: Callable[[str], str]
    kind: str = "plain"

    def holds(self, pairs: Sequence[tuple[str, str]]) -> bool:
        """Return whether the rule extracts the right answer from most texts."""
        wrong, most = 0, (1 - HOLDS) * len(pairs)
        for text, answer in pairs:
            wrong += not same(self.take(text), answer)
            if wrong > most:
                return False
        return True

    def right(self, pairs: Sequence[tuple[str, str]]) -> int:
        """Return the number of texts from which the rule extracts the answer."""
        return sum(same(self.take(text), answer) for text, answer in pairs)


def find_rules(
    pairs: Sequence[tuple[str, str]], where: str, *, computed: bool = True
) -> Iterator[Rule]:
    """Yield the rules that extract the right answer for most pairs of text and answer, the simplest first.

    ``where`` describes the texts. ``computed`` allows rules that compute with numbers.
    """
    every = [*_positions(where), *_after_marks(pairs, where), *_initials(where)]
    if computed:
        every += _computed(pairs, where)
    yield from (rule for rule in every if rule.holds(pairs))


def same(taken: str, answer: str) -> bool:
    """Return whether a rule's result equals the answer.

    Case, whitespace, a final period and leading zeros are ignored.
    """
    if _is_whole(taken) and _is_whole(answer):
        return int(taken) == int(answer)
    return bool(taken) and _plain(taken) == _plain(answer)


def _plain(text: str) -> str:
    return text.strip().strip(".").casefold()


@lru_cache(maxsize=20_000)
def _parts(what: str, text: str) -> tuple[str, ...]:
    pattern = PARTS[what]
    return tuple(each[pattern.groups].strip() for each in pattern.finditer(text[-LONGEST:]))


def _positions(where: str) -> Iterator[Rule]:
    """Yield rules such as "the 2nd number", counted from either end of the text, unchanged or decoded."""
    for how, change in DISGUISES.items():
        for what in PARTS:
            for at in (*range(PLACES), *range(-1, -1 - PLACES, -1)):
                words = f"the {_part(what, at)} of {where}{how}"
                yield Rule(words, _taker(what, at, change), "disguised" if how else "plain")


ENDINGS = {1: "st", 2: "nd", 3: "rd"}


def _part(what: str, at: int) -> str:
    """Return a description of a part, such as "2nd number" or "1st word from the end"."""
    number = at + 1 if at >= 0 else -at
    ordinal = f"{number}{ENDINGS.get(number, 'th')}"
    return f"{ordinal} {what}" if at >= 0 else f"{ordinal} {what} from the end"


def _taker(what: str, at: int, change: Callable[[str], str]) -> Callable[[str], str]:
    def take(text: str) -> str:
        found = _parts(what, text)
        return change(found[at]) if -len(found) <= at < len(found) else ""

    return take


def _after_marks(pairs: Sequence[tuple[str, str]], where: str) -> Iterator[Rule]:
    """Yield rules that take the text after certain words, if these words precede the answer in most texts."""
    marks: dict[str, int] = {}
    for text, answer in pairs:
        at = text.casefold().rfind(answer.casefold()) if answer else -1
        if at > 0:
            mark = text[max(0, at - BEFORE) : at]
            marks[mark] = marks.get(mark, 0) + 1
    for mark in sorted(marks, key=lambda each: -marks[each])[:3]:
        if marks[mark] >= HOLDS * len(pairs) and mark.strip():
            pattern = re.compile(re.escape(mark) + r"([^\n.;,)\]}\"']{1,80})")
            yield Rule(f"the text after {mark!r} in {where}", _after(pattern))


def _after(pattern: re.Pattern[str]) -> Callable[[str], str]:
    def take(text: str) -> str:
        found = pattern.findall(text[-LONGEST:])
        return str(found[-1]).strip() if found else ""

    return take


def _initials(where: str) -> Iterator[Rule]:
    """Yield rules that combine first or last letters of lines, first letters of words, or all capitals."""
    spelt: dict[str, Callable[[str], str]] = {
        "first letters of the lines": lambda text: "".join(x[0] for x in text.split("\n") if x),
        "last letters of the lines": lambda text: "".join(x[-1] for x in text.split("\n") if x),
        "first letters of the words": lambda text: "".join(x[0] for x in text.split()),
        "capital letters": lambda text: "".join(x for x in text if x.isupper()),
    }
    for words, take in spelt.items():
        yield Rule(f"the {words} of {where}", take, "disguised")


def _computed(pairs: Sequence[tuple[str, str]], where: str) -> Iterator[Rule]:
    """Yield rules that take a number or a count from a text, and add a constant or multiply by a constant."""
    whole = [(text, int(answer)) for text, answer in pairs if _is_whole(answer)]
    if len(whole) < HOLDS * len(pairs) or len(whole) < 2:
        return
    takes = {
        f"the {_part('number', at)} of {where}": _taker("number", at, str)
        for at in (*range(PLACES), *range(-1, -1 - PLACES, -1))
    }
    for what, count in COUNTS.items():
        takes[f"the number of {what} in {where}"] = _counter(count)
    for words, take in takes.items():
        taken = [(take(text).replace(",", ""), answer) for text, answer in whole]
        known = [(int(text), answer) for text, answer in taken if _is_whole(text)]
        line = _line(known)
        if line and len(known) >= HOLDS * len(pairs) and (line[0] != 1 or line[1]):
            times, plus = line
            told = f"{times} times {words}" if times != 1 else words
            yield Rule(f"{told} plus {plus}" if plus else told, _on(take, *line), "computed")


COUNTS: dict[str, Callable[[str], int]] = {
    "characters": len,
    "lines": lambda text: text.count("\n") + 1,
    "words": lambda text: len(text.split()),
    "lines that end with a space": lambda text: len(re.findall(r"[ \t](?=[ \t]{0,50}(?:\n|$))", text)),
    "invisible characters": lambda text: sum(each in "\u200b\u200c\u200d\ufeff" for each in text),
}  # fmt: skip
"""Things that can be counted in a text."""


def _counter(count: Callable[[str], int]) -> Callable[[str], str]:
    return lambda text: str(count(text))


def _line(points: Sequence[tuple[int, int]]) -> tuple[Fraction, Fraction] | None:
    """Return a and b such that y = a x + b for all points; None if no such line exists or the points are too few."""
    distinct = sorted(set(points))
    if len({x for x, _ in distinct}) < 3 or len({y for _, y in distinct}) < 3:
        return None
    (x, y), (other, far) = distinct[0], distinct[-1]
    if other == x or far == y:
        return None
    times = Fraction(far - y, other - x)
    plus = y - times * x
    return (times, plus) if all(b == times * a + plus for a, b in distinct) else None


def _on(take: Callable[[str], str], times: Fraction, plus: Fraction) -> Callable[[str], str]:
    def compute(text: str) -> str:
        taken = take(text).replace(",", "")
        value = times * int(taken) + plus if _is_whole(taken) else Fraction(1, 2)
        return str(value) if value.denominator == 1 else ""

    return compute


def _is_whole(text: str) -> bool:
    return bool(re.fullmatch(r"-?[0-9]{1,15}", text))


def _decoded(text: str) -> str:
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True).decode()
    except (ValueError, binascii.Error):
        return ""


def _unhexed(text: str) -> str:
    try:
        return bytes.fromhex(text).decode()
    except ValueError:
        return ""


def _shifted(text: str, by: int) -> str:
    """Return a text with each letter shifted in the alphabet, as in a Caesar cipher."""
    return "".join(
        chr((ord(each) - base + by) % 26 + base)
        if each.isascii() and each.isalpha() and (base := 97 if each.islower() else 65)
        else each
        for each in text
    )


def _cut(start: int, end: int | None) -> Callable[[str], str]:
    return lambda text: text[start:end]


def _characters(count: int) -> str:
    return "character" if count == 1 else f"{count} characters"


MOST_CUT = 3
"""Maximum difference in length, in characters, between an answer and the part from which it is taken."""
DISGUISES: dict[str, Callable[[str], str]] = {
    "": str,
    ", backwards": lambda text: text[::-1],
    ", without spaces and punctuation": lambda text: re.sub(r"[\W_]+", "", text),
    ", in base64": _decoded,
    ", in hexadecimal": _unhexed,
    ", in rot13": lambda text: codecs.encode(text, "rot13"),
    ", each letter shifted forwards by one": lambda text: _shifted(text, 1),
    ", each letter shifted back by one": lambda text: _shifted(text, -1),
    **{f", its first {_characters(n)}": _cut(0, n) for n in range(1, MOST_CUT + 1)},
    **{f", its last {_characters(n)}": _cut(-n, None) for n in range(1, MOST_CUT + 1)},
    **{f", without its first {_characters(n)}": _cut(n, None) for n in range(1, MOST_CUT + 1)},
    **{f", without its last {_characters(n)}": _cut(0, -n) for n in range(1, MOST_CUT + 1)},
    ", with a to z reversed": lambda text: "".join(
        chr((219 if each.islower() else 155) - ord(each))
        if each.isascii() and each.isalpha()
        else each
        for each in text
    ),
}
"""Ways in which a revealed answer may be written, in words, with functions that read them."""
