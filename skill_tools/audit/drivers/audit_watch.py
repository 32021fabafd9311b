"""What a driver is at, and how long that may take: within its process, and in a file for whoever started it.

Code that holds the interpreter's lock stops every thread of its process, so the one who started it
reads that file and ends it from outside. Run in the venv of a framework: the standard library alone.
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
"""Seconds for which a call that cannot be interrupted may last longer."""
LATE = 75
"""The exit code of a process that ended itself because a call did not return."""
_open: dict[object, dict[str, object]] = {}  # what goes on, the innermost last
_file: int | None = None


def start(path: Path) -> None:
    """Watch from now on, and tell in a file what continues."""
    global _file
    _file = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
    threading.Thread(target=_watch, daemon=True).start()


@contextlib.contextmanager
def watched(seconds: float, what: str, who: str = "") -> Iterator[None]:
    """End this process if the block lasts for longer, and cannot be interrupted. who: the episode that it is of."""
    key, now = object(), time.monotonic()
    # The clock of all processes of a machine.
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
    os.pwrite(_file, line, 0)  # a reader takes the first line, and what is half a line for none
    os.ftruncate(_file, len(line))


def _watch() -> None:
    while True:
        time.sleep(0.5)
        for each in list(_open.values()):
            if time.monotonic() > float(str(each["until"])):
                said = f"{each['what']}: no answer in time, and it could not be interrupted"
                print(said, flush=True)
                os._exit(LATE)
