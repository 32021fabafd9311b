"""Episodes as a server holds them: counted and timed, and closed when nobody plays them any more."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
import threading
import time
import uuid
import weakref
from typing import Any

from .. import env_spec
from ..episode import Episode, EpisodeFailed, Step

LIVE: weakref.WeakSet[ServedEpisode] = weakref.WeakSet()
"""Episodes whose world is not closed yet."""
PLAYING: weakref.WeakSet[ServedEpisode] = weakref.WeakSet()
"""Those of them that are not over."""
LOG = logging.getLogger("rl_env.episodes")
"""A line of JSON when an episode opens, and one when it ends; off unless `log_to_stderr` is called."""
LOOKS = 20
"""Times within the shortest limit that it is looked for episodes that are past it."""


class ServedEpisode(Episode):
    """An episode that a server opened for somebody else: it may be left, and is counted."""

    metrics: Any = None
    """A `metrics.Metrics` that is told of all episodes of the process, or None."""
    count = 0
    """How many were opened in this process so far."""

    def __init__(self, task: dict[str, Any], seed: int | None = None, max_turns: int | None = None):
        """Set up the world. Raises EpisodeFailed if the domain does."""
        self.label = uuid.uuid4().hex
        self.opened = self.used = time.monotonic()
        self.ended: str | None = None
        self._playing = threading.RLock()
        try:
            super().__init__(task, seed, max_turns)
        except EpisodeFailed as error:
            self._end("failed", str(error))
            raise
        ServedEpisode.count += 1
        LIVE.add(self)
        PLAYING.add(self)
        LOG.info("opened", extra={"episode": self})

    def call(self, tool: str, arguments: Any, note: str = "") -> Step:
        """Play one tool call; see Episode."""
        with self._playing:
            began = time.perf_counter()
            try:
                step = super().call(tool, arguments, note)
            except EpisodeFailed as error:
                self._end("failed", str(error))
                raise
            finally:
                self.used = time.monotonic()
            if self.metrics:
                self.metrics.step(step, time.perf_counter() - began)
            if self.over:
                self._end("truncated" if self.truncated else "terminated")
            return step

    def end(self) -> float:
        """End the episode because the agent stopped; see Episode."""
        with self._playing:
            try:
                paid = super().end()
            except EpisodeFailed as error:
                self._end("failed", str(error))
                raise
            self._end("stopped")
            return paid

    def close(self) -> None:
        """Free what the world holds; safe to call twice."""
        LIVE.discard(self)
        try:
            super().close()
        finally:
            if self.failure is None:  # of a world that was never set up, `__init__` tells
                self._end("left")

    def expire(self, why: str) -> None:
        """Close it for good, unless it is amid a call: who plays on is told why, and has no score."""
        if self._playing.acquire(blocking=False):
            try:
                if not self.over:
                    self.failure = why
                    self._end("expired", why)
                self.close()
            finally:
                self._playing.release()

    def _end(self, how: str, why: str = "") -> None:
        """Tell once how it ended: terminated, truncated, stopped, left, expired or failed."""
        if self.ended is None:
            self.ended = how
            PLAYING.discard(self)
            if self.metrics:
                self.metrics.ended(how)
            LOG.info("ended", extra={"episode": self, "why": why})


async def expire_left(idle: float, lifetime: float) -> None:
    """Close episodes that nobody stepped for `idle` seconds, or that are `lifetime` old; never returns."""
    while True:
        await asyncio.sleep(min(idle, lifetime) / LOOKS)
        now = time.monotonic()
        for episode in list(LIVE):
            if now - episode.used > idle:
                why = f"the session was idle for more than {idle:g} s, so its world was closed"
            elif now - episode.opened > lifetime:
                why = f"the session was open for more than {lifetime:g} s, so its world was closed"
            else:
                continue
            if env_spec.BLOCKING:  # to close it may take as long as a call
                await asyncio.to_thread(episode.expire, why)
            else:
                episode.expire(why)


def log_to_stderr() -> None:
    """Write the lines of LOG."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Lines())
    LOG.addHandler(handler)
    LOG.setLevel(logging.INFO)
    LOG.propagate = False


class _Lines(logging.Formatter):
    """A line of JSON: when, what, which episode, and at its end how it went. No text of a model or task."""

    def format(self, record: logging.LogRecord) -> str:
        episode: ServedEpisode = record.__dict__["episode"]
        told: dict[str, Any] = {"time": round(record.created, 3), "event": record.getMessage()}
        told |= {"environment": env_spec.NAME, "episode": episode.label}
        if record.getMessage() == "ended":
            seconds = round(time.monotonic() - episode.opened, 3)
            counts = {"turns": episode.turns, "return": episode.total, "seconds": seconds}
            told |= {"how": episode.ended, **counts}
            if why := record.__dict__["why"]:
                told["why"] = why
        return json.dumps(told)
