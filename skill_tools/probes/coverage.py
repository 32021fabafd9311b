"""The query that plays scripts and finds branches of the domain's code that are never taken."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from skill_tools.evidence.calls import Calls
from skill_tools.probes.probe import Trial
from skill_tools.reference.process import Query
from skill_tools.spec.model import EnvSpec

SCRIPTS = 60
"""Maximum scripts to play, spread over all trials: tracing is slow."""
TASKS = 4
"""Number of tasks in a split for the oracle, chosen to differ."""
SECONDS = 10.0
"""CPU seconds for the whole run: an incomplete run would report other branches each time."""
_NAMED = re.compile(r"[=!]=\s*[\"']\w|\bcase\s+[\"']")
"""A comparison with a named value."""


def asks_for_names(spec: EnvSpec, folder: Path) -> bool:
    """Return whether the domain's code compares values with names, such as the names of levels. Only such code needs
    to be traced.
    """
    others = {spec.oracle.partition(":")[0], spec.tasks.partition(":")[0]}
    files = (path for path in folder.glob("*.py") if path.stem not in others)
    return any(_NAMED.search(path.read_text("utf-8", "replace")) for path in files)


def reaching(
    spec: EnvSpec,
    trials: Mapping[str, Sequence[Trial]],
    drawn: Sequence[Any],
    limit: Mapping[str, Any],
) -> Query:
    """Return the query that finds branches that are never taken, by playing examples, trials and random calls."""
    several = [trial for each in trials.values() for trial in each]
    chosen = several[:: max(1, len(several) // SCRIPTS)]
    scripts = [(trial.split, trial.index, trial.calls) for trial in chosen]
    scripts += [
        (each.split, each.index, [(c.tool, c.arguments) for _, c in each.made])
        for each in spec.examples
    ]
    scripts += [(each.split, each.index, calls) for each in several[:1] for calls in _samples(spec)]
    asked = {"most": TASKS, "drawn": drawn, "scripts": scripts, "max_turns": spec.episode.max_turns}
    asked["limit"] = {"seconds": SECONDS, "wall": limit["wall"] * SECONDS}
    return Query("reach", "looking for branches that are never taken", asked)


def _samples(spec: EnvSpec) -> list[Calls]:
    """Return a call for each of the author's samples, of the actions whose parameters all have samples."""
    found: list[Calls] = []
    for name, tool in spec.actions.items():
        by_parameter = tool.samples()
        if by_parameter.keys() == tool.parameters.keys():
            values = zip(*by_parameter.values(), strict=False)
            found += [[(name, dict(zip(by_parameter, each, strict=True)))] for each in values]
    return found
