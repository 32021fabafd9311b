"""Which episode a finding shows, and what is else when it is played again."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from textwrap import indent
from typing import Any

from skill_tools.checks import Finding
from skill_tools.checks.reading.episodes import named
from skill_tools.checks.reading.probed import told
from skill_tools.checks.reading.variation import comparable
from skill_tools.checks.rules.episodes.boundaries import REFUSALS, before_step, with_and_without
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.trajectory import Step, Trajectory
from skill_tools.play.reference.replay import Replay

_TOLD = ("fail", "warn", "note")


def find_shown(evidence: Evidence, findings: Sequence[Finding]) -> dict[str, Trajectory]:
    """By check, the shortest of the episodes that its findings name."""
    said: dict[str, list[str]] = {}
    for finding in findings:
        if finding.status in _TOLD:
            said.setdefault(finding.check, []).append(finding.message)
    if not said:
        return {}
    names = list(_names(evidence))
    shown = {}
    for check, messages in said.items():
        found = [t for name, t in names if any(name in f"{message} " for message in messages)]
        if found:
            shown[check] = min(found, key=lambda trajectory: len(trajectory.steps))
    return shown


def _names(evidence: Evidence) -> Iterator[tuple[str, Trajectory]]:
    """Every episode, and each way in which messages name it."""
    for number, trajectory in enumerate(evidence.worked or []):
        yield f"examples[{number}] (", trajectory
    for trajectory in evidence.every:
        yield f"{named(trajectory)}:", trajectory
        yield f"{named(trajectory)} ", trajectory
    for several in (evidence.explored.tried if evidence.explored else {}).values():
        for each in several:
            yield f"{named(each.trajectory)}:", each.trajectory
            yield f"{each.what}, on {each.of}:", each.trajectory
            if each.trajectory.total is not None:
                yield told(each), each.trajectory
            if each.after:
                yield f"after the end of {each.of}, {each.after}", each.trajectory
            if each.kind in REFUSALS and each.beside:
                refused, without = with_and_without(each)
                yield before_step(without, int(each.what)), refused


def with_replays(
    folder: Path, findings: Sequence[Finding], shown: Mapping[str, Trajectory]
) -> list[Finding]:
    """The findings, with the command that plays what they show again."""
    return [
        replace(finding, replay=shlex.join(["skill-tools", "replay", str(folder), finding.check]))
        if finding.check in shown and finding.status in _TOLD
        else finding
        for finding in findings
    ]


def tell_replay(replay: Replay, varies: Sequence[str]) -> Iterator[str]:
    """What was shown and paid at each step, and what is else than it was."""
    now = replay.now
    yield f"{now.label}: the calls of {replay.recorded.framework}'s {now.model}, on the bare domain"
    yield from tell_episode(now)
    found = first_difference(replay, varies)
    yield f"not as it was: {found}" if found else "as it was when the finding was made"


def tell_episode(now: Trajectory, *, told: Sequence[Any] = ()) -> Iterator[str]:
    """The opening but for messages that were ``told``, what came back at each step, and the end."""
    for message in now.prompt:
        if message in told:
            continue
        yield f"{message['role']}:"
        yield indent(_said(message.get("content")), "    ")
    for number, step in enumerate(now.steps, 1):
        yield f"step {number}: {step.tool}({json.dumps(step.arguments, ensure_ascii=False)})"
        yield indent(step.text, "    ")
        error = f" ({step.error})" if step.error else ""
        yield f"    reward {step.reward:g}, done {str(step.done).lower()}{error}"
    if now.failure:
        yield f"    {now.failure.message}"
    yield f"end: {_ending(now)}"


def _said(content: Any) -> str:
    return content if isinstance(content, str) else json.dumps(content)[:2000]


def first_difference(replay: Replay, varies: Sequence[str]) -> str:
    """The first thing that is not as it was recorded, but for what ``varies``, or ""."""
    before, after = replay.recorded, replay.now
    for number, (was, is_now) in enumerate(zip(before.steps, after.steps, strict=False), 1):
        if what := _step_differs(was, is_now, varies):
            return f"step {number}: {what}"
    if len(before.steps) != len(after.steps):
        return f"{len(after.steps)} steps were played; it had {len(before.steps)}"
    if (before.total, before.end) != (after.total, after.end):
        return f"it ended {_ending(after)}; it was {_ending(before)}"
    return ""


def _step_differs(was: Step, is_now: Step, varies: Sequence[str]) -> str:
    if comparable(was.observation, varies) != comparable(is_now.observation, varies):
        return "another observation"
    if was.reward != is_now.reward:
        return f"reward {is_now.reward:g}; it was {was.reward:g}"
    if was.done != is_now.done:
        return "the episode ends here" if is_now.done else "the episode goes on here"
    return "" if was.error == is_now.error else f"error {is_now.error}; it was {was.error}"


def _ending(trajectory: Trajectory) -> str:
    return f"{trajectory.end} with return {trajectory.total}"
