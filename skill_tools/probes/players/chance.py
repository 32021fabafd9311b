"""Blind players for domains in which luck decides. The oracle must beat their mean return."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from skill_tools.evidence.calls import Calls, calls_of, show_calls
from skill_tools.evidence.surveyed import DEALS
from skill_tools.probes.answers import constant
from skill_tools.probes.probe import ProbeContext

LONGER = 5
"""Factor on the time of other surveys: means differ by little, and a single episode says nothing."""
ALWAYS = 500
"""Number of deals to play regardless of time: fewer do not separate skill from luck."""
COMMON = 3
"""Number of the oracle's most frequent solutions to play on all deals."""


def dealing(
    ground: ProbeContext, drawn: Calls, limit: Mapping[str, Any], *, reseed: bool
) -> dict[str, Any]:
    """Return the query that plays many deals (tasks with various seeds) with the oracle and with blind players.

    Args:
        drawn: Random calls.
        reseed: Whether a different seed changes a task.
    """
    longer = {"seconds": limit["seconds"] * LONGER, "wall": limit["wall"] * LONGER, "floor": ALWAYS}
    asked = {"players": list(_players(ground)), "drawn": drawn, "most": DEALS, "reseed": reseed}
    return {**asked, "limit": longer}


def _players(ground: ProbeContext) -> Iterator[tuple[str, Calls]]:
    """Yield the name of each blind player and the calls that it makes on every deal."""
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
