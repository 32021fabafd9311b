"""Many sessions of connect four at once, either as fast as they go or at one step per period.

Runs in a framework's own venv, beside the server, with the framework's own client.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import time
from collections.abc import Callable
from typing import Protocol

TOGETHER = 64
"""Sessions that are opened at once."""

PAUSE = 0.3
"""Seconds of quiet before and after the steps, in which the server's processor time is read."""


class Session(Protocol):
    """One session with the server, through the framework's own client."""

    async def open(self) -> None:
        """Connect."""

    async def start(self, task: int) -> None:
        """Begin a game; the one before is over."""

    async def step(self, column: int) -> bool:
        """Make a move; returns whether the game is over. Raises for any refusal."""

    async def close(self) -> None:
        """Disconnect."""


class Player:
    """Plays game after game in one session."""

    def __init__(self, session: Session, number: int, args: argparse.Namespace) -> None:
        self.session, self.number, self.args = session, number, args
        self.move = self.games = 0
        self.seconds: list[float] = []
        self.late = 0

    async def begin(self) -> None:
        """Start the next game."""
        await self.session.start((self.number + self.games) % self.args.tasks)
        self.games, self.move = self.games + 1, 0

    async def step(self) -> None:
        """Make the next move, and start a new game after the last."""
        started = time.perf_counter()
        done = await self.session.step(self.args.columns[self.move])
        self.seconds.append(time.perf_counter() - started)
        self.move += 1
        if done:
            await self.begin()

    async def play(self, first: float) -> None:
        """Make all moves, each in its slot; a step is late when it ends 1 s after its slot."""
        period = self.args.period
        for number in range(self.args.steps):
            slot = first + (number + self.number / self.args.sessions) * period
            await asyncio.sleep(max(0.0, slot - time.perf_counter()))
            await self.step()
            self.late += bool(period) and time.perf_counter() > slot + 1.0


async def _in_groups(works: list[Callable]) -> None:
    for first in range(0, len(works), TOGETHER):
        await asyncio.gather(*(work() for work in works[first : first + TOGETHER]))


async def _play(make: Callable[[str], Session], args: argparse.Namespace) -> None:
    sessions = [make(args.url) for _ in range(args.sessions)]
    players = [Player(session, number, args) for number, session in enumerate(sessions)]
    await _in_groups([session.open for session in sessions])
    await _in_groups([player.begin for player in players])
    print("opened", flush=True)
    await asyncio.sleep(PAUSE)
    started = time.perf_counter()
    await asyncio.gather(*(player.play(started) for player in players))
    elapsed = time.perf_counter() - started
    await asyncio.sleep(PAUSE)
    seconds = sorted(second for player in players for second in player.seconds)
    found = {
        "steps": len(seconds),
        "games": sum(player.games for player in players),
        "late": sum(player.late for player in players),
        "elapsed": elapsed,
        "p50": statistics.median(seconds),
        "p99": seconds[int(0.99 * (len(seconds) - 1))],
    }
    print("played", json.dumps(found), flush=True)
    await asyncio.sleep(PAUSE)
    await _in_groups([session.close for session in sessions])


def main(make: Callable[[str], Session]) -> None:
    """Play what the command line asks for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--url", required=True)
    parser.add_argument("--sessions", type=int, required=True)
    parser.add_argument("--steps", type=int, required=True)
    parser.add_argument("--period", type=float, required=True)
    parser.add_argument("--tasks", type=int, required=True)
    parser.add_argument("--columns", type=lambda text: [int(c) for c in text.split(",")])
    asyncio.run(_play(make, parser.parse_args()))
