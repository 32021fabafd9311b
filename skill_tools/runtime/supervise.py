"""Child processes that leave nothing behind, however they or this process end.

``process`` and ``run`` start ``supervisor.py``. The supervisor starts the command, watches the command and
this process, and kills all remaining processes when either of the two ends.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, NamedTuple

from skill_tools.errors import PlatformError, SkillToolsError
from skill_tools.runtime.supervisor import KILL_SECONDS

TAIL_LINES = 40
"""Number of lines from the end of the output to keep in a result: enough for a traceback."""
LONGEST_LINE = 1 << 16
"""Maximum bytes of a line to pass on whole: output without line ends must not fill memory."""
_running: set[Process] = set()
_ended = threading.Event()


class Result(NamedTuple):
    """The result of a command.

    ``returncode`` is the command's own return code, 128 + n if signal n ended the command, or 127 if the command
    could not be started. ``log_tail`` is the last lines of its output.
    """

    returncode: int
    timed_out: bool
    seconds: float
    log_tail: str


class Interrupted(SkillToolsError):
    """Raised when a command is not started because the program is ending."""


class Process:
    """A running command, created by ``process``."""

    def __init__(
        self,
        supervisor: subprocess.Popen[bytes],
        log: BinaryIO,
        grace: float,
        on_line: Callable[[str], None] | None,
    ) -> None:
        self._supervisor = supervisor
        self._log = log
        self._grace = grace
        self._on_line = on_line
        self._failure: BaseException | None = None
        self._tail: deque[str] = deque(maxlen=TAIL_LINES)
        self._started = time.monotonic()
        self._seconds = 0.0
        self._over = threading.Event()
        threading.Thread(target=self._follow, name="supervise-output", daemon=True).start()

    @property
    def running(self) -> bool:
        """Whether the command, or any process that it started, still exists."""
        return not self._over.is_set()

    def ends_within(self, seconds: float) -> bool:
        """Wait up to this many seconds for the command to end, but do not end it. Return whether it ended."""
        return self._over.wait(seconds)

    def wait(self, timeout: float | None = None) -> Result:
        """Wait until the command has ended; end it after ``timeout`` seconds.

        An exception of ``on_line`` is raised after the command has been ended.
        """
        if self._over.wait(timeout):
            return self._result(timed_out=False)
        return self._end(timed_out=True)

    def terminate(self) -> Result:
        """End the command and everything that it started. This is harmless if the command has already ended."""
        return self._end(timed_out=False)

    def _end(self, timed_out: bool) -> Result:
        self.ask_to_end()
        # Longer than the supervisor needs: a process stuck in the kernel must not block us.
        self._over.wait(self._grace + KILL_SECONDS + 5)
        return self._result(timed_out)

    def _result(self, timed_out: bool) -> Result:
        if self._failure is not None:
            failure, self._failure = self._failure, None
            raise failure
        code = self._supervisor.poll()
        code = 128 + signal.SIGKILL if code is None else code
        seconds = self._seconds or time.monotonic() - self._started
        return Result(code, timed_out, seconds, "\n".join(list(self._tail)))

    def ask_to_end(self) -> None:
        """Close the supervisor's stdin and return at once. The supervisor then ends the command and itself."""
        assert self._supervisor.stdin is not None
        with suppress(OSError):
            self._supervisor.stdin.close()

    def _follow(self) -> None:
        """Copy the output to the log and to ``on_line`` until everything has ended."""
        output = self._supervisor.stdout
        assert output is not None
        try:
            for raw in iter(lambda: output.readline(LONGEST_LINE), b""):
                if self._failure is not None:
                    continue  # still drained: a full pipe would hold the command
                try:
                    self._take(raw)
                except BaseException as failure:  # noqa: BLE001 - raised by wait()
                    self._failure = failure
                    self.ask_to_end()
        finally:
            self._supervisor.wait()
            self._seconds = time.monotonic() - self._started
            output.close()
            self._log.close()
            self.ask_to_end()
            self._over.set()

    def _take(self, raw: bytes) -> None:
        self._log.write(raw)
        line = raw.decode(errors="replace").rstrip("\r\n")
        self._tail.append(line)
        if self._on_line is not None:
            self._on_line(line)


@contextmanager
def process(
    command: Sequence[str | Path],
    *,
    cwd: Path,
    env: Mapping[str, str],
    log: Path,
    on_line: Callable[[str], None] | None = None,
    grace: float = 1.0,
) -> Iterator[Process]:
    """Start ``command``. At the end of the block, the command and everything that it started have ended.

    stdin is empty. stdout and stderr go to ``log`` (overwritten), and line by line to ``on_line``, which is
    called on another thread. A command that is ended early gets SIGTERM and has ``grace`` seconds to clean up.
    Several threads may call this at once. Raises PlatformError if the system is not Linux, and Interrupted after
    ``end_all``.
    """
    if sys.platform != "linux":
        raise PlatformError(
            f"running an environment's code needs Linux, but this is {sys.platform}: only on Linux "
            f"can all processes of a program be ended. Not started: {command[0]}\n"
            "    fix: run it on Linux, in WSL or in a container; new, render and explain work here"
        )
    if _ended.is_set():
        raise Interrupted(f"not started, because skill-tools is shutting down: {command[0]}")
    log.parent.mkdir(parents=True, exist_ok=True)
    file = log.open("wb", buffering=0)  # so that the last output of a killed command is available
    supervisor = Path(__file__).resolve().with_name("supervisor.py")
    itself = [sys.executable, "-I", "-S", str(supervisor)]
    started = subprocess.Popen(
        [*itself, str(os.getpid()), str(grace), *map(str, command)],
        cwd=cwd,
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        # Out of reach of the terminal's Ctrl-C: it outlives us just long enough to clean up.
        start_new_session=True,
    )
    handle = Process(started, file, grace, on_line)
    _running.add(handle)
    try:
        yield handle
    finally:
        _running.discard(handle)
        handle.terminate()


def end_all() -> None:
    """End the commands of all threads, and start no more commands; used for Ctrl-C."""
    _ended.set()
    for handle in list(_running):
        handle.ask_to_end()


def run(
    command: Sequence[str | Path],
    *,
    cwd: Path,
    env: Mapping[str, str],
    timeout: float,
    log: Path,
    on_line: Callable[[str], None] | None = None,
    grace: float = 1.0,
) -> Result:
    """Run ``command`` to its end, or for ``timeout`` seconds; see ``process``."""
    with process(command, cwd=cwd, env=env, log=log, on_line=on_line, grace=grace) as handle:
        return handle.wait(timeout)
