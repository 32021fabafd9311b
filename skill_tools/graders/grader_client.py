"""The client of a grader, with the replies to score and their grades."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

Given = TypeVar("Given")


@dataclass(frozen=True)
class GradeRequest:
    """A reply for the grader to score.

    Attributes:
        beside: The other tasks and replies of the batch. They precede this reply, or follow it if ``first`` is true.
        judge: The stand-in judge's behavior, as the argument ``how`` of ``audit_judge.verdict``.
        gold: The right answer, for the judge.
        kind: A name for similar replies. If some replies of a kind never return, others are left out.
        thread: Whether the reply is scored off the main thread.
        crowd: Tasks and replies that are scored at the same time.
        program: Another text for the grader's file, or "".
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
    program: str = ""


@dataclass(frozen=True)
class Grade:
    """A reply's reward, or the reason why it has no score (``broke``).

    ``reached`` states whether the grader was called at all; ``judged`` holds the grader's requests to a judge
    and the judge's replies.
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
