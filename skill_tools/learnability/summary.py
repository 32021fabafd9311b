"""From what a study saw to the study: curves, findings, advice and the verdict."""

from __future__ import annotations

from skill_tools.checks.rules.rewards.blind_baseline import BEST
from skill_tools.errors import DomainError
from skill_tools.evidence.studied import Studied
from skill_tools.learnability.advice import advise
from skill_tools.learnability.curves import draw_curves, list_tasks, rate_lazy
from skill_tools.learnability.facts import Facts
from skill_tools.learnability.findings import find_all
from skill_tools.learnability.model import Study
from skill_tools.learnability.verdict import judge_curves, signal_of

GOES_ON = {
    "solve": "after a random call the oracle continues with its list of calls: "
    "solve() cannot know what the random call changed; a next_call() next to it could",
    "next_call": "after a random call the oracle continues from the present state: next_call() sees all calls "
    "and answers",
}
"""How the oracle continues after a random call, by what is asked of it."""
DRAWN = {
    "valid_calls": "drawn from the valid_calls() of the domain",
    "schemas": "drawn from the tools' schemas and samples",
}
"""Where random calls are from."""


def make_study(studied: Studied, bound: float | None = None) -> Study:
    """Judge what was seen; ``bound`` is the share of the oracle's return that a lazy player may not reach.

    Raises DomainError where no episode of some rung has a return.
    """
    curves = [curve for curve in draw_curves(studied) if len(curve.rungs) > 1]
    if not curves or curves[0].oracle.epsilon or curves[0].random.epsilon < 1:
        failure = next(
            (each.failure for each in studied.climbed if each.failure), "no time was left"
        )
        raise DomainError(
            f"too few episodes of {studied.split} have a return to study them: {failure}\n"
            "    fix: give it more time with --seconds, or make `skill-tools check --play` green first"
        )
    limit = BEST if bound is None else bound
    lazy = rate_lazy(studied, curves)
    findings = find_all(Facts(studied, curves, lazy, limit))
    verdict, because = judge_curves(studied, curves)
    return Study(
        environment=studied.environment,
        title=studied.title,
        archetype=studied.archetype,
        split=studied.split,
        size=studied.size,
        tasks=len(studied.tasks),
        samples=studied.samples,
        episodes=len(studied.climbed) + len(studied.lazed),
        seconds=round(studied.seconds, 1),
        short=studied.short,
        how_oracle_goes_on=GOES_ON[studied.goes_on],
        drawn=DRAWN[studied.drawn],
        reward_range=studied.reward_range,
        curves=curves,
        lazy=lazy,
        by_task=list_tasks(studied),
        bound=limit,
        signal_from=signal_of(curves[0]),
        findings=findings,
        advice=advise(studied, curves, verdict),
        verdict=verdict,
        because=because,
    )
