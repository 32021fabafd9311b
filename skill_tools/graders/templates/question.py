"""Read what a question asks for: the kind of its answer, and requirements on its form.

A prompt is untrusted text: every pattern is bounded, and reads a limited part of the prompt.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal, NamedTuple

from skill_tools.graders.templates.dates import read_date
from skill_tools.graders.templates.prompt_wording import wording_of

NONSENSE = "zqxv"
"""A word that no right answer contains."""
Kind = Literal["number", "choice", "boolean", "date", "list", "json", "code", "text"]
LONGEST = 20_000
"""Number of characters to read at the end of a prompt, where the form is usually stated."""
LONGEST_ANSWER = 20_000
"""Maximum characters in a right answer: a longer text is a document."""
WEEKDAY = re.compile(r"^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,? ", re.IGNORECASE)
NUMBER = re.compile(
    r"(?P<sign>[-+\u2212]?)(?P<currency>[$€£]?)(?P<digits>\d{1,30}(,\d{3}){0,9}|)(?P<rest>\.\d{1,30})?"
    r"(?P<percent>\s?%)?"
)
"""Matches a number as people write it: sign, currency, digits with or without separators, percent."""
MEASURED = re.compile(
    r"(?!0[xob])(?P<number>[-+]?\d(?:[\d,]{0,30}\d)?(\.\d{1,20})?)\s?(?P<unit>[A-Za-zµ°²³/%]{1,12})"
)
"""Matches a number and its unit, such as ``12.5 km``."""
FRACTION = re.compile(r"(-?\d{1,12})\s?/\s?(\d{1,12})")
ARROWS = (" -> ", "->", " > ", "→")
"""Marks between items that lead to each other, or the sides of an equation: their order matters."""
SEPARATORS = (";", "|", *ARROWS, ",")
"""The marks between the items of a list; those that are rarest in other texts come first."""
BRACKETS = {"[": "]", "(": ")", "{": "}"}
"""Brackets that may enclose a list."""
WORDS = ("yes", "no", "true", "false")
UNITS = ("unit", "units", "symbol", "dimension")
"""Keys and columns that hold a unit."""
OPTION = re.compile(r"^[ \t]{0,8}[(\[]?([A-J])[).:\]][ \t]{1,4}(.{1,300}?)[ \t]*$", re.MULTILINE)
"""Matches a line in a question that offers an answer by a letter."""
INLINE_OPTION = re.compile(
    r"(?<!\w)[(\[]?([A-J])[).:\]]\s?([^()\n]{1,80}?)(?=[,;]?\s+[(\[]?[A-J][).:\]]|$)"
)
"""Matches offered answers if several are on one line."""

FUNCTION = re.compile(
    r"\bdef ([A-Za-z_]\w{0,60})\("
    r"|`([A-Za-z_]\w{0,60})\([^`\n]{0,200}\)[^`\n]{0,60}`"
    r"|\bfunction (?:called |named )?`?([A-Za-z_]\w{0,60})\b`?\s?\("
)
"""Matches a function that a question asks for."""
BLOCK = re.compile(r"```(?:python3?|py)?[ \t]*\n(.{1,20000}?)\n?```", re.DOTALL | re.IGNORECASE)
"""Matches a code block as models write it."""
PROGRAM = re.compile(r"^\s*(?:async\s+def|def|class|import|from)\s", re.MULTILINE)
READS = re.compile(
    r"\binput\(|\bsys\.stdin\b|\n[^\n]*\bprint\(|^(?:for|while|if)\b[^\n]*:", re.MULTILINE
)
"""Matches a line that begins a definition, or that reads or prints in a script without definitions."""


@dataclass(frozen=True)
class Question:
    """One question with its right answer.

    Attributes:
        label: Name of its task.
        also: Further right answers, if the data list them.
        says: Marks of what the prompt says about the form, such as ``whole`` or ``any_order``.
        options: The offered letters and their meanings.
        beside: Other fields of a program's row, such as its tests.
        shown: Other values of its row that the prompt contains.
        columns: The short columns of its row, as texts.
        row: The values of its row with their fields, if the right answer is not from the row.
        free: Whether the answers are computed and not compared with a value of the row, so that others may be right;
            None if unknown.
        given: The user's whole reply with the right answer, or "" if the answer is the reply.
    """

    label: str
    prompt: str
    gold: str
    kind: Kind
    also: tuple[str, ...] = ()
    says: frozenset[str] = frozenset()
    options: tuple[tuple[str, str], ...] = ()
    beside: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    columns: tuple[tuple[str, str], ...] = ()
    row: tuple[tuple[str, str], ...] = ()
    free: bool | None = None
    given: str = ""

    @property
    def given_away(self) -> bool:
        """Whether the prompt contains its answer and asks the reply to include it."""
        return "include" in self.says and self.gold.casefold() in self.prompt.casefold()

    @property
    def functions(self) -> tuple[str, ...]:
        """The functions that the prompt asks for by name."""
        found = (each[1] or each[2] or each[3] for each in FUNCTION.finditer(self.prompt))
        return tuple(dict.fromkeys(found))

    def states(self, count: int) -> bool:
        """Return whether the prompt states the number of things to answer for, as in *each of the 4 guests*."""
        stated = rf"(?i)\b(?:all|exactly|each of(?: the)?|the)\s{count}\b"
        return count > 1 and bool(re.search(stated, self.prompt))

    @property
    def is_open(self) -> bool:
        """Whether other answers than the known one may be right, as in creative writing."""
        free = "creative" in self.says if self.free is None else self.free
        return free or self.given_away

    @property
    def is_vague(self) -> bool:
        """Whether the known answer, which is not the user's own, may be refused because other answers are right."""
        return self.is_open and not self.row


