"""Asking a grader: replies to score, and what each earned."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

Given = TypeVar("Given")


@dataclass(frozen=True)
class GradeRequest:
    """One reply that a grader is to score. beside: tasks and replies before it in one batch with it, or
    after it where it is ``first``.

    judge: what a judge says that the grader asks, as ``audit_judge.verdict`` takes it. gold: the right answer, for it.
    kind: what replies are called that are made in the same way, of which not all are given where some never return.
    thread: whether it is scored off the main thread; crowd: tasks and replies that others score at the same time.
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
    """What it said: a return, or why there is none. reached: whether it was asked at all.

    judged: what it asked of a judge, and what that said.
    """

    paid: float | None = None
    broke: str = ""
    reached: bool = True
    judged: tuple[Mapping[str, Any], ...] = ()


Grader = Callable[[Sequence[GradeRequest]], Sequence[Grade]]
"""Scores replies, in their order."""


def spread(several: Sequence[Given], most: int) -> list[Given]:
    """So many of them, from all over."""
    if len(several) <= most:
        return list(several)
    return [several[number * len(several) // most] for number in range(most)]
