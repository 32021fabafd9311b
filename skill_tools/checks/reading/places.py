"""Places of defects: the task of an episode, and the tool of a call."""

from __future__ import annotations

from skill_tools.checks.check import Place
from skill_tools.evidence.trajectory import Step, Trajectory


def place_of(trajectory: Trajectory, step: Step | None = None) -> Place:
    """An episode's task as split/index, otherwise its label; and the tool of one of its calls."""
    known = trajectory.split is not None and trajectory.index is not None
    task = f"{trajectory.split}/{trajectory.index}" if known else trajectory.label
    return Place(task=task, tool=step.tool if step else "")
