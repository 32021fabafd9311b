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
        """Return the observation as text, with a note in place of each image."""
        return "\n".join(block.get("text", "[image]") for block in self.observation)


class Failure(BaseModel):
    """The reason why an episode has no score."""

    kind: str
    message: str
    log: str = ""


class Trajectory(BaseModel):
    """One episode of one policy, in one variant or on the bare domain.

    Attributes:
        framework: The framework of the variant, or ``domain``.
        model: The name of the policy or model that played.
        split, index: The task, if it is known.
        sample: The episode's number among the episodes with the same task and seed.
        reward_range: The range of every return, if it was recorded.
        best: The task's maximum return.
        total: The return (``return`` in JSON); None if the episode has no score.
        metrics: The scores that env.yaml declares in addition to the reward; None if env.yaml declares none, or
            if they were not reported.
        requests: The requests to models inside the environment, each with role, purpose, step (the number of
            previous steps), model, messages, reply, usage, seconds and error; None if env.yaml declares no
            models.
        limit: The reason why the episode was truncated.
        messages: The conversation with a model server in chat form; a picture is a reference such as
            ``#/steps/3/observation/0``.
        turns: For each of the model's messages: finish_reason, usage, seconds, retries and, if the server
            reported them, tokens.
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
        """Return the text of the opening messages, including the calls in earlier messages, without pictures."""
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
        """Return whether the opening or a step shows a picture.

        In an attempt, a note replaces each picture of a step.
        """
        return any(self.pictures()) or any("[image" in step.text for step in self.steps)

    @property
    def opened(self) -> int:
        """Return the number of opening messages, which come before the model's first own message.

        The prompt may contain earlier messages of a model.
        """
        said = [message.get("role") for message in self.messages]
        roles = [message.get("role") for message in self.prompt]
        if not said or said[: len(roles)] == roles:
            return len(roles)
        return said.index("assistant") if "assistant" in said else len(said)

    @property
    def question(self) -> str:
        """Return the text of the last opening message."""
        return said(self.prompt[-1]) if self.prompt else ""

    @property
    def most(self) -> float | None:
        """Return the task's maximum return, or in older files the maximum of the range; None if it is unknown."""
        if "best" in self.model_fields_set:
            return self.best
        return self.reward_range[1] if self.reward_range else None


class Record(BaseModel):
    """The observations and rewards of an episode on the bare domain, without its policy and task.

    The fields are those of a trajectory. ``offered`` holds the episode's tools, if tasks have different tools.
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
    """The record of a script whose calls were made individually.

    ``slowest`` is the duration of the slowest call in seconds. ``after`` says what a call after the end changed,
    or is "".
    """

    slowest: float
    after: str = ""


class _Returns(Protocol):
    """An object that has a return, such as a trajectory."""

    @property
    def total(self) -> float | None:
        """Return the episode's return; None if the episode failed."""


def return_of(episode: _Returns) -> float:
    """Return the return of an episode. Raises ValueError if the episode failed and therefore has no return."""
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
    """A recorded episode, and an episode with the same calls on the current bare domain."""

    recorded: Trajectory
    now: Trajectory


def read(path: Path) -> list[Trajectory]:
    """Read a file of trajectories, which may be gzipped, and the pictures that the file names.

    Raises RolloutError if a line is not a trajectory or the file is not gzip; the message names the line or file.
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
                "    fix: name a .jsonl or .jsonl.gz file written by a build or a rollout"
            ) from error
    return found


def write(path: Path, trajectories: Iterable[Trajectory], beside: Path | None = None) -> None:
    """Write trajectories as JSON lines, gzipped if the file name ends in ``.gz``.

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
            "    fix: name a .jsonl or .jsonl.gz file written by a build or a rollout"
        ) from error
    return show_pictures(text, path.parent)


def by_label(trajectories: Iterable[Trajectory]) -> Played:
    """Return trajectories by policy and episode label."""
    arranged: Played = {}
    for trajectory in trajectories:
        arranged.setdefault(trajectory.model, {})[trajectory.label] = trajectory
    return arranged


@dataclass(frozen=True)
class Origin:
    """The origin of one policy's episodes in one variant.

    Attributes:
        at: The time when the episodes were played, in UTC.
        keys: A hash of everything that an episode depends on, by label.
        taken: Whether an earlier build played the episodes.
    """

    at: datetime
    keys: Mapping[str, str]
    taken: bool = False


Origins = Mapping[str, Mapping[str, Origin]]
"""The origins, by variant and policy."""
