"""The two sides of a comparison: an environment on its bare domain, or an original in its driver."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Protocol

from rl_env_harness.blocks import blocks_of

from skill_tools.audit.audit import CALL_SECONDS
from skill_tools.audit.driver import DriverSession
from skill_tools.audit.groups import play_groups
from skill_tools.audit.scripts import TEXT
from skill_tools.audit.sessions import reach
from skill_tools.audit.target import Target
from skill_tools.evidence.certificate import Scripted, Seen
from skill_tools.evidence.saved import hash_sources
from skill_tools.evidence.trajectory import Step
from skill_tools.policies.scripted import Call, Turn
from skill_tools.reference.process import ask, play_job
from skill_tools.runtime.progress import Progress
from skill_tools.spec.model import MESSAGE, EnvSpec

REFUSED = "refused"
"""The error of a refused action, on both sides, because the sides word their reasons differently."""


@dataclass(frozen=True)
class PlayedScript:
    """An episode in a form for comparisons. ``failure`` is the reason why the episode has no score, or ""."""

    opening: str
    steps: Sequence[Seen]
    end: str
    total: float | None
    metrics: Mapping[str, float] | None = None
    failure: str = ""


class Side(Protocol):
    """One of two compared environments."""

    @property
    def name(self) -> str:
        """Return the environment's name in reports."""
        ...

    def play(self, scripts: Sequence[Scripted]) -> list[PlayedScript]:
        """Play scripts one by one in a fresh process."""
        ...

    def tools(self) -> Mapping[str, Any]:
        """Return the schema of each tool that the environment offers, by name."""
        ...

    def facts(self) -> Mapping[str, Any]:
        """Return the facts that identify the environment: its framework, its releases, or a hash of its files."""
        ...


@dataclass(frozen=True)
class DomainSide:
    """An environment with an env.yaml, played on its bare domain."""

    spec: EnvSpec
    folder: Path

    @property
    def name(self) -> str:
        """Return the environment's folder."""
        return str(self.folder)

    def play(self, scripts: Sequence[Scripted]) -> list[PlayedScript]:
        """Play scripts one by one in a fresh process. Raises DomainError if the author's code never ends."""
        most = self.spec.episode.max_turns
        jobs = [
            play_job(
                f"playing {each.key}",
                [(each.split, each.index, each.seed, _as_turns(each))],
                most,
            )
            for each in scripts
        ]
        played = []
        for reply in ask(self.spec, self.folder, jobs):
            if reply.error:
                played.append(PlayedScript("", [], "failed", None, failure=reply.error))
                continue
            (record,) = reply.value
            failure = record.failure.message if record.failure else ""
            opening = _opening_text(record.prompt)
            seen = [_seen(step, step.error is not None) for step in record.steps]
            seen = _with_final(seen, record.final_reward)
            played.append(
                PlayedScript(opening, seen, record.end, record.total, record.metrics, failure)
            )
        return played

    def tools(self) -> Mapping[str, Any]:
        """Return the whole schema of each tool, by name."""
        rules = {each["name"]: each["parameters"] for each in self.spec.tool_rules()}
        return {name: rules[name] for name in self.spec.tools}

    def facts(self) -> Mapping[str, Any]:
        """Return the environment's name and version, and a hash of its files."""
        hashed = json.dumps(hash_sources(self.spec, self.folder), sort_keys=True)
        digest = hashlib.sha256(hashed.encode()).hexdigest()[:16]
        return {"name": self.spec.name, "version": self.spec.version, "files": digest}


def _as_turns(script: Scripted) -> tuple[Turn, ...]:
    return tuple(Turn((Call(tool, arguments),)) for tool, arguments in script.calls)


