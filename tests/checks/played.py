"""Evidence of the counter as it was played here, for checks to read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from skill_tools.evidence.evidence import Evidence, VariantRuns
from skill_tools.evidence.trajectory import Played, Trajectory
from skill_tools.frameworks.rules import load
from skill_tools.pipeline import render
from skill_tools.pipeline.bare_runs import play_domain
from skill_tools.pipeline.collection import compare_files


def evidence_of(folder: Path, *, exploring: bool = False) -> Evidence:
    """Evidence of an environment as rendered, its bare episodes standing in for a variant's."""
    render(folder)
    spec = load(folder)
    bare = play_domain(spec, folder, exploring=exploring)
    rollouts = {"openenv": renamed(bare.reference.episodes)}
    return replace(
        bare.added_to(compare_files(spec, folder)), variants=VariantRuns(rollouts=rollouts)
    )


def renamed(played: Played) -> Played:
    return edited(played, lambda trajectory: trajectory.model_copy(update={"framework": "openenv"}))


def edited(played: Played, edit: Callable[[Trajectory], Trajectory]) -> Played:
    return {p: {label: edit(t) for label, t in by.items()} for p, by in played.items()}
