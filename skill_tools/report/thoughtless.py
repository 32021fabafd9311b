"""What the best of the players who never look at the task earns, as a line of the report."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from skill_tools.checks.reading.probed import share, total
from skill_tools.checks.rules.rewards.chance import interval
from skill_tools.checks.rules.rewards.thoughtless import BEST, players
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.probed import Attempt
from skill_tools.evidence.surveyed import DEALS


def best_thoughtless(evidence: Evidence) -> str:
    """Who earned the most without looking, how much, and from where on that is a finding; "" where none played.

    Always the same call, or a part of the prompt by a rule: what a policy finds first, and what a
    return of a model is to be compared with.
    """
    found = _players(evidence)
    if not found:
        return ""
    best = _best(found)
    part = share(evidence, best)
    if part <= 0:
        return f"none of {len(found)} such players earns more than doing nothing does"
    mean, half = interval([total(each) for each in best])
    return (
        f"the best such player, {best[0].words}, earns {mean:.3f} \u00b1 {half:.3f} (95 %, {len(best)} of the "
        f"tasks), {part:.0%} of the maximum beyond doing nothing; REW013 reports it from {BEST:.0%}"
    )


def thoughtless_share(evidence: Evidence) -> float | None:
    """What the best of them earns, as a share of what there is beyond doing nothing; None where none played."""
    found = _players(evidence)
    return max(0.0, share(evidence, _best(found))) if found else None


def _players(evidence: Evidence) -> list[Sequence[Attempt]]:
    """The attempts of each player who never looks."""
    if not (evidence.probed and evidence.declaration.reward_range):
        return []
    return [several for kind in players(evidence) for several in kind]


def _best(found: Sequence[Sequence[Attempt]]) -> Sequence[Attempt]:
    return max(found, key=lambda several: fmean(map(total, several)))


def over_deals(evidence: Evidence) -> str:
    """What the oracle earns over many deals where luck decides, and the best who does not look; "" elsewhere."""
    dealt = evidence.probed.chance if evidence.probed else None
    if dealt is None or not dealt.dealt:
        return ""
    mean, half = interval([each.total for each in dealt.dealt])
    others = [
        (fmean(found), player)
        for place, player in enumerate(dealt.players)
        if (found := [o for each in dealt.dealt if (o := each.others[place]) is not None])
    ]
    earned, player = max(others, default=(0.0, ""))
    beside = f"; the best player who does not look, {player}, {earned:.3f}" if player else ""
    count = f"{len(dealt.dealt):,} deals"
    count += "" if len(dealt.dealt) >= DEALS else ", as many as there was time for"
    return f"the oracle earns {mean:.3f} \u00b1 {half:.3f} (95 %, {count}){beside}"
