"""Pairs of episodes: one of a variant, and the one of the same script to compare it with."""

from __future__ import annotations

from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.trajectory import Trajectory


def paired(evidence: Evidence) -> list[tuple[Trajectory, Trajectory]]:
    """Each variant's scored episodes, with the baseline's for the same script."""
    name, baseline = evidence.baseline or ("", {})
    return [
        (trajectory, bare)
        for framework, played in evidence.variants.rollouts.items()
        if framework != name
        for policy, by_label in played.items()
        for label, trajectory in by_label.items()
        if (bare := baseline.get(policy, {}).get(label))
        and "failed" not in (bare.end, trajectory.end)
    ]
