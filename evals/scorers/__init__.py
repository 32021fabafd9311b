"""The scorers of an attempt. Each module turns a case and an attempt into expectations."""

from __future__ import annotations

from collections.abc import Callable

from evals.attempt import Attempt
from evals.case import Case
from evals.expectation import Expectation
from evals.scorers import answer, asked, behaviour, checks, parity, starts, trigger

Scorer = Callable[[Case, Attempt], list[Expectation]]
SCORERS: dict[str, Scorer] = {
    "asked": asked.score,
    "starts": starts.score,
    "checks": checks.score,
    "behaviour": behaviour.score,
    "parity": parity.score,
    "answer": answer.score,
    "trigger": trigger.score,
}
KINDS = {
    "build": ("asked", "starts", "checks", "behaviour", "parity"),
    "answer": ("answer",),
    "trigger": ("trigger",),
}
"""The scorers for each kind of case."""


def expectations(case: Case, attempt: Attempt) -> list[Expectation]:
    """Return the expectations of every scorer for the case. They are unscored if this machine cannot play the case."""
    if missing := case.missing:
        why = f"this machine lacks {', '.join(missing)}: see skill-tools doctor"
        kinds = KINDS[case.asks.kind]
        return [Expectation(scorer=name, name="all", held=None, found=why) for name in kinds]
    return [each for name in KINDS[case.asks.kind] for each in SCORERS[name](case, attempt)]
