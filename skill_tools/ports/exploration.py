"""The exploration of an original in its own process, which opens all tasks and plays solutions and random calls."""

from __future__ import annotations

import importlib.util
import itertools
import random
import re
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

from skill_tools.audit.samples import harvest
from skill_tools.audit.scripts import TEXT, Call, random_call
from skill_tools.errors import SkillToolsError
from skill_tools.ports.original import FOLDER, Discovered, limit_sessions

SECONDS = 60.0
"""Seconds for random episodes, which are played in turn in all tasks without a solution."""
TRIES = 8
"""Maximum random episodes of each such task."""
MOST_SESSIONS = 33
"""Number of sessions to open at the same time, to find the original's limit."""
ROOM_SECONDS = 20.0
"""Seconds for opening these sessions."""
MOST_NUMBERS = 30
"""Maximum numbers of a prompt that a random player submits as replies."""
TURNS = 20
"""Maximum calls of a random episode."""
MOST_ANSWERS = 6
"""Maximum texts of a task's row to try as the answer."""
LONGEST_ANSWER = 200
"""Maximum characters of a field that may be an answer."""


@dataclass
class Tour:
    """The result of playing an original.

    Attributes:
        openings: The chat messages with which each place begins, in the order of the places.
        tools: The tools of all places, by name.
        offered: The names of the tools of each place.
        takes_messages: Whether an episode with tools also takes messages of the model.
        best: For each place, the known calls with the highest return, and their return.
        idle: For each place, the return of doing nothing.
        lowest, highest: The range of all returns.
        step_lowest, step_highest: The range of all rewards of a call.
        per_step: Whether calls before the last call earned a reward.
        longest: The number of calls of the longest episode.
        sessions: The number of sessions that may be open at a time; None if it is high.
        broke: The original's error on a random call that its schema allows, or "".
    """

    openings: list[list[dict[str, Any]]] = field(default_factory=list)
    tools: dict[str, dict[str, Any]] = field(default_factory=dict)
    offered: list[list[str]] = field(default_factory=list)
    takes_messages: bool = False
    best: dict[int, tuple[list[Call], float]] = field(default_factory=dict)
    idle: dict[int, float] = field(default_factory=dict)
    lowest: float = 0.0
    highest: float = 0.0
    step_lowest: float = 0.0
    step_highest: float = 0.0
    per_step: bool = False
    broke: str = ""
    sessions: int | None = None
    longest: int = 1

    def possible_returns(self, turns: int) -> tuple[float, float]:
        """Estimate the range of returns of an episode with ``turns`` calls, from the played episodes."""
        if not self.per_step:
            return min(0.0, self.lowest), max(self.highest, 1.0)
        return min(self.lowest, turns * self.step_lowest), max(
            self.highest, turns * self.step_highest
        )


def explore(folder: Path, seen: Discovered, places: Sequence[Mapping[str, Any]]) -> Tour:
    """Play an original that was kept in a folder. Raises SkillToolsError if the original or a task does not start."""
    tour = Tour()
    with _client(folder) as client:
        try:
            if not seen.target.framework.by_command:  # each session is a process of its own
                tour.sessions = _room(client, places[0])
            if tour.sessions:
                limit_sessions(folder, tour.sessions)
            for place in places:
                _open(client, place, seen, tour)
            _play(client, places, seen, tour)
        except client.OriginalFailed as error:
            raise SkillToolsError(f"{seen.target.name} cannot be played: {error}") from error
    return tour


