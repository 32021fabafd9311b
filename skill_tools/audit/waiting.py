"""Wait for a driver, report its activity, and end the driver from outside if a call does not return."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from skill_tools.runtime.supervise import Process, Result

POLL = 0.25
"""Polling interval in seconds."""
TELL = 4.0
"""Interval in seconds between reports on what the audit waits for."""
LONG = 3.0
"""Seconds after which a report includes how long the wait has been."""
AFTER = 1.0
"""Seconds after which to end a process that should have ended itself."""
LATE = 75
"""Exit code of a driver that ended itself because a call did not return; see ``audit_watch``."""
SHOWN = 60
"""Characters of a reply that a line of progress shows."""
STARTING = "its code to be imported"
Say = Callable[[str], None]
Describe = Callable[[str], str]
"""Puts an episode into words, by the name that its driver uses."""


@dataclass(frozen=True)
class Doing:
    """A driver's activity.

    Attributes:
        what: A description of the activity.
        who: The name of the episode, or "".
        limit: The maximum number of seconds for the activity.
        since: The time at which the activity began.
        until: The time by which the activity must end.
    """

    what: str
    who: str
    limit: float
    since: float
    until: float


@dataclass(frozen=True)
class Waited:
    """How a driver ended: the result, the last activity, and whether the driver hung in a call."""

    outcome: Result
    doing: Doing | None
    hung: bool


def wait_for(running: Process, file: Path, seconds: float, say: Say, describe: Describe) -> Waited:
    """Wait until a driver ends or the time limit is reached. ``file`` contains the driver's activity.

    Raises every exception that the driver's listener raises.
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
    """Return a driver's activity, or None if the file has no readable activity."""
    try:
        said = json.loads(file.read_bytes().partition(b"\n")[0])
        times = (float(said[name]) for name in ("limit", "since", "until"))
        return Doing(str(said["what"])[:200], str(said["who"]), *times)
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None
