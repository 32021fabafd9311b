"""Operators: each makes one wrong answer from a right one. There is a table of operators for each kind of answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Generic, NamedTuple, TypeVar

from skill_tools.evidence.grading.graded import Expectation

Subject = TypeVar("Subject")
"""A right answer, as the operators of its kind read it."""


PUZZLE = "puzzle."
"""Prefix of the ways of replying to a puzzle."""


class Guess(NamedTuple):
    """A reply to a question, how it was made (``probe`` and a description), and the expected reward (``must``)."""

    probe: str
    must: Expectation
    how: str
    reply: str


class Operator(NamedTuple, Generic[Subject]):
    """One way to make a wrong answer: a name, a description, and the function.

    ``make`` returns None if the operator does not apply. ``must`` is the expectation, or a function of the subject.
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
    """Apply a table's operators to a right answer; ``hold`` puts the results into replies.

    ``under`` is the prefix of the probes' names.
    """
    for each in table:
        made = each.make(subject)
        if made is not None:
            must = each.must if isinstance(each.must, str) else each.must(subject)
            yield Guess(f"{under}{each.name}", must, each.what, hold(made))
