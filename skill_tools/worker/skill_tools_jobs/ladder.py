"""Play noisy oracles and blind players; runs in the child process.

A noisy oracle makes the oracle's call or, with some probability, a random call in its place. Each job has a
wall-time limit. Work that does not fit into this limit is left out, or its result is None.
"""

import json
import math
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeGuard

from skill_tools_jobs import Call, Calls, Json, Request, runs
from skill_tools_jobs.deadline import Deadline
from skill_tools_jobs.episodes import (
    Episode,
    module,
    offered,
    open_episode,
    settled,
    solve,
    splits,
)

SHORT = 30
"""Maximum length of a task's field that may be a level or a setting: a longer field is content."""
REDRAWN = 10
"""Maximum redraws of a mistake that equals the oracle's call: enough to find the other one of two calls."""

Earned = tuple[float | None, int]
"""The return of an episode, and its number of steps."""


def read_settings(request: Request, split: str) -> list[Json]:
    """For each task in a split, return the fields that hold a number or a short text."""
    tasks = splits(request)[split]
    return [
        {str(key): value for key, value in task.items() if key not in ("id", "seed") and _is(value)}
        for task in tasks
    ]


def _is(value: object) -> bool:
    known = isinstance(value, str | int | float) and len(str(value)) <= SHORT
    return known and (not isinstance(value, float) or math.isfinite(value))


def play_solutions(
    request: Request, split: str, indices: list[int], top: float, max_turns: int, wall: float
) -> list[Json]:
    """Return the oracle's episode on each task, with the information that other players of the task need.

    The fields are those of ``evidence.studied.OracleEpisode``. ``error`` and ``kind`` are the reason for a
    missing solution. ``solving`` and ``took`` are seconds. ``goes_on`` is true if the oracle can continue from
    any state, and ``offers`` is true if the world lists the calls that it accepts.
    """
    left, found = Deadline(None, wall), list[Json]()
    for index in indices:
        if not left:
            break
        error, kind, calls, asked = "", "", Calls(), time.monotonic()
        try:
            calls = solve(request, split, index)
        except Exception as raised:  # noqa: BLE001 - any exception of the author's code is a result
            kind = type(raised).__name__
            error = f"{kind}: {raised}"
        began = time.monotonic()
        played = runs.play_alone(request, max_turns, split, index, None, calls)
        world = getattr(module(request, request["domain"][0]), request["domain"][1], None)
        found.append(
            {
                "index": index,
                "top": runs.top_of(request, split, index, top),
                "error": error,
                "kind": kind,
                "calls": calls,
                "played": played,
                "solving": began - asked,
                "took": time.monotonic() - began,
                "goes_on": _next_call(request) is not None,
                "offers": callable(getattr(world, "valid_calls", None)),
            }
        )
    return found


def climb(
    request: Request,
    split: str,
    solutions: list[tuple[int, Calls]],
    rungs: list[tuple[float, int]],
    mistakes: int,
    drawn: Calls,
    max_turns: int,
    wall: float,
) -> list[Json]:
    """Play episodes of policies of several skill levels on tasks.

    Args:
        request: The settings of the process.
        split: The split of the tasks.
        solutions: The index of each task, and the oracle's calls on it.
        rungs: The probability of a random call, and the number of samples, for each skill level.
        mistakes: Number of episodes per task in which the oracle makes exactly one random call.
        drawn: Random calls, for a world that does not list valid calls.
        max_turns: Maximum calls of an episode.
        wall: Wall-time limit in seconds.
    """
    left, found = Deadline(None, wall), []
    for index, calls in solutions:
        # All levels in turn, so that each has as many samples if time runs out.
        most = max([mistakes, *(samples for _, samples in rungs)])
        for sample in range(most):
            kinds = [epsilon for epsilon, samples in rungs if sample < samples]
            for epsilon in [*kinds, *([None] if sample < mistakes else [])]:
                if left:
                    player = Climber(request, split, index, calls, drawn, epsilon, sample)
                    if (episode := player.play(max_turns, left)) is not None:
                        found.append(episode)
    return found


