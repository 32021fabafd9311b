"""The processes of a session from its keeper's view: their number, their memory, and their end.

The keeper adopts orphans, so every process that starts in the session stays below the keeper.
"""

import contextlib
import os
import signal
import time
from collections.abc import Callable, Iterator

from . import disk, held

IGNORED = (
    *(signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGPIPE),
    *(signal.SIGALRM, signal.SIGUSR1, signal.SIGUSR2),
)
"""Signals that the keeper ignores, so that a session's programs cannot end it."""
PATIENCE = 30.0
"""Maximum seconds for killed processes to end, on a busy machine."""
ROOM = 5.0
"""Seconds to wait for a free slot for another process."""
OBJECTS = 4
"""Maximum shared memory objects of a session. Each counts as a quarter of its memory, because one can
be as large as a process, and be kept alive by one of its pages."""


def below() -> Iterator[tuple[int, int]]:
    """Yield the process id of each descendant of this process, with the number of its threads."""
    waiting = children()
    while waiting:
        pid = waiting.pop()
        threads = []
        with contextlib.suppress(OSError):
            threads = os.listdir(f"/proc/{pid}/task")
        yield pid, len(threads)
        for thread in threads:
            waiting += _children(pid, thread)


def fork(look: Callable[[], None]) -> int:
    """Fork as os.fork() does, but wait for a free slot, because the same user may have filled the process table.

    Calls `look` while waiting. Raises OSError if no slot is free after ROOM seconds.
    """
    until = time.monotonic() + ROOM
    while True:
        try:
            return os.fork()
        except OSError:
            look()
            if time.monotonic() > until:
                raise
        time.sleep(0.05)


def kill_all(*, alone: bool) -> None:
    """End every process below this process, including processes that start in the meantime.

    Args:
        alone: Whether this process can signal only its descendants, so that it may signal all processes at once.
    """
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        if not children():  # because an orphan would be one
            return
        if alone:  # by the kernel, which prevents forks meanwhile
            _send(-1, signal.SIGKILL)
        else:
            for number in (signal.SIGSTOP, signal.SIGKILL):  # a stopped one starts no other
                for pid, _ in below():
                    _send(pid, number)
        time.sleep(0.001)


def reap(*spared: int) -> None:
    """Reap dead children, except the spared processes, whose end other code waits for."""
    for pid in children():
        if pid not in spared:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)


def children() -> list[int]:
    """Return the children of this process, including dead children that it has not reaped."""
    return _children(os.getpid(), str(os.getpid()))


def _children(pid: int, thread: str) -> list[int]:
    with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{thread}/children") as file:
        return [int(child) for child in file.read().split()]
    return []


def _send(pid: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)


def count(most: int) -> int:
    """Count processes and threads below this process, including dead processes. Stop counting above `most`."""
    found = 0
    for _, threads in below():
        found += max(1, threads)
        if found > most:
            break
    return found


def excess(limits: dict, folder: str, spared: int = 0) -> str:
    """Return the limit that the session exceeds, or "". If `folder` is not "", measure the folder too.

    Raises held.Hidden if a process cannot be inspected.

    Args:
        spared: A process of the keeper, which is not counted.
    """
    there = [pid for pid, _ in below() if pid != spared]
    most, disk_most = limits["memory_mb"] << 20, limits["disk_mb"] << 20
    ours = held.mapped([os.getpid()])  # inherited from the fork server by all
    shared = [found for found in held.mapped(there) - ours if found[-1] == held.SHARED]
    unseen = held.buffers(there) + len(shared) * most // OBJECTS
    # Cheap check first: it counts shared memory in full for each process.
    if unseen + sum(map(_resident, there)) > most:
        own = unseen
        for pid in there:
            own += _own(pid)
            if own > most:
                return f"the session used more than {limits['memory_mb']} MB of memory"
    if folder and disk.used(folder, there, disk_most) > disk_most:
        return f"the session's files took more than {limits['disk_mb']} MB"
    return ""


def _resident(pid: int) -> int:
    kinds = (b"RssAnon:", b"RssShmem:", b"VmSwap:")
    if found := _kilobytes(f"/proc/{pid}/status", *kinds):
        return found * 1024
    # It has none, or its first thread, which this status describes, has ended and others continue.
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            if found := _kilobytes(f"/proc/{pid}/task/{thread}/status", *kinds):
                return found * 1024
    return 0


def _own(pid: int) -> int:
    """Return a process's anonymous memory, including its proportional part of shared memory."""
    kinds = (b"Pss_Anon:", b"Pss_Shmem:", b"SwapPss:")
    found = _kilobytes(f"/proc/{pid}/smaps_rollup", *kinds) * 1024
    return found or _resident(pid)


def _kilobytes(path: str, *names: bytes) -> int:
    # As bytes: Linux cuts a program's name after 15 bytes, even within a character.
    with contextlib.suppress(OSError), open(path, "rb") as file:
        return sum(int(line.split()[1]) for line in file if line.startswith(names))
    return 0
