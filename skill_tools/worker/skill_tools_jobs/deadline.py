"""How long a job continues: by its own work, so that a busy machine sees as much as an idle one."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import NotRequired, TypedDict

PATIENCE = 10
"""Times the limits after which what is to be played in any case is left out, too."""
MAX_SLOWDOWN = 20.0
"""Times as long on the clock that anything may take on a busy machine."""
ALIVE_SECONDS = 1.0
"""Seconds between two signs that a job continues."""


class Limit(TypedDict):
    """What a ``Deadline`` is made of."""

    seconds: float
    wall: float
    floor: NotRequired[int]


class Deadline:
    """Says whether a job may continue; true as often as ``floor`` says, and then while there is time.

    seconds: CPU time of this process. wall: time on the clock, for a world that waits; on a busy machine
    as many times longer as everything is. floor: how often it is asked before the limits count. Without
    ``seconds`` the clock alone counts, as where a user says how long something may take.
    """

    alive: Callable[[], None] = staticmethod(lambda: None)
    """Called now and then while a job continues, so that only a single call that hangs is ended."""

    def __init__(self, seconds: float | None, wall: float, floor: int = 0) -> None:
        self._seconds, self._wall, self._floor = seconds, wall, floor
        self._work, self._clock = time.process_time(), time.monotonic()
        self._told = self._clock

    def __bool__(self) -> bool:
        """Whether there is time left."""
        now = time.monotonic()
        if now - self._told > ALIVE_SECONDS:
            self._told = now
            self.alive()
        self._floor -= 1
        more, passed = PATIENCE if self._floor >= 0 else 1, now - self._clock
        if self._seconds is None:
            return passed < self._wall
        if time.process_time() - self._work >= self._seconds * more:
            return False
        return passed < self._wall * more or passed < self._wall * more * slowdown()


def share_of(limit: Limit, share: float) -> Deadline:
    """A deadline with a share of some limits, from now on."""
    return Deadline(limit["seconds"] * share, limit["wall"] * share)


def slowdown() -> float:
    """Times as long as on an idle machine that work takes now; 1.0 where nothing else runs.

    Of this thread's own waits for a processor, and of how many processes want one for each there is.
    """
    cpu, waited = _schedule()
    own = 1 + waited / cpu if cpu else 1.0
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(MAX_SLOWDOWN, max(1.0, own, os.getloadavg()[0] / (cores or 1)))


def clock() -> float:
    """The time, without what this thread waited for a processor: a busy machine makes nothing slow."""
    return time.perf_counter() - _schedule()[1]


def _schedule() -> tuple[float, float]:
    """Seconds that this thread ran, and that it waited for a processor; zeros where nobody counts."""
    try:
        ran, waited, _ = Path("/proc/thread-self/schedstat").read_text("ascii").split()
        return int(ran) / 1e9, int(waited) / 1e9
    except (OSError, ValueError):
        return 0.0, 0.0
