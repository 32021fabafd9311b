"""Waiting for a driver: what it is at is told, and a call that does not return ends it from outside."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from skill_tools.runtime.supervise import Process, Result

POLL = 0.25
"""Seconds between two looks."""
TELL = 4.0
"""Seconds after which it is told what is waited for, and again."""
LONG = 3.0
"""Seconds for which something has gone on before it is told for how long."""
AFTER = 1.0
"""Seconds after which a process is ended that should have ended itself."""
LATE = 75
"""The exit code of a driver that ended itself because a call did not return; see ``audit_watch``."""
SHOWN = 60
"""Characters of a reply that a line of progress shows."""
STARTING = "its code to be imported"
Say = Callable[[str], None]
Describe = Callable[[str], str]
"""What an episode is, in words, by the name that its driver has for it."""


@dataclass(frozen=True)
class Doing:
    """What a driver is at. who: the episode, or "". limit: the seconds that it may take; since and until:
    by the clock."""

    what: str
    who: str
    limit: float
    since: float
    until: float


@dataclass(frozen=True)
class Waited:
    """How a driver ended, what it was at then, and whether that was because a call did not return."""

    outcome: Result
    doing: Doing | None
    hung: bool


def wait_for(running: Process, file: Path, seconds: float, say: Say, describe: Describe) -> Waited:
    """Wait for a driver's end, for so many seconds; ``file`` says what it is at.

    Raises what its listener raised.
    """
    began = told = time.monotonic()
    doing: Doing | None = None
    while not running.ends_within(POLL):
        now, doing = time.monotonic(), _read(file)
        if now > began + seconds:
            return Waited(running.wait(0), doing, False)
        if doing and now > doing.until + AFTER:
            return Waited(running.terminate(), doing, True)
        if now > told + TELL:
            told = now
            say(_told(doing, now - (doing.since if doing else began), describe))
    outcome, doing = running.wait(0), _read(file)
    return Waited(outcome, doing, outcome.returncode == LATE and doing is not None)


def _told(doing: Doing | None, seconds: float, describe: Describe) -> str:
    if doing is None:
        return f"waiting for {STARTING}: {seconds:.0f} s so far"
    what = (describe(doing.who) if doing.who else "") or doing.what
    if seconds < LONG:
        return f"at {what}"
    return f"waiting for {what}: {seconds:.0f} s so far (limit {doing.limit:g} s)"


def _read(file: Path) -> Doing | None:
    """What a driver is at; None where it says nothing, or nothing that can be read."""
    try:
        said = json.loads(file.read_bytes().partition(b"\n")[0])
        times = (float(said[name]) for name in ("limit", "since", "until"))
        return Doing(str(said["what"])[:200], str(said["who"]), *times)
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None
