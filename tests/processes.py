"""The processes of this machine, as tests look at them: whose they are, and whether they are gone.

Other tests run beside, and some start hostile programs. A process can end between two reads of it,
or sit in a folder whose path is longer than Linux tells (OSError: File name too long, which psutil
passes on as it is); what cannot be read belongs to somebody else.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psutil

from evals.agents.desk import MARK


def until(condition: Callable[[], object], seconds: float = 30) -> bool:
    """Whether the condition comes to hold in time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.02)
    return False


def alive(reported: Callable[[psutil.Process], bool]) -> list[psutil.Process]:
    """Every process of the machine of which this is true; zombies have ended."""
    found = []
    for process in psutil.process_iter():
        try:
            if reported(process) and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
        except (psutil.Error, OSError):
            continue
    return found


def below(pid: int = 0) -> list[psutil.Process]:
    """Every process that this one (or another) started, however far down."""
    try:
        return psutil.Process(pid or os.getpid()).children(recursive=True)
    except psutil.NoSuchProcess:
        return []


def plays(folder: Path) -> list[psutil.Process]:
    """The processes that run the author's code of a folder: they have it as working directory."""
    return alive(lambda process: process.cwd() == str(folder))


def marked(mark: str) -> list[psutil.Process]:
    """Every process that inherited the mark in its environment."""
    return alive(lambda process: process.environ().get(MARK) == mark)


def named(mark: str) -> list[psutil.Process]:
    """Every process with the mark among its arguments."""
    return alive(lambda process: mark in process.cmdline())


def kill(processes: list[psutil.Process]) -> None:
    """End those that have not ended."""
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.kill()


def commands(processes: list[psutil.Process]) -> list[str]:
    """Their command lines, for a message; what has ended meanwhile has none."""
    found = []
    for process in processes:
        with suppress(psutil.Error, OSError):
            found.append(" ".join(process.cmdline()))
    return found
