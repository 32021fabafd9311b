"""How busy the machine is: what is limited by the clock has as many times longer."""

from __future__ import annotations

import os

MAX_SLOWDOWN = 20.0
"""Times as long at most: beyond that a limit is none."""


def slowdown() -> float:
    """Times as long as on an idle machine that work takes now: processes that want to run, per core."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 1.0
    return min(MAX_SLOWDOWN, max(1.0, load / (cores or 1)))
