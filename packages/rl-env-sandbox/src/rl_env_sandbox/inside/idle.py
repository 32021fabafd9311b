"""Whether a session's programs are idle, according to Linux's thread states."""

import contextlib
import os
from collections.abc import Iterator


def work_done() -> float | None:
    """Return the CPU seconds of the session's programs.

    Return None if a program is running, or waits for a CPU or a disk.
    """
    nanoseconds = 0
    for folder in _threads():
        with contextlib.suppress(OSError):
            with open(f"{folder}/stat", "rb") as file:
                if file.read().rpartition(b") ")[2].startswith((b"R", b"D")):
                    return None
            with open(f"{folder}/schedstat", "rb") as file:
                nanoseconds += int(file.read().split()[0])
    return nanoseconds / 1e9


def _threads() -> Iterator[str]:
    ours = {str(os.getpid()), str(os.getppid())}
    for process in filter(str.isdecimal, os.listdir("/proc")):
        if process not in ours:
            with contextlib.suppress(OSError):
                for thread in os.listdir(f"/proc/{process}/task"):
                    yield f"/proc/{process}/task/{thread}"
