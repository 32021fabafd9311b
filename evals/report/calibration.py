"""A test of the graders: the scores of the scripted solvers are known in advance."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from evals import case as cases
from evals.case import Case
from evals.expectation import Expectation, lost_points
from evals.report.result import Result

SCAFFOLD_BELOW = 0.3


def surprises(results: Sequence[Result], find: Callable[[str], Case] = cases.find) -> list[str]:
    """Return a message for each scripted solver that did not get its required score, with its lost expectations."""
    messages = []
    for each in results:
        lost = sorted(lost_points(each.expectations))
        who = f"{each.solver} on {each.sample}"
        if each.error:
            messages.append(f"{who} could not be run: {each.error}")
        elif each.score is None and find(each.case).missing:
            continue  # its explanation says what this machine lacks
        elif each.solver in ("reference", "handwritten") and each.score != 1.0:
            messages.append(f"{who} scored {each.score}, not 1: {each.explanation}")
        elif each.solver == "empty" and each.score != 0.0:
            messages.append(f"{who} scored {each.score}, not 0")
        elif each.solver == "scaffold" and (each.score is None or each.score >= SCAFFOLD_BELOW):
            messages.append(f"{who} scored {each.score}, not under {SCAFFOLD_BELOW}")
        elif each.solver == "mutant":
            messages += _mutant_surprises(each, lost, find)
    return messages


def _mutant_surprises(
    result: Result, lost: Sequence[str], find: Callable[[str], Case]
) -> list[str]:
    mutant = find(result.case).mutants[result.sample.partition("/")[2]]
    costs = {each.key for each in result.expectations if _costs(each, mutant.costs)}
    unknown = [c for c in mutant.costs if not any(_costs(e, [c]) for e in result.expectations)]
    messages = [f"mutant {result.sample} costs {c}, which nothing expects" for c in unknown]
    if set(lost) != costs or not lost:
        more, less = sorted(set(lost) - costs), sorted(costs - set(lost))
        messages.append(f"mutant {result.sample} lost {more} besides, and not {less}")
    return messages


def _costs(expectation: Expectation, costs: Sequence[str]) -> bool:
    return f"{expectation.scorer}/{expectation.name}" in costs
