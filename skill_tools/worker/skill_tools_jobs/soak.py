"""Play many episodes in the child process, and report the resources that they leave behind."""

import contextlib
import decimal
import gc
import io
import locale
import logging
import os
import random
import signal
import socket
import sys
import tempfile
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from skill_tools_jobs import Calls, Json, Request, runs
from skill_tools_jobs.deadline import Deadline, Limit, share_of
from skill_tools_jobs.episodes import module, open_episode

WARM = 20
"""Number of episodes after which a process has loaded everything that it keeps, such as caches and late imports."""
LEAST_WARM = 4
"""Minimum number of these first episodes if they are slow: two scripts, each played completely and once cut off."""

Script = tuple[int, Calls]
"""The place of a task, and calls."""
Form = tuple[str, str]
"""A value's form and its content."""


def endure(
    request: Request, split: str, scripts: list[Script], episodes: int, max_turns: int, limit: Limit
) -> Json:
    """Play many episodes and report the resources that they leave behind. Afterwards, repeat the scripts.

    ``scripts`` are the oracle's calls on the first tasks, with the tasks' indices. The episodes play these
    scripts in turn.
    """
    left = Deadline(**limit)
    warming = share_of(limit, 1 / 3)
    before, played = None, 0
    files, changed = _files(request), _changed_process(request, split, scripts, max_turns)
    unclosed, set_to = _unclosed(request, split, scripts[0], max_turns), _set(request)
    said = sys.stdout = io.StringIO()  # a server on standard input and output would send this
    for number in range(episodes):
        if before and not left:
            break
        warm = number >= min(WARM, episodes // 2) or (number >= LEAST_WARM and not warming)
        if before is None and warm:
            before = _left(request)
        place, calls = scripts[number // 2 % len(scripts)]
        calls = calls[: len(calls) // 2] if number % 2 else calls  # some are cut off
        runs.play_alone(request, max_turns, split, place, None, calls)
        played += before is not None
    after = _left(request)
    sys.stdout = sys.stderr
    again = [
        runs.play_alone(request, max_turns, split, place, None, calls) for place, calls in scripts
    ]
    return {
        "episodes": played,
        "before": before,
        "after": after,
        "again": again,
        "said": said.getvalue()[:200],
        "changed": changed,
        "unclosed": unclosed,
        "reassigned": [
            name for name, value in _set(request).items() if _reassigned(set_to.get(name), value)
        ],
        "new_files": sorted({path for path, *_ in _files(request) - files})[:5],
    }


def _files(request: Request) -> set[tuple[str, int, int]]:
    """Return the files next to the author's code and in the working folder, with their sizes and times."""
    found = set()
    for place in {request["folder"], str(Path.cwd())}:
        for folder, _, names in os.walk(place):
            for path in (Path(folder, name) for name in names if "__pycache__" not in folder):
                with contextlib.suppress(OSError):
                    found.add((str(path), path.stat().st_size, path.stat().st_mtime_ns))
    return found


def _changed_process(
    request: Request, split: str, scripts: list[Script], max_turns: int
) -> list[str]:
    """Return the names of process-wide settings that an episode changes, because this affects other episodes."""
    place, calls = scripts[0]
    module(request, "_shared.episode")
    at_first = _settings()
    runs.play_alone(request, max_turns, split, place, None, calls)  # imports change things once
    random.seed(20_240_131)
    before, chance = _process(), random.getstate()
    runs.play_alone(request, max_turns, split, place, None, calls)
    before, after = {**before, **at_first}, {**_process(), **_settings()}
    found = [what for what in before if before[what] != after[what]]
    return [*found, *(["the global random generator"] if random.getstate() != chance else [])]


def _unclosed(request: Request, split: str, script: Script, max_turns: int) -> dict[str, int]:
    """Count, by name, the resources that a closed episode frees only on its deletion, which may be late in servers.

    One episode is cut off half-way, and one episode is played to its end.
    """
    (place, calls), found = script, dict[str, int]()
    for some in (calls[: len(calls) // 2], calls):
        try:
            world = open_episode(request, split, place, None, max_turns)
        except RuntimeError:
            return {}
        bare = world._world  # close() releases it
        with contextlib.suppress(RuntimeError):
            for tool, arguments in some:
                if not world.over:
                    world.call(tool, arguments)
        world.close()
        closed = _left(request)
        del world, bare
        dropped = _left(request)
        more = {what: closed[what] - dropped[what] for what in LEAVES}
        found |= {what.replace("_", " "): count for what, count in more.items() if count > 0}
    return found


LEAVES = ("threads", "open_files", "processes", "temporary_files", "files_in_the_folder")
"""Counts that must fall again when an episode is closed, not only when Python drops it."""


def _process() -> Json:
    return {
        "the working folder": str(Path.cwd()),
        "environment variables": dict(os.environ),
        "the locale": locale.setlocale(locale.LC_ALL),
        "the recursion limit": sys.getrecursionlimit(),
        "handlers of signals": [signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)],
        "warning filters": len(warnings.filters),
        "the decimal precision": decimal.getcontext().prec,
    }


def _settings() -> Json:
    """Return settings of the process that even the first episode must not change, because no import changes them."""
    return {
        "whether logging is on": logging.root.manager.disable,
        "the level of the root logger": logging.root.level,
        "the hooks for uncaught exceptions": (sys.excepthook, threading.excepthook),
        "the default timeout of sockets": socket.getdefaulttimeout(),
        "whether garbage collection is on": gc.isenabled(),
    }


def _set(request: Request) -> dict[str, Form]:
    """Return the types and values of the plain variables in the author's modules and classes, keyed by name."""
    found = {}
    for name, value in _own(request):
        if value is None or isinstance(value, bool | int | float | str | tuple):
            found[name] = ("", repr(value))
        elif isinstance(value, list):
            found[name] = (f"{len(value)} items", repr(value))
        elif isinstance(value, dict):
            found[name] = (repr(sorted(map(repr, value))), repr(value))
    return found


def _reassigned(before: Form | None, after: Form) -> bool:
    """Return whether a variable has a new value of the same form. Another check reports growth, for example of a
    cache.
    """
    return before is not None and before[0] == after[0] and before[1] != after[1]


def _own(request: Request) -> Iterator[tuple[str, Any]]:
    """Yield the name and value of each variable in the author's modules and classes."""
    prefix = f"{request['package']}."
    for name, found in list(sys.modules.items()):
        short = name.removeprefix(prefix)
        if not name.startswith(prefix) or short.startswith("_shared") or not found:
            continue
        for where, value in list(vars(found).items()):
            if not where.startswith("__"):
                yield f"{short}.{where}", value
                if isinstance(value, type) and value.__module__ == name:
                    for inner, held in list(vars(value).items()):
                        if not inner.startswith("__"):
                            yield f"{short}.{where}.{inner}", held


def _left(request: Request) -> Json:
    """Return the resources that this process holds now, such as threads, open files and memory."""
    gc.collect()
    status = Path("/proc/self/status").read_text("utf-8")
    children = Path(f"/proc/self/task/{os.getpid()}/children")
    return {
        "threads": threading.active_count(),
        "open_files": len(list(Path("/proc/self/fd").iterdir())),
        "processes": len(children.read_text("utf-8").split()) if children.exists() else 0,
        "temporary_files": sum(len(files) for _, _, files in os.walk(_own_temporary())),
        "files_in_the_folder": sum(len(files) for _, _, files in os.walk(request["folder"])),
        "memory": next(
            int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")
        ),
        "handlers_of_loggers": sum(len(found.handlers) for found in _loggers()),
        "held": dict(_held(request)),
    }


def _own_temporary() -> str:
    """Return the folder for temporary files if only this process uses it, otherwise ""."""
    return os.environ.get("TMPDIR", "") if tempfile.gettempdir() == os.environ.get("TMPDIR") else ""


def _loggers() -> list[logging.Logger]:
    known = logging.Logger.manager.loggerDict.values()
    return [logging.root, *(found for found in known if isinstance(found, logging.Logger))]


def _held(request: Request) -> Iterator[tuple[str, int]]:
    """Yield the name and size of each list, dict, set and cache in the author's modules and classes."""
    prefix = f"{request['package']}."
    for name, value in _own(request):
        if isinstance(value, list | dict | set):
            yield name, len(value)
        if hasattr(value, "cache_info"):
            mark = "()" if name.count(".") > 1 else ""
            yield f"{name}{mark}", value.cache_info().currsize
        elif callable(value) and str(getattr(value, "__module__", "")).startswith(prefix):
            for place, held in enumerate(getattr(value, "__defaults__", None) or ()):
                if isinstance(held, list | dict | set):
                    yield f"{name}() default {place}", len(held)


JOBS = {"endure": endure}
