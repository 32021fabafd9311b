"""Ways of reading trajectories that several families share."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from skill_tools.checks.varying import comparable
from skill_tools.play.evidence import Evidence
from skill_tools.play.trajectory import Step, Trajectory


def every(evidence: Evidence) -> Iterator[Trajectory]:
    """All trajectories: the bare ones first, then each variant's."""
    for played in (evidence.reference, *evidence.rollouts.values()):
        for by_label in played.values():
            yield from by_label.values()


def scored(evidence: Evidence, policy: str) -> Iterator[Trajectory]:
    """A policy's bare trajectories that have a return."""
    for trajectory in evidence.reference[policy].values():
        if trajectory.total is not None:
            yield trajectory


def named(trajectory: Trajectory) -> str:
    """The trajectory in a message."""
    return f"{trajectory.framework}: {trajectory.model} on {trajectory.label}"


def counted(trajectory: Trajectory) -> list[Step]:
    """The steps that were played, without calls refused after the end."""
    return [step for step in trajectory.steps if step.error != "episode_over"]


def difference(one: Trajectory, other: Trajectory, varies: Collection[str]) -> str:
    """The first thing in which two trajectories of the same script differ, or "".

    ``varies`` names what is left out of prompts and observations: see ``varying``.
    """
    if comparable(one.prompt, varies) != comparable(other.prompt, varies):
        return "the prompt"
    for number, (left, right) in enumerate(zip(one.steps, other.steps, strict=False), 1):
        for what in ("tool", "arguments", "observation", "reward", "done", "error"):
            shown = getattr(left, what), getattr(right, what)
            if what == "observation":
                shown = comparable(shown[0], varies), comparable(shown[1], varies)
            if shown[0] != shown[1]:
                return f"step {number}, {what}"
    if len(one.steps) != len(other.steps):
        return f"{len(one.steps)} steps and {len(other.steps)}"
    for what in ("end", "total"):
        if getattr(one, what) != getattr(other, what):
            return f"the {'return' if what == 'total' else what}"
    return ""
