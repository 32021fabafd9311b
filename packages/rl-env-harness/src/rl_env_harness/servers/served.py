"""Episodes on a server, which counts and times each episode, and closes abandoned episodes."""

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
"""The episodes whose world is not closed yet."""
PLAYING: weakref.WeakSet[ServedEpisode] = weakref.WeakSet()
"""The live episodes that are not over."""
LOG = logging.getLogger("rl_env.episodes")
"""A line of JSON when an episode opens, and one when it ends; off unless `log_to_stderr` is called."""
LOOKS = 20
"""Number of checks for expired episodes within the shortest limit."""


class ServedEpisode(Episode):
    """An episode that a server plays for a client. The episode is counted, and the client may abandon it."""

    counters: Any = None
    """A `metrics.Metrics` for all episodes of the process, or None."""
    count = 0
    """Number of episodes opened in this process so far."""

    def __init__(self, task: dict[str, Any], seed: int | None = None, max_turns: int | None = None):
        """Set up the world. Raise EpisodeFailed if the domain fails."""
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
        """Play one tool call, as `Episode.call` does."""
        with self._playing:
            began = time.perf_counter()
            try:
                step = super().call(tool, arguments, note)
            except EpisodeFailed as error:
                self._end("failed", str(error))
                raise
            finally:
                self.used = time.monotonic()
            if self.counters:
                self.counters.step(step, time.perf_counter() - began)
            if self.over:
                self._end("truncated" if self.truncated else "terminated")
            return step

    def end(self) -> float:
        """End the episode because the agent stopped, as `Episode.end` does."""
        with self._playing:
            try:
                paid = super().end()
            except EpisodeFailed as error:
                self._end("failed", str(error))
                raise
            self._end("stopped")
            return paid

    def close(self) -> None:
        """Free the world's resources; safe to call twice."""
        LIVE.discard(self)
        try:
            super().close()
        finally:
            if self.failure is None:  # `__init__` reports a world that was never set up
                self._end("left")

    def expire(self, why: str) -> None:
        """Close the episode for good, unless a call is running.

        Later calls get the reason, and the episode has no score.
        """
        if self._playing.acquire(blocking=False):
            try:
                if not self.over:
                    self.failure = why
                    self._end("expired", why)
                self.close()
            finally:
                self._playing.release()

    def _end(self, how: str, why: str = "") -> None:
        """Report once how the episode ended: terminated, truncated, stopped, left, expired or failed."""
        if self.ended is None:
            self.ended = how
            PLAYING.discard(self)
            if self.counters:
                self.counters.ended(how)
            LOG.info("ended", extra={"episode": self, "why": why})


async def expire_left(idle: float, lifetime: float) -> None:
    """Close every episode that was idle for `idle` seconds or has been open for `lifetime` seconds. Never return."""
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
            if env_spec.BLOCKING:  # closing may take as long as a call
                await asyncio.to_thread(episode.expire, why)
            else:
                episode.expire(why)


def log_to_stderr() -> None:
    """Write the log lines of LOG to standard error, as JSON."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Lines())
    LOG.addHandler(handler)
    LOG.setLevel(logging.INFO)
    LOG.propagate = False


class _Lines(logging.Formatter):
    """A formatter that writes each event as a JSON line, without any text from a model or task.

    Each line has the time, the event, the episode and, at the episode's end, the result.
    """

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
