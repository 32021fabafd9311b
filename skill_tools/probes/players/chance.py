"""Players of a world of chance who do not look at what is dealt: the oracle's mean must beat theirs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from skill_tools.evidence.calls import Calls, calls_of, show_calls
from skill_tools.evidence.surveyed import DEALS
from skill_tools.probes.answers import constant
from skill_tools.probes.probe import ProbeContext

LONGER = 5
"""Times as long as another survey that dealing may take: means differ by little, and one episode says nothing."""
ALWAYS = 500
"""Deals that are played whatever they take: fewer do not tell play from luck."""
COMMON = 3
"""Solutions of the oracle that are played on all deals, the most frequent ones."""


def dealing(
    ground: ProbeContext, drawn: Calls, limit: Mapping[str, Any], *, reseed: bool
) -> dict[str, Any]:
    """What is asked of a world of chance: many deals to the oracle, and to who does not look at them.

    drawn: random calls. reseed: whether another seed deals a task anew.
    """
    longer = {"seconds": limit["seconds"] * LONGER, "wall": limit["wall"] * LONGER, "floor": ALWAYS}
    asked = {"players": list(_players(ground)), "drawn": drawn, "most": DEALS, "reseed": reseed}
    return {**asked, "limit": longer}


def _players(ground: ProbeContext) -> Iterator[tuple[str, Calls]]:
    """Players in words, with the calls that each makes whatever is dealt."""
    yield "doing nothing", []
    known = set()
    for trial in constant(ground):
        if trial.words not in known:
            known.add(trial.words)
            yield trial.words, trial.calls
    solutions = {repr(calls_of(each)): calls_of(each) for each in ground.oracle.values()}
    counts = Counter(repr(calls_of(each)) for each in ground.oracle.values())
    for key, _ in counts.most_common(COMMON):
        if len(solutions[key]) > 1:
            yield f"always {show_calls(solutions[key])}", solutions[key]
