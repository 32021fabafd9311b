"""Trajectories: the records of a rollout, one episode per line."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from rl_env_harness.blocks import blocks_of, said

from skill_tools.errors import RolloutError
from skill_tools.evidence.images.kept_pictures import name_pictures, show_pictures
from skill_tools.files import write_whole

PACKED = ".gz"
"""Suffix of compressed files: a build repeats prompts and tools in every line."""


class Step(BaseModel):
    """One tool call and its result; ``observation`` is a list of text and image blocks."""

    model_config = ConfigDict(frozen=True)

    tool: str
    arguments: Any
    observation: list[dict[str, Any]]
    reward: float
    done: bool
    error: str | None = None

    @property
    def text(self) -> str:
        """The observation as text; an image becomes a note."""
        return "\n".join(block.get("text", "[image]") for block in self.observation)


class Failure(BaseModel):
    """Why an episode has no score."""

    kind: str
    message: str
    log: str = ""


class Trajectory(BaseModel):
    """One episode of one policy, in one variant or on the bare domain.

    Attributes:
        framework: The variant, or ``domain``.
        model: The policy.
        split, index: The task, if it is known.
        sample: The episode's number among those with the same task and seed.
        reward_range: The range of every return, if it was recorded.
        best: The task's maximum return.
        total: The return (``return`` in JSON); None if there is no score.
        metrics: The scores that env.yaml declares next to the reward; None if it declares none, or
            if they were not reported.
        requests: The requests to models inside the environment, each with role, purpose, step (the number of steps
            before it), model, messages, reply, usage, seconds and error; None if it declares no models.
        limit: Why the episode was truncated.
        messages: The conversation with a model server in chat form; a picture is a reference such
            as ``#/steps/3/observation/0``.
        turns: For each of the model's messages: finish_reason, usage, seconds, retries and, if the
            server reported them, tokens.
        sampling, server: How the model was sampled, and on which server.
    """

    model_config = ConfigDict(frozen=True, populate_by_name=True)

    environment: str | None = None
    framework: str = "domain"
    model: str
    label: str
    split: str | None = None
    index: int | None = None
    seed: int = 0
    max_turns: int | None = None
    sample: int = 0
    task_id: Any = None
    prompt: list[dict[str, Any]] = []
    tools: list[dict[str, Any]] = []
    steps: list[Step] = []
    final_reward: float = 0.0
    final_message: Any = None
    reward_range: tuple[float, float] | None = None
    best: float | None = None
    total: float | None = Field(default=None, alias="return")
    metrics: dict[str, float] | None = None
    requests: list[dict[str, Any]] | None = None
    end: Literal["terminated", "truncated", "cut_off", "stopped", "failed"]
    limit: Literal["turns", "refusals", "context_full", "time"] | None = None
    failure: Failure | None = None
    seconds: float = 0.0
    versions: dict[str, str] = {}
    messages: list[dict[str, Any]] = []
    turns: list[dict[str, Any]] = []
    sampling: dict[str, Any] = {}
    server: dict[str, Any] = {}

    @property
    def opening(self) -> str:
        """The text of the opening messages, with the calls of earlier messages and without pictures."""
        return "\n".join(map(said, self.prompt))

    def pictures(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield each picture with the number of the step that shows it; 0 is the opening."""
        first = [block for message in self.prompt for block in blocks_of(message.get("content"))]
        for number, blocks in enumerate([first, *(step.observation for step in self.steps)]):
            for block in blocks:
                if block.get("type") == "image" and block.get("data"):
                    yield number, block

    @property
    def shows_pictures(self) -> bool:
        """Whether the opening or a step shows a picture; an attempt has only notes of those of its steps."""
        return any(self.pictures()) or any("[image" in step.text for step in self.steps)

    @property
    def opened(self) -> int:
        """The number of messages before the model's first. Earlier messages of a model belong to the prompt."""
        said = [message.get("role") for message in self.messages]
        roles = [message.get("role") for message in self.prompt]
        if not said or said[: len(roles)] == roles:
            return len(roles)
        return said.index("assistant") if "assistant" in said else len(said)

    @property
    def question(self) -> str:
        """The text of the last opening message."""
        return said(self.prompt[-1]) if self.prompt else ""

    @property
    def most(self) -> float | None:
        """The task's maximum return; None if it is unknown. Older files have only the range."""
        if "best" in self.model_fields_set:
            return self.best
        return self.reward_range[1] if self.reward_range else None