@dataclass(frozen=True)
class OriginalSide:
    """Another author's environment, played by its framework's driver."""

    driven: DriverSession
    seconds: float
    names: Mapping[str, str] = field(default_factory=dict)
    """The names of its tools in the other environment, by the tools' own names."""

    @property
    def name(self) -> str:
        """Return the environment's name or address."""
        return self.driven.target.name

    @cached_property
    def places(self) -> list[dict[str, Any]]:
        """Return the environment's tasks, as its driver names them."""
        found = self.driven.found or {}
        return list(found["places"])

    def play(self, scripts: Sequence[Scripted]) -> list[PlayedScript]:
        """Play scripts one at a time. A script that ends the process counts as failed."""
        groups = [
            {"key": each.key, "scripts": [{**self._script(each), "policy": "compare"}]}
            for each in scripts
        ]
        got, _ = play_groups(self.driven, groups, self.seconds)
        played = []
        for each in scripts:
            if each.key not in got:
                played.append(PlayedScript("", [], "failed", None, failure="no time was left"))
                continue
            trajectory = got[each.key][0].trajectory
            failure = trajectory.failure.message if trajectory.failure else ""
            seen = [_seen(step, step.error == REFUSED) for step in trajectory.steps]
            seen = _with_final(seen, trajectory.final_reward)
            metrics = got[each.key][0].seen.get("metrics")
            opening = _opening_text(trajectory.prompt)
            played.append(
                PlayedScript(opening, seen, trajectory.end, trajectory.total, metrics, failure)
            )
        return played

    def tools(self) -> Mapping[str, Any]:
        """Return the schema of each tool, by name; an empty dict if the environment reads text."""
        found = self.driven.found or {}
        if found.get("in_text"):
            return {}
        tools = {each["name"]: each.get("parameters") for each in found["tools"]}
        return {self.names.get(name, name): schema for name, schema in tools.items()}

    def facts(self) -> Mapping[str, Any]:
        """Return the name of the environment's framework, and the installed release of this framework."""
        target, venv = self.driven.target, self.driven.venv
        framework = target.framework
        named = [framework.distribution] if framework.distribution else []
        return {"framework": framework.name, "packages": dict(venv.base.versions(named))}

    def _script(self, each: Scripted) -> dict[str, Any]:
        own = {MESSAGE: TEXT, **{ours: theirs for theirs, ours in self.names.items()}}
        calls = [
            {"tool": own.get(tool, tool), "arguments": arguments} for tool, arguments in each.calls
        ]
        return {"label": each.key, **each.place, "calls": calls}


@contextmanager
def original_side(
    target: Target, count: int, seconds: float, names: Mapping[str, str], progress: Progress
) -> Iterator[OriginalSide]:
    """Start an original for a ``with`` block and yield it. Raises SkillToolsError if the start fails.

    ``names`` are the names of the original's tools in the other environment, if the names differ.
    """
    say = partial(progress, target.framework.name)
    with reach(
        target, count=count, call_seconds=CALL_SECONDS, progress=progress, say=say
    ) as driven:
        yield OriginalSide(driven, seconds, names)


def _seen(step: Step, refused: bool) -> Seen:
    """Return a step for comparison, in which a hash represents each picture."""
    texts = [
        str(block.get("text") or "")
        if block.get("type") != "image"
        else f"[picture {hashlib.sha256(str(block['data']).encode()).hexdigest()[:16]}]"
        for block in step.observation
    ]
    text = "\n".join(texts)
    return Seen(
        observation=text, reward=step.reward, done=step.done, error=REFUSED if refused else None
    )


def _with_final(steps: list[Seen], final: float) -> list[Seen]:
    """Add the reward that is given after the end to the last step, and return the steps.

    At a turn limit, one side may give this reward in the last step, while the other side reports the reward afterwards.
    """
    if not steps or not final:
        return steps
    *before, last = steps
    return [*before, last.model_copy(update={"reward": last.reward + final})]


def _opening_text(prompt: Sequence[Mapping[str, Any]]) -> str:
    """Return the texts of the opening messages, regardless of their roles."""
    parts = [block for message in prompt for block in blocks_of(message.get("content"))]
    texts = [str(each.get("text") or "") for each in parts if each.get("type") != "image"]
    return "\n".join(each.strip() for each in texts if each.strip())
