"""The best of the players who never look at the task, as a line of the report."""

from __future__ import annotations

from statistics import fmean

from skill_tools.checks.reading.probed import share, total
from skill_tools.checks.rules.rewards.thoughtless import BEST, players
from skill_tools.evidence.evidence import Evidence


def best_thoughtless(evidence: Evidence) -> str:
    """Who earned the most without looking, how much, and from where on that is a finding; "" where none played.

    Always the same call, or a part of the prompt by a rule: what a policy finds first, and what a
    return of a model is to be compared with.
    """
    if not (evidence.probed and evidence.declaration.reward_range):
        return ""
    found = [several for kind in players(evidence) for several in kind]
    if not found:
        return ""
    best = max(found, key=lambda several: fmean(map(total, several)))
    earned, part = fmean(map(total, best)), share(evidence, best)
    return (
        f"{best[0].words}: {earned:.3f} in the mean of {len(best)} tasks, {part:.0%} of what there is to "
        f"earn beyond doing nothing (REW013 tells of it from {BEST:.0%})"
    )
