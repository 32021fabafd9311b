"""Functions for reading trajectories that several families of checks share."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from operator import attrgetter
from typing import Any

from skill_tools.checks.reading.pixels import as_pixels, views
from skill_tools.checks.reading.variation import comparable
from skill_tools.evidence.declaration import Declaration
from skill_tools.evidence.evidence import Evidence, Unsolved
from skill_tools.evidence.trajectory import Step, Trajectory


def judged(evidence: Evidence) -> Iterator[Trajectory]:
    """Return the trajectories by which to judge the environment: those of the bare domain, or else of all variants.

    If there is a reference run, a defect of a variant is not one of the environment.
    """
    for played in (
        [evidence.reference.episodes]
        if evidence.reference.episodes
        else evidence.variants.rollouts.values()
    ):
        for by_label in played.values():
            yield from by_label.values()


def of_policy(evidence: Evidence, policy: str) -> Iterator[Trajectory]:
    """Return one policy's trajectories among the judged ones."""
    return (trajectory for trajectory in judged(evidence) if trajectory.model == policy)


def scored(evidence: Evidence, policy: str) -> Iterator[Trajectory]:
    """Return one policy's trajectories among the judged ones, if they have a return."""
    return (each for each in of_policy(evidence, policy) if each.total is not None)


def cause(trajectory: Trajectory) -> str:
    """Return why an episode failed."""
    return trajectory.failure.message if trajectory.failure else "no cause was recorded"


def named(trajectory: Trajectory) -> str:
    """Return the name of a trajectory in a message."""
    return f"{trajectory.framework}: {trajectory.model} on {trajectory.label}"


def shortened(text: str, most: int = 160) -> str:
    """Return a text in one line, cut at a word if it is long."""
    return textwrap.shorten(text, most, placeholder=" …")


def counted(trajectory: Trajectory) -> list[Step]:
    """Return the steps that count as turns; calls refused after the end do not."""
    return [step for step in trajectory.steps if step.error != "episode_over"]


def seen(trajectory: Trajectory, declaration: Declaration) -> list[Any]:
    """Return what each step showed, in a form that can be compared.

    Leaves out the parts declared to vary. Pictures are compared by their pixels, or as
    a ``View`` of the screen if some pixels may differ.
    """
    shown = [comparable(step.observation, declaration.varies) for step in trajectory.steps]
    if declaration.tolerance:
        return views(shown, declaration.tolerance)
    return [as_pixels(each) for each in shown]


def difference(one: Trajectory, other: Trajectory, declaration: Declaration) -> str:
    """Return the first difference between two trajectories of the same script, or "".

    Declared variation is left out of prompts and observations: see ``variation``.
    """
    if comparable(one.prompt, declaration.varies) != comparable(other.prompt, declaration.varies):
        return "the prompt"
    views = zip(seen(one, declaration), seen(other, declaration), strict=False)
    steps = zip(one.steps, other.steps, views, strict=False)
    for number, (left, right, (ours, theirs)) in enumerate(steps, 1):
        for what in ("tool", "arguments", "observation", "reward", "done", "error"):
            read = attrgetter(what)
            same = ours == theirs if what == "observation" else read(left) == read(right)
            if not same:
                return f"step {number}, {what}"
    if len(one.steps) != len(other.steps):
        return f"{len(one.steps)} steps and {len(other.steps)}"
    for what in ("end", "total"):
        if getattr(one, what) != getattr(other, what):
            return f"the {'return' if what == 'total' else what}"
    return ""


def of_the_domain(evidence: Evidence, why: Unsolved) -> bool:
    """Return whether the domain raised, rather than the oracle or a refusal."""
    oracle = f"{evidence.oracle_module}.py:"
    return bool(why.where) and not why.where.startswith(oracle) and why.kind != "InvalidAction"


def answered(step: Step, evidence: Evidence) -> list[str]:
    """Return the texts of a step, without the status line at the end of the domain's observations."""
    texts = [block["text"] for block in step.observation if block["type"] == "text"]
    if texts and evidence.reference.domain and evidence.reference.domain.status:
        *before, last = texts
        texts = [*before, *filter(None, [last.rpartition("\n")[0]])]
    return texts


def paired(evidence: Evidence) -> list[tuple[Trajectory, Trajectory]]:
    """Yield each scored episode of a variant, with the baseline's episode for the same script."""
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
