"""The file of a model's study: scored episodes, failed episodes, and the settings that they must share."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from rl_env_harness.records.rollout_files import new_file

from skill_tools.errors import RolloutError, SkillToolsError
from skill_tools.evidence.trajectory import Trajectory

Played = tuple[int, int]
"""Identifies an episode of a study: the index of its task, and its sample number."""


@dataclass(frozen=True)
class StudySettings:
    """The settings that all episodes of a study share.

    Attributes:
        tasks: The id and seed of each task, keyed by index.
        sampling: The settings with which the model is queried; None if they are unknown.
    """

    environment: str
    framework: str
    model: str
    split: str
    max_turns: int
    tasks: Mapping[int, tuple[Any, int]]
    sampling: dict[str, Any] | None = None

    def differs(self, line: Trajectory) -> str:
        """Return the difference between an episode and these settings, as text, or "" if the episode matches."""
        for name in ("environment", "framework", "model", "split", "max_turns", "sampling"):
            wanted, there = getattr(self, name), getattr(line, name)
            if wanted != there and not (name == "sampling" and wanted is None):
                return f"{name} {there!r}, not {wanted!r}"
        wanted = self.tasks.get(line.index) if line.index is not None else None
        if wanted is not None and wanted != (line.task_id, line.seed):
            there = f"id {line.task_id!r} and seed {line.seed}"
            return f"a different task {line.split}/{line.index}: {there}, not {wanted[0]!r} and {wanted[1]}"
        return ""


@dataclass(frozen=True)
class StudyEpisodes:
    """The episodes in a study's file: scored episodes, keyed by task and sample, and all failed episodes, including
    repeats.
    """

    scored: Mapping[Played, Trajectory] = field(default_factory=dict)
    failed: tuple[Trajectory, ...] = ()

    @property
    def started(self) -> int:
        """Number of episodes that were played to an end, both scored and failed."""
        return len(self.scored) + len(self.failed)

    def rounds(self, tasks: Collection[int]) -> int:
        """Return the number of samples, scored or failed, that every given task has."""
        there = {*self.scored, *map(played, self.failed)}
        count = 0
        while tasks and all((index, count) in there for index in tasks):
            count += 1
        return count

    @property
    def all(self) -> list[Trajectory]:
        """Return the scored episodes. For each task and sample without a score, add the last failed episode."""
        last = {played(each): each for each in self.failed}
        return [
            *self.scored.values(),
            *(t for place, t in last.items() if place not in self.scored),
        ]


def played(line: Trajectory) -> Played:
    """Return the task index and sample number of an episode."""
    return (-1 if line.index is None else line.index, line.sample)


def failed_file(path: Path) -> Path:
    """Return the file to which rollout.py moves failed episodes that are retried, as in ``_shared/records/records``."""
    return path.with_name(f"{path.stem}-failed.jsonl")


def read_study(path: Path, settings: StudySettings) -> StudyEpisodes:
    """Read the episodes of a study. A truncated line and duplicates are ignored.

    Raises RolloutError for a line that is not a trajectory, and SkillToolsError if an episode was played with
    other settings.
    """
    scored: dict[Played, Trajectory] = {}
    failed: dict[str, Trajectory] = {}
    for text, line in _lines(path):
        if differs := settings.differs(line):
            raise SkillToolsError(
                f"{path} was played with {differs}\n"
                "    fix: use the same settings, or start a new study with --restart, which keeps the old file"
            )
        if line.end == "failed":
            failed[text] = line
        else:
            scored[played(line)] = line
    # If a kill interrupts the move, an episode can be in both files, word for word.
    for text, line in _lines(failed_file(path), lenient=True):
        failed[text] = line
    return StudyEpisodes(scored, tuple(failed.values()))


def _lines(path: Path, *, lenient: bool = False) -> Iterator[tuple[str, Trajectory]]:
    texts = path.read_text("utf-8", "replace").split("\n") if path.exists() else []
    for number, text in enumerate(texts, 1):
        if not text:
            continue
        try:
            yield text, Trajectory.model_validate_json(text)
        except ValidationError as error:
            if lenient or number == len(texts):
                continue  # it was being written
            raise RolloutError(f"{path}, line {number} is not a trajectory: {error}") from error


def set_aside(path: Path) -> list[Path]:
    """Rename a study's files so that their names contain the time; return the new names."""
    moved = []
    for each in (path, failed_file(path)):
        if each.exists():
            moved.append(each.replace(new_file(each.parent, each.stem)))
    return moved
