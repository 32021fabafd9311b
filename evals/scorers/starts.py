"""The scorer for starts: each variant installs, starts, and can open and play at least one episode."""

from __future__ import annotations

from evals.attempt import Attempt
from evals.case import Case
from evals.expectation import Expectation


def score(case: Case, attempt: Attempt) -> list[Expectation]:
    """Return one expectation per requested framework."""
    return [_one(framework, *_started(framework, attempt)) for framework in attempt.frameworks]


def _started(framework: str, attempt: Attempt) -> tuple[bool, str]:
    if framework not in attempt.found:
        return False, "there is no variant to start"
    if problem := attempt.problems.get(framework):
        return False, problem
    played = [each for each in attempt.played if each.framework == framework]
    if any(len(each.steps) > 1 for each in played):
        return True, ""
    why = next((each.problem for each in played if each.problem), "no call was answered")
    return False, f"no episode could be played: {why}"


def _one(framework: str, held: bool, found: str) -> Expectation:
    return Expectation(
        scorer="starts", name="plays", framework=framework, held=held, found=found[-1500:]
    )
