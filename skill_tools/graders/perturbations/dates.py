"""Operators for dates, which swap day and month, change the year, or take the next day, in the same notation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, timedelta

from skill_tools.graders.perturbations.operators import Guess, Operator, perturb
from skill_tools.graders.templates.answer_templates import Template
from skill_tools.graders.templates.dates import read_date, shown_dates, written_date
from skill_tools.graders.templates.question import Question


def _dated(question: Question, day: Callable[[date], date | None]) -> str | None:
    """Apply ``day`` to the right answer's date. Return the result in the answer's notation, or None if no date results."""
    found = read_date(question.gold)
    other = day(found.day) if found else None
    return found.write(other) if found and other else None


def _exchanged(day: date) -> date | None:
    """Return the date with its month and day swapped; None if this is not another valid date."""
    return (
        day.replace(month=day.day, day=day.month)
        if day.day <= 12 and day.day != day.month
        else None
    )


def _next_year(day: date) -> date:
    return day.replace(year=day.year + 1, day=min(day.day, 28))


def _turned_as_shown(question: Question) -> str | None:
    found, shown = read_date(question.gold), shown_dates(question.prompt)
    turned = _exchanged(found.day) if found else None
    return written_date(turned, *shown[0]) if turned and shown else None


# fmt: off
DATES: tuple[Operator[Question], ...] = (
    Operator("turned", "month and day exchanged", lambda q: _dated(q, _exchanged)),
    Operator("turned-as-shown", "month and day exchanged, in the prompt's date format", _turned_as_shown),
    Operator("year", "another year", lambda q: _dated(q, _next_year)),
    Operator("day", "the next day", lambda q: _dated(q, lambda day: day + timedelta(days=1))),
)
# fmt: on


def other_dates(question: Question, frame: Template) -> Iterator[Guess]:
    """Yield wrong dates, if the question's right answer is a date."""
    yield from perturb(DATES, question, frame.hold)
