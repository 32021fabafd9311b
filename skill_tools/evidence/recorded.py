"""Evidence from trajectories alone, for environments that skill-tools may not have rendered."""

from __future__ import annotations

from collections.abc import Iterable

from skill_tools.evidence.declaration import Declaration
from skill_tools.evidence.evidence import BARE, Evidence, VariantRuns
from skill_tools.evidence.reference_run import ReferenceRun, Tasks
from skill_tools.evidence.trajectory import Played, Trajectory


def gather_rollouts(
    declaration: Declaration,
    trajectories: Iterable[Trajectory],
    tasks: Tasks | None = None,
    *,
    in_text: Iterable[str] = (),
) -> Evidence:
    """Return evidence from trajectories alone, for an environment that skill-tools may not have rendered.

    If a policy played an episode several times, all of its trajectories are kept, as label, label#2, ...
    """
    rollouts: dict[str, Played] = {}
    for trajectory in trajectories:
        by_label = rollouts.setdefault(trajectory.framework, {}).setdefault(trajectory.model, {})
        label, times = trajectory.label, 1
        while label in by_label:
            times += 1
            label = f"{trajectory.label}#{times}"
        by_label[label] = trajectory.model_copy(update={"label": label})
    reference = rollouts.pop(BARE, None)
    return Evidence(
        declaration,
        reference=ReferenceRun(tasks=tasks, episodes=reference),
        variants=VariantRuns(rollouts=rollouts, in_text=frozenset(in_text)),
    )