def read_question(
    label: str, messages: Sequence[Mapping[str, Any]], gold: Any = None, *, any_of: bool = False
) -> Question | None:
    """Return the question in a prompt with the right answer from the data; None if that is not an answer.

    If there is no answer, ``gold`` is empty. ``any_of`` means that a list has alternative right answers.
    """
    texts = [each for each in _answers(gold, any_of) if 0 < len(each.strip()) <= LONGEST_ANSWER]
    if not texts and gold is not None:
        return None
    prompt = "\n".join(_text(message.get("content")) for message in messages)[-LONGEST:]
    options = tuple(dict(OPTION.findall(prompt) or INLINE_OPTION.findall(prompt)).items())
    says = wording_of(prompt)
    first = texts[0] if texts else ""
    first = _program_in(first) or first
    # Leading and trailing whitespace may belong to a drawing or code, or is asked for.
    right = first if "\n" in first or "exact" in says else first.strip()
    kind = kind_of(first, prompt, options) if first else "text"
    return Question(label, prompt, right, kind, tuple(texts[1:]), says, options)


def kind_of(gold: str, prompt: str = "", options: Iterable[tuple[str, str]] = ()) -> Kind:
    """Return the kind of a right answer."""
    text = gold.strip()
    if re.fullmatch(r"[A-J]", text) and (text in dict(options) or "option" in prompt.casefold()):
        return "choice"
    if text.casefold() in WORDS:
        return "boolean"
    if is_number(text) or FRACTION.fullmatch(text) or MEASURED.fullmatch(text):
        return "number"
    if _is_date(text):
        return "date"
    if re.search(r"\binterval notation\b", prompt):
        return "text"
    if text[:1] in "[{" and (found := read_json(text)) is not None:
        return "list" if isinstance(found, list) and not _nested(found) else "json"
    if _is_code(text):
        return "code"
    items = items_of(text).items
    if read_date(WEEKDAY.sub("", text)):
        return "text"
    whole = all(each.count(o) == each.count(c) for each in items for o, c in BRACKETS.items())
    if len(items) > 1 and all(items) and whole and max(map(len, items)) <= 40 and "\n" not in text:
        return "list"
    return "text"


def is_number(text: str) -> bool:
    """Return whether a text is a number, including a currency or percent sign."""
    found = NUMBER.fullmatch(text.strip())
    return bool(found) and bool(found and (found["digits"] or found["rest"]))


def _answers(gold: Any, any_of: bool) -> list[str]:
    """Return a right answer as texts: each alternative of a list, or the JSON of other data."""
    if any_of and isinstance(gold, list):
        return [
            text for each in gold if not isinstance(each, list) for text in _answers(each, False)
        ]
    if isinstance(gold, bool):
        return [str(gold)]
    if isinstance(gold, str | int | float):
        return [str(gold)]
    if isinstance(gold, list) and len(gold) == 1:
        return _answers(gold[0], any_of)
    return [json.dumps(gold, ensure_ascii=False)] if isinstance(gold, list | dict) and gold else []


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(str(part.get("text", "")) for part in parts if isinstance(part, dict))


def _is_date(text: str) -> bool:
    try:
        return bool(date.fromisoformat(text)) and len(text) == 10
    except ValueError:
        return False


def read_json(text: str) -> Any:
    """Return the value of a JSON text; None for any other text."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def value_of(text: str) -> float:
    """Return the value of a number as people write it. Raises ValueError for any other text."""
    return float(re.sub(r"[,$€£%\s]", "", text.replace("\u2212", "-")))


DIGITS = 10
"""Minimum characters in a number that only a computer would write."""


def shortened(number: str) -> str:
    """Return a number in at most as many significant digits as people write."""
    return number if len(number) <= DIGITS else f"{value_of(number):.{DIGITS}g}"


class Listed(NamedTuple):
    """The items of a list as it is written: the mark between them, "" for JSON, and the brackets around them."""

    items: list[Any]
    between: str
    opens: str = ""
    closes: str = ""

    def write(self, items: Sequence[Any], between: str | None = None) -> str:
        """Write other items in the same form, or with another mark between them."""
        if not self.between:
            return json.dumps(list(items), ensure_ascii=False)
        mark = self.between if between is None else between
        return f"{self.opens}{mark.join(map(str, items))}{self.closes}"


def items_of(gold: str) -> Listed:
    """Return the items of a list with the form in which it is written."""
    found = read_json(gold) if gold[:1] == "[" else None
    if isinstance(found, list):
        return Listed(found, "")
    enclosed = len(gold) > 1 and BRACKETS.get(gold[:1]) == gold[-1:]
    inner = gold[1:-1] if enclosed else gold
    mark = next((each for each in SEPARATORS if each.strip() in inner), ",")
    tight = mark if mark in inner else mark.strip()
    loose = f"{tight} " if not tight.endswith(" ") and f"{tight} " in inner else tight
    items = [each.strip() for each in inner.split(mark.strip())]
    return Listed(items, loose, *((gold[:1], gold[-1:]) if enclosed else ()))


def _nested(items: Sequence[Any]) -> bool:
    return any(isinstance(each, list | dict) for each in items)


def _program_in(text: str) -> str:
    """Return the program in a reply if it is the only code block, surrounded by nothing but words; otherwise ""."""
    found = BLOCK.findall(text)
    around = BLOCK.sub("", text)
    return found[0] if len(found) == 1 and "<" not in around and _is_code(found[0]) else ""


def _is_code(text: str) -> bool:
    """Return whether a text is a Python program that defines something, or reads and prints."""
    if not (PROGRAM.search(text) or (READS.search(text) and "print" in text)):
        return False
    try:
        return bool(ast.parse(text).body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
