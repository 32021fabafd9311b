"""Ways of reading trajectories that several families share."""

from __future__ import annotations

from collections.abc import Iterator

from skill_tools.evidence import Evidence
from skill_tools.trajectory import Step, Trajectory


def every(evidence: Evidence) -> Iterator[Trajectory]:
    """All trajectories: the bare ones first, then each variant's."""
    for played in (evidence.bare, *evidence.rollouts.values()):
        for by_label in played.values():
            yield from by_label.values()


def scored(evidence: Evidence, policy: str) -> Iterator[Trajectory]:
    """A policy's bare trajectories that have a return."""
    for trajectory in evidence.bare[policy].values():
        if trajectory.total is not None:
            yield trajectory


def named(trajectory: Trajectory) -> str:
    """The trajectory in a message."""
    return f"{trajectory.framework}: {trajectory.model} on {trajectory.label}"


def counted(trajectory: Trajectory) -> list[Step]:
    """The steps that were played, without calls refused after the end."""
    return [step for step in trajectory.steps if step.error != "episode_over"]


def difference(one: Trajectory, other: Trajectory) -> str:
    """The first thing in which two trajectories of the same script differ, or ""."""
    if one.prompt != other.prompt:
        return "the prompt"
    for number, (left, right) in enumerate(zip(one.steps, other.steps, strict=False), 1):
        for what in ("tool", "arguments", "observation", "reward", "done", "error"):
            if getattr(left, what) != getattr(right, what):
                return f"step {number}, {what}"
    if len(one.steps) != len(other.steps):
        return f"{len(one.steps)} steps and {len(other.steps)}"
    for what in ("end", "total"):
        if getattr(one, what) != getattr(other, what):
            return f"the {'return' if what == 'total' else what}"
    return ""
