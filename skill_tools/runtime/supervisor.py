"""The supervisor, which runs one command in its own process. ``supervise.py`` starts it.

usage: python -I -S supervisor.py CALLER GRACE COMMAND...

The supervisor's stdin closes when the caller is gone, even after ``kill -9``. Orphans of the command become
children of the supervisor, so that it can also kill daemons that left their session. Both features need
Linux: prctl(2) and /proc. The supervisor imports only light parts of the standard library, without pathlib,
because every child process waits for it.
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
import sys
import time
from contextlib import suppress

KILL_SECONDS = 10.0
"""Seconds in which killed processes must be gone; a process that is stuck in the kernel never is."""
PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
"""Options of prctl(2), linux/prctl.h."""


def _prctl(option: int, value: int) -> None:
    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _start(command: list[str]) -> int:
    """Start ``command`` in its own session, with an empty stdin. The command dies with the supervisor."""
    supervisor = os.getpid()
    pid = os.fork()
    if pid:
        return pid
    try:
        os.setsid()
        _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != supervisor:
            os._exit(1)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
            signal.signal(number, signal.SIG_DFL)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.execvp(command[0], command)
    except OSError as error:
        os.write(2, f"cannot start {command[0]}: {error.strerror}\n".encode())
    finally:
        os._exit(127)


def _reap(command: int, code: int | None) -> tuple[int | None, bool]:
    """Collect ended children. Return the command's exit code if it is known, and whether any children are left."""
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return code, False
        if pid == 0:
            return code, True
        if pid == command:
            ended = os.waitstatus_to_exitcode(status)
            code = ended if ended >= 0 else 128 - ended


def _descendants() -> list[int]:
    """Return the process ids of all living processes that the command started."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):  # noqa: PTH208 - see above
        if name.isdigit():
            with suppress(OSError), open(f"/proc/{name}/stat", "rb") as stat:  # noqa: PTH123
                # The program's name in parentheses may contain anything, so count from its end.
                parent = stat.read().rpartition(b")")[2].split()[1]
                children.setdefault(int(parent), []).append(int(name))
    found, waiting = [], [os.getpid()]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += below
    return found


def _kill_all(command: int, code: int | None) -> int:
    """Kill all descendants until none is left, and return the command's exit code.

    The loop is needed because children of killed parents become children of this process.
    """
    until = time.monotonic() + KILL_SECONDS
    while time.monotonic() < until:
        code, children = _reap(command, code)
        if not children:
            break
        for pid in _descendants():
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.002)
    return 128 + signal.SIGKILL if code is None else code


def _supervise(caller: int, grace: float, command: list[str]) -> int:
    """Start the command, wait until the command or the caller ends, kill all remaining processes, and return the
    exit code."""
    _prctl(PR_SET_CHILD_SUBREAPER, 1)
    asked: list[int] = []  # signals that request the end
    wake, wake_writer = os.pipe()
    os.set_blocking(wake_writer, False)
    signal.set_wakeup_fd(wake_writer, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda number, _: asked.append(number))
    # After we end, the output has no reader; that must not end the supervisor before its work.
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    child = _start(command)
    code: int | None = None
    deadline: float | None = None
    while code is None and (deadline is None or time.monotonic() < deadline):
        watched, pause = ([wake, 0], 1.0) if deadline is None else ([wake], 0.05)
        ready, _, _ = select.select(watched, [], [], pause)
        if wake in ready:
            os.read(wake, 4096)
        code, _ = _reap(child, code)
        # A process forked off the caller may hold the pipe open, so look at the parent as well.
        if deadline is None and (0 in ready or asked or os.getppid() != caller):
            deadline = time.monotonic() + grace
            if code is None:
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(child, signal.SIGTERM)
    return _kill_all(child, code)


if __name__ == "__main__":
    sys.exit(_supervise(int(sys.argv[1]), float(sys.argv[2]), sys.argv[3:]))
