"""Operators: each makes one wrong answer of a right one; a kind of answers has a table of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Generic, NamedTuple, TypeVar

from skill_tools.evidence.grading.graded import Expectation

Subject = TypeVar("Subject")
"""A right answer, as the operators of its kind read it."""


class Guess(NamedTuple):
    """A reply to a question. ``probe`` names the way it was made, ``how`` says it in words.

    ``must``: what it has to earn.
    """

    probe: str
    must: Expectation
    how: str
    reply: str


class Operator(NamedTuple, Generic[Subject]):
    """One way to make a wrong answer: its name, what the answer is in words, and the function that makes it.

    ``make`` returns None where it does not apply. ``must``: what the answer has to earn, or a function of the subject.
    """

    name: str
    what: str
    make: Callable[[Subject], str | None]
    must: Expectation | Callable[[Subject], Expectation] = "wrong"


def perturb(
    table: Iterable[Operator[Subject]],
    subject: Subject,
    hold: Callable[[str], str],
    under: str = "",
) -> Iterator[Guess]:
    """What the operators of a table make of a right answer, in the place of a reply that ``hold`` knows.

    ``under``: what begins the name of each probe.
    """
    for each in table:
        made = each.make(subject)
        if made is not None:
            must = each.must if isinstance(each.must, str) else each.must(subject)
            yield Guess(f"{under}{each.name}", must, each.what, hold(made))