class Record(BaseModel):
    """The observations and rewards of an episode on the bare domain, without its policy and task.

    The fields are those of a trajectory. ``offered`` holds the tools of the episode, if tasks offer different ones.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    prompt: list[dict[str, Any]] = []
    offered: list[dict[str, Any]] | None = None
    steps: list[Step]
    final_reward: float = 0.0
    total: float | None = Field(alias="return")
    metrics: dict[str, float] | None = None
    requests: list[dict[str, Any]] | None = None
    end: Literal["terminated", "truncated", "stopped", "failed"]
    failure: Failure | None = None

    def trajectory(self, **known: Any) -> Trajectory:
        """Return the trajectory of this episode, with additional fields."""
        own = {name: getattr(self, name) for name in Record.model_fields if name != "offered"}
        return Trajectory(**{**own, "tools": self.offered or [], **known})


class Tried(Record):
    """The record of a script whose calls were made one by one.

    ``slowest`` is the seconds of the slowest call. ``after`` says what a call after the end changed, or "".
    """

    slowest: float
    after: str = ""


class _Returns(Protocol):
    """Anything that has a return."""

    @property
    def total(self) -> float | None:
        """The return; None if the episode failed."""


def return_of(episode: _Returns) -> float:
    """Return the return of an episode that must have one. Raises ValueError if it failed."""
    if episode.total is None:
        raise ValueError(f"this episode has no return: {episode}")
    return episode.total


def mean_metrics(trajectories: Sequence[Trajectory]) -> dict[str, float]:
    """Return the mean of each metric over the episodes that report it."""
    found: dict[str, list[float]] = {}
    for each in trajectories:
        for name, value in (each.metrics or {}).items():
            found.setdefault(name, []).append(value)
    return {name: sum(values) / len(values) for name, values in found.items()}


Played = dict[str, dict[str, Trajectory]]
"""Trajectories by policy and episode label."""


@dataclass(frozen=True)
class Replay:
    """A recorded episode, and the same calls on the bare domain now."""

    recorded: Trajectory
    now: Trajectory


def read(path: Path) -> list[Trajectory]:
    """Read a file of trajectories, which may be gzipped, and the pictures that it names.

    Raises RolloutError, naming the line or file, if it is not a trajectory or not gzip.
    """
    found = []
    for number, line in enumerate(_text(path).split("\n"), 1):
        if not line:
            continue
        try:
            found.append(Trajectory.model_validate_json(line))
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            place = ".".join(map(str, first["loc"]))
            raise RolloutError(
                f"{path}, line {number} is not a trajectory: {place}{': ' if place else ''}{first['msg']}\n"
                "    fix: name a .jsonl or .jsonl.gz that a build or a rollout wrote"
            ) from error
    return found


def write(path: Path, trajectories: Iterable[Trajectory], beside: Path | None = None) -> None:
    """Write trajectories as JSON lines, gzipped if the file name says so.

    ``beside`` is the folder that contains the pictures' folder: the file's own folder or its parent.
    """
    lines = "".join(f"{each.model_dump_json(by_alias=True)}\n" for each in trajectories)
    data = name_pictures(lines, beside or path.parent).encode("utf-8", "replace")
    write_whole(path, gzip.compress(data, 6, mtime=0) if path.suffix == PACKED else data)


def _text(path: Path) -> str:
    data = path.read_bytes()
    try:
        text = (gzip.decompress(data) if path.suffix == PACKED else data).decode()
    except (EOFError, OSError, zlib.error, UnicodeError) as error:
        raise RolloutError(
            f"{path} is not a trajectory file: {error}\n"
            "    fix: name a .jsonl or .jsonl.gz that a build or a rollout wrote"
        ) from error
    return show_pictures(text, path.parent)


def by_label(trajectories: Iterable[Trajectory]) -> Played:
    """Arrange trajectories by policy and episode label."""
    arranged: Played = {}
    for trajectory in trajectories:
        arranged.setdefault(trajectory.model, {})[trajectory.label] = trajectory
    return arranged


@dataclass(frozen=True)
class Origin:
    """What one policy's episodes in one variant depend on.

    Attributes:
        at: When they were played, in UTC.
        keys: A hash of everything that the episode depends on, by label.
        taken: Whether an earlier build played them.
    """

    at: datetime
    keys: Mapping[str, str]
    taken: bool = False


Origins = Mapping[str, Mapping[str, Origin]]
"""The origins, by variant and policy."""
