"""The stages on which a claim's experiments are played: our own domain, or another author's environment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from skill_tools.audit.driver import DriverSession
from skill_tools.audit.groups import play_groups
from skill_tools.audit.scripts import label_place
from skill_tools.errors import DomainError
from skill_tools.evidence.grading.graded import NOT_ITS_OWN
from skill_tools.evidence.trajectory import Failure, Trajectory
from skill_tools.policies.scripted import Call, Script, Turn
from skill_tools.reference.process import Query, ask, play_job
from skill_tools.spec.model import MESSAGE, EnvSpec
from skill_tools.spec.readers.claims import Acts

ROUND_SECONDS = 300.0
"""Seconds for the episodes of one round, which share a process."""


@dataclass(frozen=True)
class ExperimentRun:
    """One episode of an experiment.

    Attributes:
        acts: The actions of the episode.
        batch: Replies that precede this reply in a batch or, without batches, in alternating episodes.
        crowd: Actions that are scored at the same time on other threads.
        thread: Whether the episode is scored off the main thread.
    """

    acts: Acts
    batch: tuple[Acts, ...] = ()
    crowd: tuple[Acts, ...] = ()
    thread: bool = False
    seeds: int = 0
    """Difference between the episode's seed and the task's own seed."""


Seen = Trajectory | str
"""An episode, or why it cannot be played here."""
Round = Sequence[ExperimentRun]
"""Episodes that are played one after another in one process, which plays nothing else."""


class Stage(Protocol):
    """An environment in which experiments are played.

    ``top`` and ``nothing`` are the rewards of a right and of a wrong answer. ``folder`` holds the environment's files.
    """

    top: float
    nothing: float
    folder: Path

    def row(self, task: str) -> Mapping[str, Any] | None:
        """Return the fields of a task, or None if the task does not exist."""

    def play(self, rounds: Sequence[Round]) -> list[list[Seen]]:
        """Play each round in its own process; return one episode per run, in order."""


@dataclass
class DomainStage:
    """A stage that is the domain of an environment with an env.yaml, without any framework."""

    spec: EnvSpec
    folder: Path
    sizes: Mapping[str, int]
    top: float
    nothing: float
    rows: dict[str, Mapping[str, Any] | None] = field(default_factory=dict)

    def row(self, task: str) -> Mapping[str, Any] | None:
        """Return the fields of a task, or None if the task does not exist or cannot be read."""
        place = self._place(task)
        if place is None:
            return None
        if task not in self.rows:
            where = {"split": place[0], "index": place[1]}
            reply = ask(self.spec, self.folder, [Query("task", f"reading task {task}", where)])[0]
            self.rows[task] = None if reply.error else reply.value
        return self.rows[task]

    def play(self, rounds: Sequence[Round]) -> list[list[Seen]]:
        """Play each round; if a round's process dies, play each of the round's episodes alone."""
        return [self._play(each) for each in rounds]

    def _play(self, runs: Round) -> list[Seen]:
        refused = [self._cannot(run) for run in runs]
        jobs = [self._job(run) for run, why in zip(runs, refused, strict=True) if not why]
        try:
            replies = ask(self.spec, self.folder, jobs) if jobs else []
        except DomainError as error:
            if len(jobs) > 1:
                return [self._play([run])[0] for run in runs]
            failed = Failure(kind="timeout", message=str(error).splitlines()[0])
            return [
                why or self._failed(run, failed) for run, why in zip(runs, refused, strict=True)
            ]
        left = iter(replies)
        found: list[Seen] = []
        for run, why in zip(runs, refused, strict=True):
            if why:
                found.append(why)
            elif (reply := next(left)).error:
                found.append(self._failed(run, Failure(kind="EpisodeFailed", message=reply.error)))
            else:
                found.append(reply.value[-1].trajectory(**self._known(run)))
        return found

    def _cannot(self, run: ExperimentRun) -> str:
        if self._place(run.acts.task or "") is None:
            sizes = ", ".join(f"{split} ({size})" for split, size in self.sizes.items())
            return f"there is no task {run.acts.task}; the splits are: {sizes}"
        if run.thread or run.crowd:
            return "episodes of a domain are played on the main thread only"
        if run.acts.reply is not None and not run.acts.calls and not self.spec.message:
            return "this environment has no message action: write calls"
        return ""

    def _job(self, run: ExperimentRun) -> Query:
        what = f"an experiment on task {run.acts.task}"
        each = [self._episode(acts, run.seeds) for acts in (*run.batch, run.acts)]
        return play_job(what, each, self.spec.episode.max_turns)

    def _episode(self, acts: Acts, seeds: int) -> tuple[str, int, int | None, Script]:
        split, index = self._place(acts.task or "") or ("", 0)
        calls = [Call(each.tool, each.arguments) for each in acts.calls]
        if acts.reply is not None and self.spec.message:
            calls.append(Call(MESSAGE, {"text": acts.reply}))
        seed = acts.seed if not seeds else (acts.seed or 0) + seeds
        return split, index, seed, tuple(Turn((each,)) for each in calls)

    def _place(self, task: str) -> tuple[str, int] | None:
        split, _, index = task.rpartition("/")
        split = split or next(iter(self.sizes), "")
        return (split, int(index)) if int(index or -1) in range(self.sizes.get(split, 0)) else None

    def _known(self, run: ExperimentRun) -> dict[str, Any]:
        split, index = self._place(run.acts.task or "") or ("", 0)
        return {"model": "claim", "label": f"{split}/{index}", "split": split, "index": index}

    def _failed(self, run: ExperimentRun, failure: Failure) -> Trajectory:
        return Trajectory(**self._known(run), end="failed", failure=failure)


@dataclass
class ForeignStage:
    """A stage that is another author's environment or reward function, played by its framework's driver."""

    driven: DriverSession
    folder: Path
    top: float
    nothing: float

    def __post_init__(self) -> None:
        found = self.driven.found or {}
        self.places = {label_place(found, place): place for place in found["places"]}
        self.splits = list(dict.fromkeys(place["split"] for place in found["places"]))

    def row(self, task: str) -> Mapping[str, Any] | None:
        """Return the row of a task, or None if the task has no row."""
        place = self._place(task)
        row = place.get("task") if place else None
        return row if isinstance(row, dict) else None

    def play(self, rounds: Sequence[Round]) -> list[list[Seen]]:
        """Play each round; an episode that ends the process has failed, and the other episodes continue."""
        return [self._play(number, each) for number, each in enumerate(rounds)]

    def _play(self, number: int, runs: Round) -> list[Seen]:
        refused = [self._cannot(run) for run in runs]
        groups = [
            {"key": f"claims/{number}/{at}", "scripts": self._scripts(run, at)}
            for at, run in enumerate(runs)
            if not refused[at]
        ]
        got, _ = play_groups(self.driven, groups, ROUND_SECONDS)
        found: list[Seen] = []
        for at, why in enumerate(refused):
            several = got.get(f"claims/{number}/{at}")
            episode = several[-1].trajectory if several else None
            if why or episode is None:
                found.append(why or "no time was left to play the experiment")
            elif episode.failure and episode.failure.kind in NOT_ITS_OWN:
                found.append(f"it needs {episode.failure.message}")
            else:
                found.append(episode)
        return found

    def _cannot(self, run: ExperimentRun) -> str:
        found = self.driven.found or {}
        several = [run.acts, *run.batch, *run.crowd]
        for acts in several:
            if self._place(acts.task or "") is None:
                return f"there is no task {acts.task}; there are {len(self.places)}, from 0"
        if run.thread and not found.get("threads"):
            return "only a reward function is called on other threads"
        if len(several) > 1 and found.get("batches") and any(a.reply is None for a in several):
            return "a batch holds replies, not calls"
        return ""

    def _scripts(self, run: ExperimentRun, number: int) -> list[dict[str, Any]]:
        """Return the scripts of a run, with the run's own script last.

        If the environment cannot score a batch at once, each reply of ``run.batch`` is scored in a separate session
        instead, and the sessions alternate.
        """
        if run.batch and not (self.driven.found or {}).get("batches"):
            beside = [ExperimentRun(acts) for acts in run.batch]
            return [self._script(each, number) for each in (*beside, ExperimentRun(run.acts))]
        return [self._script(run, number)]

    def _script(self, run: ExperimentRun, number: int) -> dict[str, Any]:
        acts, found = run.acts, self.driven.found or {}
        place = self._place(acts.task or "") or {}
        calls = [{"tool": each.tool, "arguments": each.arguments} for each in acts.calls]
        script: dict[str, Any] = {key: place[key] for key in ("split", "index", "seed")}
        script["seed"] = (script["seed"] if acts.seed is None else acts.seed) + run.seeds
        script |= {"label": label_place(found, place), "policy": f"claim/{number}"}
        if acts.reply is not None and found.get("in_text"):
            calls.append({"tool": found["tools"][0]["name"], "arguments": {"text": acts.reply}})
        elif acts.reply is not None:
            script["message"] = acts.reply
        script["calls"] = calls
        if run.batch:
            script |= {"beside": self._pairs(run.batch), "leads": False}
        if run.thread:
            script |= {"thread": True, "crowd": self._pairs(run.crowd)}
        return script

    def _pairs(self, several: Sequence[Acts]) -> list[list[Any]]:
        return [[(self._place(each.task or "") or {})["index"], each.reply] for each in several]

    def _place(self, task: str) -> dict[str, Any] | None:
        split, _, index = task.rpartition("/")
        named = [p for p in self.places.values() if not split or str(p["split"]) == split]
        number = int(index or -1)
        indexed = (p for p in named if p["index"] == number)
        # Places without an index are seeds, which are numbered in the order of discovery.
        other = named[number] if 0 <= number < len(named) and named[0]["index"] is None else None
        return next(indexed, other)
