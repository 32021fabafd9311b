"""The scorer for cases in which nothing is to be built.

The last message must name the problem, or ask for the missing information.
"""

from __future__ import annotations

import re
from pathlib import Path

from evals.attempt import Attempt
from evals.case import Case
from evals.expectation import Expectation
from evals.rollouts.folders import find


def score(case: Case, attempt: Attempt) -> list[Expectation]:
    """Return one expectation for each required statement, and one expectation that nothing was built.

    The last expectation can hold only if all other expectations hold.
    """
    assert case.asks.answer is not None
    said = attempt.said
    expected = [
        _one(name, bool(re.search(pattern, said, re.IGNORECASE | re.DOTALL)), _found(said))
        for name, pattern in case.asks.answer.says.items()
    ]
    built = sorted(find(Path(attempt.folder)))
    answered = all(each.held for each in expected)
    why = f"a variant was built: {', '.join(built)}" if built else "nothing was answered"
    return [*expected, _one("builds nothing", answered and not built, why)]


def _found(said: str) -> str:
    return f"the last words were {said[-400:]!r}" if said else "it said nothing"


def _one(name: str, held: bool, found: str) -> Expectation:
    return Expectation(scorer="answer", name=name, held=held, found="" if held else found)
