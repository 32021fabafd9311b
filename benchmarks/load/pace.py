"""Many sessions of connect four at once, either as fast as they go or at one step per period.

Runs in a framework's own venv, beside the server, with the framework's own client.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import statistics
import time
from collections.abc import Callable
from typing import Protocol

TOGETHER = 64
"""Sessions that are opened at once."""

PAUSE = 0.3
"""Seconds of quiet before and after the steps, in which the server's processor time is read."""

REASON = 70
"""Characters of an error that are told."""


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

    def __init__(
        self, make: Callable[[str], Session], number: int, args: argparse.Namespace
    ) -> None:
        self.make, self.number, self.args = make, number, args
        self.session = make(args.url)
        self.move = self.games = 0
        self.seconds: list[float] = []
        self.late = 0
        self.lost: list[str] = []
        self.back: list[float] = []

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
            try:
                await self.step()
            except Exception as error:
                if not self.args.survive:
                    raise
                self.lost.append(f"{type(error).__name__}: {error}")
                await self.come_back()
                continue
            self.late += bool(period) and time.perf_counter() > slot + 1.0

    async def come_back(self) -> None:
        """Open another session for the one that was lost, and play a step of it."""
        started = time.perf_counter()
        with contextlib.suppress(Exception):
            await self.session.close()
        self.session = self.make(self.args.url)
        await self.session.open()
        await self.begin()
        await self.session.step(self.args.columns[0])
        self.move = 1
        self.back.append(time.perf_counter() - started)


async def _in_groups(works: list[Callable]) -> None:
    for first in range(0, len(works), TOGETHER):
        await asyncio.gather(*(work() for work in works[first : first + TOGETHER]))


async def _play(make: Callable[[str], Session], args: argparse.Namespace) -> None:
    players = [Player(make, number, args) for number in range(args.sessions)]
    await _in_groups([player.session.open for player in players])
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
        "lost": sum(len(player.lost) for player in players),
        "why": sorted({why[:REASON] for player in players for why in player.lost})[:3],
        "back": sorted(round(s, 3) for player in players for s in player.back),
        "p50": statistics.median(seconds),
        "p95": seconds[int(0.95 * (len(seconds) - 1))],
        "p99": seconds[int(0.99 * (len(seconds) - 1))],
    }
    print("played", json.dumps(found), flush=True)
    await asyncio.sleep(PAUSE)
    await _in_groups([player.session.close for player in players])


def main(make: Callable[[str], Session]) -> None:
    """Play what the command line asks for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--url", required=True)
    parser.add_argument("--sessions", type=int, required=True)
    parser.add_argument("--steps", type=int, required=True)
    parser.add_argument("--period", type=float, required=True)
    what = "open another session where one is lost, instead of failing"
    parser.add_argument("--survive", action="store_true", help=what)
    parser.add_argument("--tasks", type=int, required=True)
    parser.add_argument("--columns", type=lambda text: [int(c) for c in text.split(",")])
    asyncio.run(_play(make, parser.parse_args()))
