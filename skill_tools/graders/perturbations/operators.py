"""Operators that make a wrong answer from a right answer, with a table of operators for each kind of answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Generic, NamedTuple, TypeVar

from skill_tools.evidence.grading.graded import Expectation

Subject = TypeVar("Subject")
"""A right answer, as the operators of its kind read it."""


NAN = "nan"
"""The way of replying with NaN in place of numbers, and its text."""
UNREDUCED = "unreduced"
"""The way of replying with a fraction of the right value that has another form than the prompt asks for."""
PUZZLE = "puzzle."
"""Prefix of the ways of replying to a puzzle."""


class Guess(NamedTuple):
    """A reply to a question, with its name (``probe``), description (``how``) and expected reward (``must``)."""

    probe: str
    must: Expectation
    how: str
    reply: str


class Operator(NamedTuple, Generic[Subject]):
    """A way to make a wrong answer, with a name, a description, and a function.

    ``make`` returns None if the operator does not apply. ``must`` is the expectation, or a function of the
    subject.
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
    """Yield the guesses that a table's operators make from a right answer; ``hold`` puts each guess into a reply.

    ``under`` is the prefix of the probes' names.
    """
    for each in table:
        made = each.make(subject)
        if made is not None:
            must = each.must if isinstance(each.must, str) else each.must(subject)
            yield Guess(f"{under}{each.name}", must, each.what, hold(made))
