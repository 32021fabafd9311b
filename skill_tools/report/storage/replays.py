"""The episode that a finding shows, and how a replay of the episode differs."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from textwrap import indent
from typing import Any

from rl_env_harness.blocks import said

from skill_tools.checks import Finding
from skill_tools.checks.reading.variation import comparable
from skill_tools.evidence.grading.requests import replies_at
from skill_tools.evidence.images.pictures import briefly
from skill_tools.evidence.trajectory import Replay, Step, Trajectory

_REPORTED = ("fail", "warn", "note")


def with_replays(
    folder: Path, findings: Sequence[Finding]
) -> tuple[list[Finding], dict[str, Trajectory]]:
    """Add to each finding the command that replays its episode. Return the findings, and the episodes by key.

    The key is the check's id. From a check's second episode on, a number is added.
    """
    reported: list[Finding] = []
    shown: dict[str, Trajectory] = {}
    for finding in findings:
        if finding.shown is None or finding.status not in _REPORTED:
            reported.append(finding)
            continue
        key, number = finding.check, 1
        while key in shown and shown[key] is not finding.shown:
            number += 1
            key = f"{finding.check}-{number}"
        shown[key] = finding.shown
        command = shlex.join(["skill-tools", "replay", str(folder), key])
        reported.append(replace(finding, replay=command))
    return reported, shown


def tell_replay(replay: Replay, varies: Sequence[str]) -> Iterator[str]:
    """Yield the observation and reward of each step, and the first difference from the recorded episode."""
    now = replay.now
    yield f"{now.label}: the calls of {replay.recorded.framework}'s {now.model}, on the bare domain"
    yield from tell_episode(now)
    found = first_difference(replay, varies)
    yield (
        f"different from when the finding was made: {found}"
        if found
        else "the same as when the finding was made"
    )


def tell_episode(now: Trajectory, *, prompt: Sequence[Any] = ()) -> Iterator[str]:
    """Yield the opening, the result of each step, and the end. Messages in ``prompt`` are left out of the opening."""
    for message in now.prompt:
        if message in prompt:
            continue
        yield f"{message['role']}:"
        yield indent(said(message, "[an image]"), "    ")
    for number, step in enumerate(now.steps, 1):
        yield f"step {number}: {step.tool}({json.dumps(step.arguments, ensure_ascii=False)})"
        yield indent(step.text, "    ")
        yield from (indent(line, "    | ") for line in replies_at(now, number - 1))
        error = f" ({step.error})" if step.error else ""
        yield f"    reward {step.reward:g}, done {str(step.done).lower()}{error}"
    yield from (indent(line, "    | ") for line in replies_at(now, len(now.steps)))
    if now.failure:
        yield f"    {now.failure.message}"
    yield f"end: {_ending(now)}"


def _said(content: Any) -> str:
    return content if isinstance(content, str) else json.dumps(content)[:2000]


def first_difference(replay: Replay, varies: Sequence[str]) -> str:
    """Return the first difference from the recorded episode, or "". Fields in ``varies`` are ignored."""
    before, after = replay.recorded, replay.now
    place = step_that_differs(replay, varies)
    if place is not None and place < min(len(before.steps), len(after.steps)):
        what = _step_differs(before.steps[place], after.steps[place], varies)
        return f"step {place + 1}: {what}"
    if len(before.steps) != len(after.steps):
        return f"{len(after.steps)} steps were played instead of {len(before.steps)}"
    if (before.total, before.end) != (after.total, after.end):
        return f"the episode ended {_ending(after)}; before, it ended {_ending(before)}"
    return ""


def step_that_differs(replay: Replay, varies: Sequence[str]) -> int | None:
    """Return the index of the first step that differs or that only one episode has. Return None if all steps are
    equal."""
    before, after = replay.recorded.steps, replay.now.steps
    for place, (was, is_now) in enumerate(zip(before, after, strict=False)):
        if _step_differs(was, is_now, varies):
            return place
    return None if len(before) == len(after) else min(len(before), len(after))


def _step_differs(was: Step, is_now: Step, varies: Sequence[str]) -> str:
    shown = (is_now.observation, briefly(is_now.observation))  # an attempt has no pictures
    if comparable(was.observation, varies) not in [comparable(each, varies) for each in shown]:
        return "a different observation"
    if was.reward != is_now.reward:
        return f"reward {is_now.reward:g}; before, the reward was {was.reward:g}"
    if was.done != is_now.done:
        return "the episode ends here" if is_now.done else "the episode continues here"
    return (
        ""
        if was.error == is_now.error
        else f"error {is_now.error}; before, the error was {was.error}"
    )


def _ending(trajectory: Trajectory) -> str:
    return f"{trajectory.end} with return {trajectory.total}"
