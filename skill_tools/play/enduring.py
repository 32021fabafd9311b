"""Plays many episodes in the process of probe.py, and tells what they leave behind."""

import gc
import io
import logging
import os
import sys
import tempfile
import threading
import time
from pathlib import Path

from __main__ import beside

_trying = beside("trying")
WARM = 20
"""Episodes after which what a process keeps for good is there."""


def endure(
    request: dict,
    split: str,
    count: int,
    scripts: list,
    episodes: int,
    max_turns: int,
    seconds: float,
) -> dict:
    """Play many episodes, and tell what is left of them; then the scripts again.

    scripts: the oracle's calls on the first tasks, which the episodes play in turn.
    """
    until = time.monotonic() + seconds
    before, played = None, 0
    said = sys.stdout = io.StringIO()  # what a server on standard input and output would send
    for number in range(episodes):
        if time.monotonic() > until and before:
            break
        if number == min(WARM, episodes // 2):
            before = _left(request)
        place = number % count
        _trying.play_alone(request, max_turns, split, place, None, scripts[place])
        played += before is not None
    after = _left(request)
    sys.stdout = sys.stderr
    again = [
        _trying.play_alone(request, max_turns, split, place, None, scripts[place])
        for place in range(count)
    ]
    return {
        "episodes": played,
        "before": before,
        "after": after,
        "again": again,
        "said": said.getvalue()[:200],
    }


def _left(request: dict) -> dict:
    """What this process has: threads, open files, children, memory, files, and what modules hold."""
    gc.collect()
    status = Path("/proc/self/status").read_text("utf-8")
    children = Path(f"/proc/self/task/{os.getpid()}/children")
    return {
        "threads": threading.active_count(),
        "open files": len(list(Path("/proc/self/fd").iterdir())),
        "processes": len(children.read_text("utf-8").split()) if children.exists() else 0,
        "temporary files": sum(len(files) for _, _, files in os.walk(_own_temporary())),
        "files in the folder": sum(len(files) for _, _, files in os.walk(request["folder"])),
        "memory": next(
            int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")
        ),
        "handlers of loggers": sum(len(found.handlers) for found in _loggers()),
        "held": dict(_held(request)),
    }


def _own_temporary() -> str:
    """The folder for temporary files, if it is this process's alone."""
    return os.environ.get("TMPDIR", "") if tempfile.gettempdir() == os.environ.get("TMPDIR") else ""


def _loggers():
    known = logging.Logger.manager.loggerDict.values()
    return [logging.root, *(found for found in known if isinstance(found, logging.Logger))]


def _held(request: dict):
    """The sizes of lists, dicts and sets that modules and classes of the author's hold."""
    prefix = f"{request['package']}."
    for name, found in list(sys.modules.items()):
        short = name.removeprefix(prefix)
        if not name.startswith(prefix) or short.startswith(("_shared", "sandbox")) or not found:
            continue
        for where, value in list(vars(found).items()):
            if where.startswith("__"):
                continue
            if isinstance(value, list | dict | set):
                yield f"{short}.{where}", len(value)
            if callable(value) and hasattr(value, "cache_info"):
                yield f"{short}.{where}", value.cache_info().currsize
            if isinstance(value, type) and value.__module__ == name:
                for inner, held in list(vars(value).items()):
                    if isinstance(held, list | dict | set):
                        yield f"{short}.{where}.{inner}", len(held)
            elif callable(value) and getattr(value, "__module__", "") == name:
                for place, held in enumerate(getattr(value, "__defaults__", None) or ()):
                    if isinstance(held, list | dict | set):
                        yield f"{short}.{where}() default {place}", len(held)


JOBS = {"endure": endure}