@dataclass
class Climber:
    """One episode of a noisy oracle. If epsilon is None, the oracle makes exactly one mistake."""

    request: Request
    split: str
    index: int
    calls: Calls
    drawn: Calls
    epsilon: float | None
    sample: int

    def __post_init__(self) -> None:
        self.chance = random.Random(f"{self.split}/{self.index}/{self.epsilon}/{self.sample}")
        self.slip = self.chance.randrange(max(1, len(self.calls)))
        self.at, self.randoms, self.lost = 0, 0, ""
        self.next_call = _next_call(self.request)

    def play(self, max_turns: int, left: Deadline) -> Json | None:
        """Play the episode to its end. Return None if time runs out first."""
        found = {"index": self.index, "epsilon": self.epsilon, "sample": self.sample}
        failure, steps, total = "", 0, None
        try:
            world = open_episode(self.request, self.split, self.index, None, max_turns)
        except RuntimeError as error:
            return {**found, "return": None, "steps": 0, "randoms": 0, "failure": str(error)}
        try:
            while not world.over:
                if not left:
                    return None
                call = self._choose(world)
                if call is None:
                    world.end()
                else:
                    world.call(call[0], dict(call[1]))
            steps, total = len(world.steps), world.total
        except RuntimeError as error:  # EpisodeFailed: the environment broke
            failure = world.failure or str(error)
        finally:
            world.close()
        found |= {"return": total, "steps": steps, "randoms": self.randoms}
        return {**found, "failure": failure, "lost": self.lost}

    def _choose(self, world: Episode) -> Call | None:
        """Return the next call, or None to stop the episode."""
        draws = (
            len(world.steps) == self.slip and not self.randoms
            if self.epsilon is None
            else self.chance.random() < self.epsilon
        )
        if not draws:
            return self._oracle(world, go_on=True)
        self.randoms += 1
        if self.epsilon is not None:
            return draw(self.request, world, self.chance, self.drawn)
        right, call = self._oracle(world, go_on=False), None
        for _ in range(REDRAWN):
            call = draw(self.request, world, self.chance, self.drawn)
            if call is None or right is None or _key(call) != _key(right):
                break
        return call

    def _oracle(self, world: Episode, *, go_on: bool) -> Call | None:
        """Return the oracle's next call, from ``next_call`` or, if this function does not exist, from its solution."""
        if self.next_call is None:
            call = self.calls[self.at] if self.at < len(self.calls) else None
            self.at += go_on
            return call
        task = module(self.request, "_shared.task_table").task_at(self.split, self.index)
        steps = [
            {
                "tool": step["tool"],
                "arguments": step["arguments"],
                "text": "\n".join(block.get("text", "[image]") for block in step["observation"]),
                "refused": step["error"] is not None,
            }
            for step in world.steps
        ]
        try:
            said = self.next_call(task, int(task.get("seed", 0)), steps)
            found: object = settled(self.request, said)
        except Exception as error:  # noqa: BLE001 - an oracle that fails stops, and that is reported
            self.lost = f"{type(error).__name__}: {error}"
            return None
        if found is None or _is_call(found):
            return found
        raise TypeError(
            f"next_call returned {found!r}, which is neither (tool, arguments) nor None"
        )


def draw(request: Request, world: Episode, chance: random.Random, drawn: Calls) -> Call | None:
    """Return a random call, from the domain's accepted calls if the domain lists them; None if no call is accepted."""
    if not hasattr(world._world, "valid_calls"):
        return chance.choice(drawn)
    calls = offered(request, world)
    return chance.choice(calls) if calls else None


def _is_call(call: object) -> TypeGuard[Call]:
    if not isinstance(call, tuple | list) or len(call) != 2:
        return False
    return isinstance(call[0], str) and isinstance(call[1], dict)


def _key(call: Call) -> str:
    return json.dumps([call[0], dict(call[1])], sort_keys=True, default=str)


def _next_call(request: Request) -> Callable[..., Any] | None:
    """Return the function ``next_call(task, seed, steps)`` in the module of the author's oracle, or None."""
    found = getattr(module(request, request["oracle"][0]), "next_call", None)
    return found if callable(found) else None


def laze(
    request: Request,
    split: str,
    trials: list[tuple[int, Calls | str]],
    drawn: Calls,
    max_turns: int,
    wall: float,
) -> list[Earned | None]:
    """For each trial, return a blind player's return and number of steps, or None if there was no time.

    Args:
        trials: Pairs of a task's index and the player's calls. ``again`` instead of calls means one random call
            that is repeated.
    """
    left, found = Deadline(None, wall), list[Earned | None]()
    for index, calls in trials:
        if not left:
            found.append(None)
        elif isinstance(calls, list):
            played = runs.play_alone(request, max_turns, split, index, None, calls)
            found.append((played["return"], len(played["steps"])))
        else:
            found.append(_repeat(request, split, index, drawn, max_turns, left))
    return found


def _repeat(
    request: Request, split: str, index: int, drawn: Calls, max_turns: int, left: Deadline
) -> Earned | None:
    """Repeat one random call until the episode ends. Return None if time runs out."""
    chance, call = random.Random(f"{split}/{index}/again"), None
    try:
        world = open_episode(request, split, index, None, max_turns)
    except RuntimeError:
        return None, 0
    try:
        while not world.over:
            if not left:
                return None
            call = call or draw(request, world, chance, drawn)
            if call is None:
                world.end()
            else:
                world.call(call[0], dict(call[1]))
        return world.total, len(world.steps)
    except RuntimeError:
        return None, len(world.steps)
    finally:
        world.close()


JOBS = {
    "read_settings": read_settings,
    "play_solutions": play_solutions,
    "climb": climb,
    "laze": laze,
}
