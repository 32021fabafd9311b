"""Scripted games of Wordle for small_game.py, and the clock around whoever plays them.

Runs in a framework's own venv. Everything that is no step is made before the clock starts: the
words, the messages that say them, the imports.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

PAUSE = 0.3
"""Seconds of quiet before and after the steps, in which the server's processor time is read."""

WARM_UP = 64
"""Games that are played before the clock starts."""

MAX_TURNS = 12


@dataclass(frozen=True)
class Game:
    """One task and the turns that solve it, in each form in which a model may write them."""

    split: str
    index: int
    task: dict[str, Any]
    words: list[str]
    arguments: list[dict[str, str]]
    texts: list[str]
    calls: list[list[dict[str, Any]]]
    """Per turn what a chat model's message holds in `tool_calls`."""


@dataclass
class Played:
    """What came of some games."""

    steps: int = 0
    total: float = 0.0


def accepted(refusal: Any) -> None:
    """Raise RuntimeError if a step was refused: every scripted one is legal."""
    if refusal:
        raise RuntimeError(f"a step was refused: {refusal}")


PlayAll = Callable[[Sequence[Game]], Played]


def play_domain(games: Sequence[Game]) -> Played:
    """The bare domain class: the yardstick in every process."""
    from wordle_domain.game import Wordle

    played = Played()
    for game in games:
        world = Wordle(game.task, game.task["seed"])
        world.observe()
        for word in game.words:
            world.guess(word)
            played.steps += 1
            if world.done:
                break
        played.total += world.reward
    return played


def in_process(**sides: PlayAll | type[Opened]) -> None:
    """Time each side on the games of the command line, beside the bare domain.

    A class plays as many games at once as the command line says, a turn of each after the other.
    """
    args = _arguments()
    plays: dict[str, PlayAll] = {"domain": play_domain}
    for name, side in sides.items():
        plays[name] = by_turns(side, args.sessions) if isinstance(side, type) else side
    for name, play in plays.items():
        play(args.games[:WARM_UP])
        args.found[name] = {"seconds": []}
    for _ in range(args.rounds):
        for name, play in plays.items():
            started = time.perf_counter()
            played = play(args.games)
            args.found[name]["seconds"].append(time.perf_counter() - started)
            args.found[name] |= vars(played)
    _report(args)


class Opened(Protocol):
    """One game after the other, in this process."""

    def start(self, game: Game) -> None:
        """Begin a game, up to what the model is told first."""

    def step(self, game: Game, turn: int) -> bool:
        """Play a turn; returns whether the game is over. Raises RuntimeError for a refusal."""

    def end(self) -> float:
        """Leave the game; returns what all of it paid."""


def by_turns(opened: Callable[[], Opened], at_once: int) -> PlayAll:
    """Plays so many games at once, a turn of each after the other, as a trainer plays a batch."""

    def play_all(games: Sequence[Game]) -> Played:
        left, played = iter(games), Played()
        going: list[tuple[Opened, Game, int]] = []
        free = [opened() for _ in range(at_once)]
        while True:
            for each, game in zip(free, left, strict=False):
                each.start(game)
                going.append((each, game, 0))
            free = free[: at_once - len(going)]
            if not going:
                return played
            still = []
            for each, game, turn in going:
                played.steps += 1
                if each.step(game, turn) or turn + 1 == len(game.words):
                    played.total += each.end()
                    free.append(each)
                else:
                    still.append((each, game, turn + 1))
            going = still

    return play_all


class Session(Protocol):
    """One session with a server through the framework's own client, one game after the other."""

    async def start(self, game: Game) -> None:
        """Begin a game, up to what the model is told first."""

    async def step(self, game: Game, turn: int) -> bool:
        """Play a turn; returns whether the game is over. Raises RuntimeError for a refusal."""

    async def end(self) -> float:
        """Leave the game; returns what all of it paid."""


Connect = Callable[[argparse.Namespace], AbstractAsyncContextManager[Sequence[Session]]]
"""Opens as many sessions as the command line asks for."""


def over_http(connect: Connect) -> None:
    """Time one side in several sessions at once; its server is at `--url`."""
    args = _arguments()
    play_domain(args.games[:WARM_UP])
    started = time.perf_counter()
    played = play_domain(args.games)
    args.found["domain"] = {"seconds": [time.perf_counter() - started], **vars(played)}
    asyncio.run(_play_sessions(connect, args))
    _report(args)


async def _play_sessions(connect: Connect, args: argparse.Namespace) -> None:
    async with connect(args) as sessions:
        await _share(sessions, args.games[:WARM_UP], _Times())
        await asyncio.sleep(PAUSE)
        print("opened", flush=True)
        await asyncio.sleep(PAUSE)
        times = _Times()
        started = time.perf_counter()
        played = await _share(sessions, args.games, times)
        seconds = time.perf_counter() - started
        print("ended", flush=True)
        await asyncio.sleep(PAUSE)
    args.found["variant"] = {
        "seconds": [seconds],
        "start": statistics.median(times.start),
        "step": statistics.median(times.step),
        **vars(played),
    }


class _Times:
    """How long each request of a kind took, in seconds."""

    def __init__(self) -> None:
        self.start: list[float] = []
        self.step: list[float] = []


async def _share(sessions: Sequence[Session], games: Sequence[Game], times: _Times) -> Played:
    """Let the sessions take game after game until none is left."""
    left, played = iter(games), Played()
    await asyncio.gather(*(_play(session, left, times, played) for session in sessions))
    return played


async def _play(session: Session, games: Iterator[Game], times: _Times, played: Played) -> None:
    for game in games:
        before = time.perf_counter()
        await session.start(game)
        times.start.append(time.perf_counter() - before)
        for turn in range(len(game.words)):
            before = time.perf_counter()
            over = await session.step(game, turn)
            times.step.append(time.perf_counter() - before)
            played.steps += 1
            if over:
                break
        paid = await session.end()  # not below: += would read the total before it waits
        played.total += paid


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=Path, required=True)
    parser.add_argument("--episodes", type=int, required=True)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--sessions", type=int, default=1)
    parser.add_argument("--url")
    args = parser.parse_args()
    args.found = {}
    args.games = _read(json.loads(args.games.read_text("utf-8")), args.episodes)
    return args


def _read(file: Mapping[str, Any], episodes: int) -> list[Game]:
    """So many games: those of the file, again and again."""
    from wordle_domain._shared import task_table

    games = [
        Game(
            split=file["split"],
            index=index,
            task=task_table.task_at(file["split"], index),
            words=words,
            arguments=[{"word": word} for word in words],
            texts=[f"<guess>{word}</guess>" for word in words],
            calls=[[_call(number, word)] for number, word in enumerate(words)],
        )
        for index, words in file["games"]
    ]
    return list(itertools.islice(itertools.cycle(games), episodes))


def _call(number: int, word: str) -> dict[str, Any]:
    arguments = json.dumps({"word": word})
    function = {"name": "guess", "arguments": arguments}
    return {"id": f"call_{number}", "type": "function", "function": function}


def _report(args: argparse.Namespace) -> None:
    python = ".".join(map(str, sys.version_info[:3]))
    print("played", json.dumps({"python": python, "sides": args.found}), flush=True)
