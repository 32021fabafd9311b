"""Trajectories: what a rollout wrote down, one episode per line."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from skill_tools.errors import RolloutError
from skill_tools.evidence.images.kept_pictures import name_pictures, show_pictures
from skill_tools.files import write_whole

PACKED = ".gz"
"""How the name of a file ends that is packed: what a build keeps repeats prompts and tools in every line."""


class Step(BaseModel):
    """One tool call and what it brought; ``observation`` is a list of text and image blocks."""

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
    """One episode, as one policy played it in one variant or on the bare domain.

    framework: the variant, or ``domain``. model: the policy. split and index say which task it was
    about, where that is known. sample: which of several episodes on the same task and seed.
    ``total`` (``return`` in JSON) is None where there is no score; reward_range is the range in which
    every return lies, where that is recorded, best the most that its task pays. limit: why it was truncated.

    Where a model server was asked: messages is the conversation in chat form, a picture in it a
    reference such as ``#/steps/3/observation/0``; turns has finish_reason, usage, seconds,
    retries and, where they were told, tokens of each of the model's messages; sampling and server say how
    and who was asked.
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
    def most(self) -> float | None:
        """The most that its task pays; None where nobody said so. Older files have the range alone."""
        if "best" in self.model_fields_set:
            return self.best
        return self.reward_range[1] if self.reward_range else None


class Record(BaseModel):
    """What an episode on the bare domain showed and paid, before it is said whose and of which task it is.

    The fields are those of a trajectory.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    prompt: list[dict[str, Any]] = []
    steps: list[Step]
    final_reward: float = 0.0
    total: float | None = Field(alias="return")
    end: Literal["terminated", "truncated", "stopped", "failed"]
    failure: Failure | None = None

    def trajectory(self, **known: Any) -> Trajectory:
        """The episode with what else is known of it, as fields of a trajectory."""
        own = {name: getattr(self, name) for name in Record.model_fields}
        return Trajectory(**{**own, **known})


class Tried(Record):
    """The record of a script whose calls were made one by one.

    slowest: seconds of the slowest call. after: what a further call changed after the end, or "".
    """

    slowest: float
    after: str = ""


class _Returns(Protocol):
    """An episode, in whatever words."""

    @property
    def total(self) -> float | None:
        """The return; None where it failed."""


def return_of(episode: _Returns) -> float:
    """The return of an episode that is known to have one; raises ValueError for one that failed."""
    if episode.total is None:
        raise ValueError(f"this episode has no return: {episode}")
    return episode.total


Played = dict[str, dict[str, Trajectory]]
"""Trajectories by policy and episode label."""


@dataclass(frozen=True)
class Replay:
    """An episode as it was recorded, and the same calls on the bare domain now."""

    recorded: Trajectory
    now: Trajectory


def read(path: Path) -> list[Trajectory]:
    """Read a file of trajectories, which may be packed by gzip, and the pictures that it names.

    Raises RolloutError naming the line that is not a trajectory, or the file that is not packed.
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
    """Write trajectories as JSON lines, packed by gzip where the name ends so.

    beside: the folder in which the pictures' folder is, the file's own or the one above.
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
            f"{path} is no file of trajectories: {error}\n"
            "    fix: name a .jsonl or .jsonl.gz that a build or a rollout wrote"
        ) from error
    return show_pictures(text, path.parent)


def by_label(trajectories: Iterable[Trajectory]) -> Played:
    """Arrange trajectories by policy and episode label."""
    arranged: Played = {}
    for trajectory in trajectories:
        arranged.setdefault(trajectory.model, {})[trajectory.label] = trajectory
    return arranged
