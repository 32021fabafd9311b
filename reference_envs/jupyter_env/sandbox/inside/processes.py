"""The processes of a session, as its keeper sees them: their use of memory, and their end.

Rendered from env.yaml; `skill-tools render` overwrites it. The keeper adopts orphans, so that
whatever is started in the session, in whichever way, stays below it.
"""

import contextlib
import os
import signal
import time

import disk

IGNORED = (
    *(signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGPIPE),
    *(signal.SIGALRM, signal.SIGUSR1, signal.SIGUSR2),
)
"""Signals with which a session's programs cannot end their keeper."""


def below(parent: int | None = None) -> list[int]:
    """All descendants of a process; by default of this one."""
    found, waiting = [], [parent or os.getpid()]
    while waiting:
        pid = waiting.pop()
        with contextlib.suppress(OSError):
            for thread in os.listdir(f"/proc/{pid}/task"):
                with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{thread}/children") as f:
                    children = [int(child) for child in f.read().split()]
                    found += children
                    waiting += children
    return found


def alone() -> bool:
    """Whether this process can signal none but those below it, so that it can kill whom it can."""
    if os.getpid() == 1:
        return True  # of its process namespace
    try:
        os.kill(os.getppid(), 0)
    except PermissionError:
        return True  # by Landlock, or as a user of its own
    return False


def kill_all() -> None:
    """End every process below this one, and those that they start meanwhile."""
    at_once = alone()
    for _ in range(5000):
        there = below()
        if not there:
            return
        if at_once:  # by the kernel, which lets nobody fork meanwhile
            _send(-1, signal.SIGKILL)
        else:
            for number in (signal.SIGSTOP, signal.SIGKILL):  # a stopped one starts no other
                for pid in below():
                    _send(pid, number)
        reap()
        time.sleep(0.001)


def reap(*spared: int) -> None:
    """Take the dead children off the process table, but for those whose end is waited for."""
    for pid in children():
        if pid not in spared:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)


def children() -> list[int]:
    """Those that this process is the parent of, the dead ones that it has not reaped included."""
    with contextlib.suppress(OSError), open(f"/proc/self/task/{os.getpid()}/children") as file:
        return [int(child) for child in file.read().split()]
    return []


def _send(pid: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)


def excess(limits: dict, folder: str) -> str:
    """What the session uses too much of, or "". A folder is measured if there is one."""
    there = below()
    if len(there) > limits["processes"]:
        return f"the session had more than {limits['processes']} processes"
    most = limits["memory_mb"] << 20
    # Cheap first: it counts in full what processes share, with each other or the fork server.
    if sum(map(_resident, there)) > most and sum(map(_own, there)) > most:
        return f"the session used more than {limits['memory_mb']} MB of memory"
    if folder and disk.used(folder, there) > limits["disk_mb"] << 20:
        return f"the session's files took more than {limits['disk_mb']} MB"
    return ""


def _resident(pid: int) -> int:
    return _kilobytes(f"/proc/{pid}/status", "RssAnon:", "RssShmem:", "VmSwap:") * 1024


def _own(pid: int) -> int:
    """Its memory that is not a file's; of what others hold as well, its part."""
    kinds = ("Pss_Anon:", "Pss_Shmem:", "SwapPss:")
    found = _kilobytes(f"/proc/{pid}/smaps_rollup", *kinds) * 1024
    return found or _resident(pid)


def _kilobytes(path: str, *names: str) -> int:
    with contextlib.suppress(OSError), open(path) as file:
        return sum(int(line.split()[1]) for line in file if line.startswith(names))
    return 0
