"""The client of a grader: replies to score, and their grades."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

Given = TypeVar("Given")


@dataclass(frozen=True)
class GradeRequest:
    """One reply for a grader to score.

    Attributes:
        beside: Tasks and replies before it in one batch, or after it if it is ``first``.
        judge: The reply of the grader's judge, as ``audit_judge.verdict`` takes it.
        gold: The right answer, for the judge.
        kind: The name of similar replies, some of which are left out if others never return.
        thread: Whether the reply is scored off the main thread.
        crowd: Tasks and replies that are scored at the same time.
    """

    task: str
    reply: str
    beside: tuple[tuple[str, str], ...] = ()
    judge: Mapping[str, Any] = field(default_factory=dict)
    gold: str = ""
    kind: str = ""
    first: bool = False
    thread: bool = False
    crowd: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Grade:
    """The grader's result: a return, or why there is none.

    ``reached`` tells whether the grader was called at all, and ``judged`` has its requests to a judge and the judge's
    replies.
    """

    paid: float | None = None
    broke: str = ""
    reached: bool = True
    judged: tuple[Mapping[str, Any], ...] = ()


Grader = Callable[[Sequence[GradeRequest]], Sequence[Grade]]
"""Scores replies, in order."""


def spread(several: Sequence[Given], most: int) -> list[Given]:
    """Return at most ``most`` items, evenly spread."""
    if len(several) <= most:
        return list(several)
    return [several[number * len(several) // most] for number in range(most)]