@contextmanager
def _client(folder: Path) -> Iterator[ModuleType]:
    """Import and yield the client in a folder; the client's process ends with the ``with`` block."""
    file, name = folder / FOLDER / "client.py", "_imported_original"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise SkillToolsError(f"{file} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    try:
        yield module
    finally:
        del sys.modules[name]
        module.stop()


def _room(client: ModuleType, place: Mapping[str, Any]) -> int | None:
    """Return the number of sessions that may be open at the same time; None if no limit was reached."""
    sessions = [client.Original(place, place["seed"])]
    until = time.monotonic() + ROOM_SECONDS
    try:
        while len(sessions) < MOST_SESSIONS and time.monotonic() < until:
            sessions.append(client.Original(place, place["seed"]))
    except client.OriginalFailed:
        return len(sessions)
    finally:
        for each in sessions:
            each.close()
    return None


def _open(client: ModuleType, place: Mapping[str, Any], seen: Discovered, tour: Tour) -> None:
    episode = client.Original(place, place["seed"])
    tour.openings.append(episode.prompt)
    tools = episode.tools or seen.found["tools"]
    named = {} if seen.found.get("in_text") else {each["name"]: each for each in tools}
    tour.tools = {**named, **tour.tools}
    tour.offered.append(list(named))
    tour.takes_messages = tour.takes_messages or episode.takes_messages
    episode.close()


def _play(
    client: ModuleType, places: Sequence[Mapping[str, Any]], seen: Discovered, tour: Tour
) -> None:
    """Play the solutions; for a task without a solution, keep the best of some random episodes."""
    unsolved: list[int] = []
    for number, place in enumerate(places):
        _keep(client, number, place, [], tour)
        tour.idle[number] = tour.best[number][1]
        solution = seen.solved.get((place["split"], place["index"], place["seed"]))
        if solution is None:
            unsolved.append(number)
        else:
            _keep(client, number, place, list(solution), tour)
    samples = [*map(str, seen.found.get("samples") or []), *spoken(tour.openings[0])]
    in_text, until = bool(seen.found.get("in_text")), time.monotonic() + SECONDS
    for number in unsolved:
        if in_text or tour.takes_messages:
            for calls in _row_answers(places[number]):
                _keep(client, number, places[number], calls, tour)
    for attempt, number in itertools.product(range(TRIES), unsolved):
        if time.monotonic() > until:
            break
        tools = [tour.tools[name] for name in tour.offered[number]] or seen.found["tools"]
        rng = random.Random(f"{number}/{attempt}")
        calls = [random_call(tools, in_text, samples, rng) for _ in range(TURNS)]
        _keep(client, number, places[number], calls, tour)


def _row_answers(place: Mapping[str, Any]) -> Iterator[list[Call]]:
    """Yield an episode for each short text in a task's row. Every message of the episode is this text."""
    row = place.get("task")
    texts = (
        [value for value in row.values() if isinstance(value, str)] if isinstance(row, dict) else []
    )
    short = sorted((t for t in texts if 0 < len(t.strip()) <= LONGEST_ANSWER), key=len)
    for text in short[:MOST_ANSWERS]:
        yield [{"tool": TEXT, "arguments": {"text": text}}] * TURNS


def spoken(prompt: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return texts that a player may say after reading only the prompt: the listed actions, and the numbers."""
    text = "\n".join(str(message.get("content") or "") for message in prompt)
    numbers = re.findall(r"(?<![\w.])-?\d{1,6}(?![\w.]*\d)", text)
    return [*map(str, harvest(list(prompt))), *dict.fromkeys(numbers[:MOST_NUMBERS])]


def _keep(
    client: ModuleType, number: int, place: Mapping[str, Any], calls: Sequence[Call], tour: Tour
) -> None:
    """Play calls, and keep the calls if their return is higher than the return of the best known calls."""
    episode = client.Original(place, place["seed"])
    played: list[Call] = []
    rewards: list[float] = []
    done = False
    try:
        for call in calls:
            try:
                answer = episode.call(call["tool"], call["arguments"])
            except client.Refused:
                continue
            played.append(call)
            rewards.append(answer["reward"])
            if done := answer["done"]:
                break
        total = sum(rewards)
        if not done:
            total += episode.end()
            if tour.takes_messages:
                played.append({"tool": TEXT, "arguments": {"text": ""}})
    except client.OriginalFailed as error:
        if not calls:
            raise
        tour.broke = tour.broke or f"{call['tool']}({call['arguments']}): {str(error)[:300]}"
        return
    finally:
        episode.close()
    tour.lowest, tour.highest = min(tour.lowest, total), max(tour.highest, total)
    tour.step_lowest = min(tour.step_lowest, *rewards, 0.0)
    tour.step_highest = max(tour.step_highest, *rewards, 0.0)
    tour.per_step = tour.per_step or any(rewards[:-1])
    tour.longest = max(tour.longest, len(played))
    best = tour.best.get(number)
    # Of two episodes that earn nothing, one that ends shows more.
    if best is None or total > best[1] or (total == best[1] and done and not best[0]):
        tour.best[number] = (played, total)
