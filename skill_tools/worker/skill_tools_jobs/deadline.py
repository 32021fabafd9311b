"""Limit a job by its own work rather than by elapsed time, so that it does the same amount of work on a busy
machine."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import NotRequired, TypedDict

PATIENCE = 10
"""Multiple of the limits after which even the required work is skipped."""
MAX_SLOWDOWN = 20.0
"""Maximum factor on wall time on a busy machine."""
ALIVE_SECONDS = 1.0
"""Seconds between two signs of life of a job."""


class Limit(TypedDict):
    """The arguments of a ``Deadline``."""

    seconds: float
    wall: float
    floor: NotRequired[int]
    required: NotRequired[float]


class Deadline:
    """A condition for continuing a job: true ``floor`` times, and after that as long as time is left.

    Args:
        seconds: CPU time of this process. If None, only wall time counts, as for a user's limit.
        wall: Wall time, for a world that waits; it is extended on a busy machine.
        floor: Number of true results before the limits count.
        required: Seconds that the first ``floor`` results may take, if that is more than PATIENCE times the
            limits.
    """

    alive: Callable[[], None] = staticmethod(lambda: None)
    """Called periodically while a job continues, so that only a single hanging call is ended."""

    def __init__(
        self, seconds: float | None, wall: float, floor: int = 0, required: float = 0.0
    ) -> None:
        self._seconds, self._wall, self._floor = seconds, wall, floor
        self._required = required
        self._work, self._clock = time.process_time(), time.monotonic()
        self._told = self._clock

    def __bool__(self) -> bool:
        """Return whether time is left."""
        now = time.monotonic()
        if now - self._told > ALIVE_SECONDS:
            self._told = now
            self.alive()
        self._floor -= 1
        passed = now - self._clock
        if self._seconds is None:
            return passed < self._wall
        more, least = (PATIENCE, self._required) if self._floor >= 0 else (1, 0.0)
        if time.process_time() - self._work >= max(self._seconds * more, least):
            return False
        wall = max(self._wall * more, least)
        return passed < wall or passed < wall * slowdown()


def share_of(limit: Limit, share: float) -> Deadline:
    """Return a deadline that has this share of the limits and starts now."""
    return Deadline(limit["seconds"] * share, limit["wall"] * share)


def slowdown() -> float:
    """Return how many times slower work is than on an idle machine; 1.0 means that no other work runs.

    The value is derived from this thread's waits for a processor, and from the runnable processes per processor.
    """
    cpu, waited = _schedule()
    own = 1 + waited / cpu if cpu else 1.0
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(MAX_SLOWDOWN, max(1.0, own, os.getloadavg()[0] / (cores or 1)))


def clock() -> float:
    """Return a time that stands still while this thread waits for a processor, so that other load does not count."""
    return time.perf_counter() - _schedule()[1]


def _schedule() -> tuple[float, float]:
    """Return the seconds that this thread ran, and the seconds that it waited for a processor, or zeros if unknown."""
    try:
        ran, waited, _ = Path("/proc/thread-self/schedstat").read_text("ascii").split()
        return int(ran) / 1e9, int(waited) / 1e9
    except (OSError, ValueError):
        return 0.0, 0.0
