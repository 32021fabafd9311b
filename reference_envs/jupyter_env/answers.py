"""Whether what the agent answered is the answer: forgiving in form, never in content.

A task has a `kind`, which says how its answer is read:

- integer: a whole number; 1204, 1,204 and 1204.0 are the same.
- number: a decimal number that may be off by the task's `tolerance`; the task's `unit`, if it has
  one, may stand behind it.
- text: the same text, except for case, spaces and quotation marks around it.
- list: texts separated by commas, in the order that the question asks for.
- date: a calendar date written as 2024-03-07.

What cannot be read as its kind is wrong, and so is more than one answer.
"""

import re
from decimal import Decimal

LONGEST = 200
"""Characters; anything longer is no answer to any of the questions."""

FORMATS = {
    "integer": "a whole number in digits",
    "number": "one decimal number, rounded as the question says",
    "text": "the text alone",
    "list": "the items in the order asked for, separated by commas",
    "date": "a date as YYYY-MM-DD",
}
"""What the agent is told about the form, by kind."""

_NUMBER = re.compile(r"([+-]?)(\d{1,3}(?:,\d{3})+|\d{1,15})(\.\d{1,15})?", re.ASCII)
_DATE = re.compile(r"(\d{4}-\d\d-\d\d)(?:[ T]00:00:00)?", re.ASCII)
_QUOTES = "\"'`"


def is_correct(task: dict, given: str) -> bool:
    """Whether `given` answers the task. Never raises, whatever the text."""
    if len(given) > LONGEST:
        return False
    given, answer = given.strip(), task["answer"]
    if task["kind"] == "integer":
        return _number(given) == Decimal(answer)
    if task["kind"] == "number":
        value = _number(_without_unit(given, task.get("unit", "")))
        return value is not None and abs(value - Decimal(answer)) <= Decimal(task["tolerance"])
    if task["kind"] == "list":
        return _items(given) == [_plain(item) for item in answer]
    if task["kind"] == "date":
        match = _DATE.fullmatch(given.strip(_QUOTES))
        return match is not None and match[1] == answer
    return _plain(given) == _plain(answer)


def _number(text: str) -> Decimal | None:
    """The number that the whole text is, or None: no exponent, no infinity, no other script."""
    match = _NUMBER.fullmatch(text.strip(_QUOTES))
    return Decimal(match[0].replace(",", "")) if match else None


def _without_unit(text: str, unit: str) -> str:
    if unit and text.casefold().endswith(unit.casefold()):
        return text[: -len(unit)].rstrip()
    return text


def _items(text: str) -> list[str]:
    if text.startswith("[") and text.endswith("]"):
        text = text[1:-1]
    return [_plain(item) for item in text.split(",")]


def _plain(text: str) -> str:
    """Lower case, single spaces, no quotation marks around."""
    return " ".join(text.strip().strip(_QUOTES).casefold().split())
