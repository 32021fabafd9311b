"""Functions that several families of checks share for reading trajectories."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from operator import attrgetter
from typing import Any

from rl_env_harness.arguments import read_arguments
from rl_env_harness.blocks import blocks_of

from skill_tools.checks.reading.pixels import as_pixels, views
from skill_tools.checks.reading.variation import comparable
from skill_tools.evidence.declaration import Declaration
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.reference_run import Unsolved
from skill_tools.evidence.trajectory import Step, Trajectory


def judged(evidence: Evidence) -> Iterator[Trajectory]:
    """Yield the episodes by which to judge the environment.

    These are the episodes of the bare domain or, if there are none, the episodes of all variants. A defect that
    only a variant has is not a defect of the environment.
    """
    for played in (
        [evidence.reference.episodes]
        if evidence.reference.episodes
        else evidence.variants.rollouts.values()
    ):
        for by_label in played.values():
            yield from by_label.values()


def of_policy(evidence: Evidence, policy: str) -> Iterator[Trajectory]:
    """Return the episodes of one policy, among the episodes that ``judged`` yields."""
    return (trajectory for trajectory in judged(evidence) if trajectory.model == policy)


def scored(evidence: Evidence, policy: str) -> Iterator[Trajectory]:
    """Return the episodes of one policy that have a return, among the episodes that ``judged`` yields."""
    return (each for each in of_policy(evidence, policy) if each.total is not None)


def cause(trajectory: Trajectory) -> str:
    """Return why an episode failed."""
    return trajectory.failure.message if trajectory.failure else "no cause was recorded"


def named(trajectory: Trajectory) -> str:
    """Return the name of an episode in messages: framework, policy and label, as in "ors: oracle on words/train/3"."""
    return f"{trajectory.framework}: {trajectory.model} on {trajectory.label}"


def shortened(text: str, most: int = 160) -> str:
    """Return a text in one line. If the text is long, cut it after a word."""
    return textwrap.shorten(text, most, placeholder=" …")


def counted(trajectory: Trajectory) -> list[Step]:
    """Return the steps that count as turns: all steps except calls that were refused after the end of the episode."""
    return [step for step in trajectory.steps if step.error != "episode_over"]


def opened(prompt: list[dict[str, Any]], declaration: Declaration) -> list[Any]:
    """Return the opening messages in a comparable form: the role, content and calls of each message.

    The content is treated in the same way as the observations in ``seen``.
    """
    shown = [blocks_of(message.get("content") or "") for message in prompt]
    called = [list(map(_call, message.get("tool_calls") or ())) for message in prompt]
    roles = [message.get("role") for message in prompt]
    return list(zip(roles, _views(shown, declaration), called, strict=True))


def _call(call: Any) -> Any:
    """Return a call as its name and parsed arguments, so that the notation of the arguments does not matter."""
    function = call.get("function") if isinstance(call, dict) else None
    if not isinstance(function, dict):
        return call
    return function.get("name"), read_arguments(function.get("arguments"))


def seen(trajectory: Trajectory, declaration: Declaration) -> list[Any]:
    """Return the observations of an episode's steps in a comparable form.

    Parts that are declared to vary are left out. Pictures become digests of their pixels, or a ``View`` of the
    screen if some pixels may differ.
    """
    return _views([step.observation for step in trajectory.steps], declaration)


def _views(shown: list[Any], declaration: Declaration) -> list[Any]:
    shown = [comparable(blocks, declaration.varies) for blocks in shown]
    if declaration.tolerance:
        return views(shown, declaration.tolerance)
    return [as_pixels(each) for each in shown]


def difference(one: Trajectory, other: Trajectory, declaration: Declaration) -> str:
    """Return the first difference between two trajectories of the same script, or "".

    Declared variation is left out of prompts and observations: see ``variation``.
    """
    if opened(one.prompt, declaration) != opened(other.prompt, declaration):
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
    # Older recordings have no metrics.
    if None not in (one.metrics, other.metrics) and one.metrics != other.metrics:
        return "the metrics"
    return ""


def of_the_domain(evidence: Evidence, why: Unsolved) -> bool:
    """Return whether the domain's own code raised the error ``why``.

    An error of the oracle's code, or an error that refuses a call, does not count.
    """
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
    """Return pairs of a variant's episode and the baseline's episode of the same script, if both have a return."""
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
