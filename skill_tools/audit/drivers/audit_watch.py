"""Track a driver's current activity and its time limit, in the driver's process and in a file for the parent
process.

Code that holds the interpreter's lock stops every thread of its process. The parent therefore reads the file
and ends the driver's process from outside. Runs in the venv of a framework: standard library only.
"""

from __future__ import annotations

import contextlib
import json
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

BEYOND = 2.0
"""Extra seconds for a call that cannot be interrupted."""
LATE = 75
"""Exit code of a process that ended itself because a call did not return."""
_open: dict[object, dict[str, object]] = {}  # current activities, the innermost last
_file: int | None = None


def start(path: Path) -> None:
    """Start to watch activities, and report the current activities in a file."""
    global _file
    _file = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
    threading.Thread(target=_watch, daemon=True).start()


@contextlib.contextmanager
def watched(seconds: float, what: str, who: str = "") -> Iterator[None]:
    """End this process if the ``with`` block exceeds its time limit and cannot be interrupted.

    Args:
        seconds: The time limit for the ``with`` block.
        what: A description of the activity, for messages.
        who: The name of the episode that the activity belongs to.
    """
    key, now = object(), time.monotonic()
    # This clock is shared by all processes of a machine.
    times = {"since": now, "limit": seconds, "until": now + seconds + BEYOND}
    _open[key] = {"what": what, "who": who, **times}
    _tell()
    try:
        yield
    finally:
        del _open[key]
        _tell()


def _tell() -> None:
    if _file is None:
        return
    line = json.dumps(list(_open.values())[-1] if _open else None).encode() + b"\n"
    os.pwrite(_file, line, 0)  # readers take the first line and ignore a partial one
    os.ftruncate(_file, len(line))


def _watch() -> None:
    while True:
        time.sleep(0.5)
        for each in list(_open.values()):
            if time.monotonic() > float(str(each["until"])):
                said = f"{each['what']}: no reply in time, and the call could not be interrupted"
                print(said, flush=True)
                os._exit(LATE)
