"""Child processes that leave nothing behind, whichever way they or we end.

``process`` and ``run`` start this very file as a small supervisor, which starts the command. The
supervisor sees the end of its stdin when we are gone, even by ``kill -9``, and orphans of the
command become its own children, so that it can kill daemons which left their session as well.
It costs about 40 ms, because only light parts of the standard library are imported here.
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, NamedTuple

LINUX = sys.platform == "linux"
TAIL_LINES, LONGEST_LINE, KILL_SECONDS = 40, 1 << 16, 10.0
MARKER = "SKILL_TOOLS_SUPERVISED"


class Result(NamedTuple):
    """How a command ended.

    ``returncode`` is the command's, 128 + n if signal n ended it, and 127 if it could not be
    started. ``log_tail`` is the last lines of its output.
    """

    returncode: int
    timed_out: bool
    seconds: float
    log_tail: str


class Process:
    """A running command; made by ``process``."""

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
        """Whether the command, or anything it started, is still there."""
        return not self._over.is_set()

    def wait(self, timeout: float | None = None) -> Result:
        """Wait until the command has ended; after ``timeout`` seconds end it.

        Raises what ``on_line`` raised, after having ended the command.
        """
        if self._over.wait(timeout):
            return self._result(timed_out=False)
        return self._end(timed_out=True)

    def terminate(self) -> Result:
        """End the command and all it started; harmless when that is done already."""
        return self._end(timed_out=False)

    def _end(self, timed_out: bool) -> Result:
        self._let_go()
        # Longer than the supervisor needs: a process stuck in the kernel must not hold us.
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

    def _let_go(self) -> None:
        """Close the supervisor's stdin: it ends the command and itself."""
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
                    self._let_go()
        finally:
            self._supervisor.wait()
            self._seconds = time.monotonic() - self._started
            output.close()
            self._log.close()
            self._let_go()
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
    """Start ``command``; when the block is left, it and all it started are gone.

    stdin is empty; stdout and stderr go to ``log`` (overwritten) and line by line to ``on_line``,
    which is called on another thread. A command that has to be ended early is sent SIGTERM and
    has ``grace`` seconds to tidy up. Safe to use from several threads at once.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    file = log.open("wb", buffering=0)  # so that what a killed command said last is there
    isolated = ["-I", "-S"] if LINUX else ["-I"]  # psutil, which only the others need, is a site's
    itself = [sys.executable, *isolated, str(Path(__file__).resolve())]
    started = subprocess.Popen(
        [*itself, str(os.getpid()), str(grace), *map(str, command)],
        cwd=cwd,
        env={**env, MARKER: uuid.uuid4().hex},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        # Out of reach of the terminal's Ctrl-C: it outlives us just long enough to tidy up.
        start_new_session=True,
    )
    handle = Process(started, file, grace, on_line)
    try:
        yield handle
    finally:
        handle.terminate()


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


# What follows runs in the supervisor, which has one thread and nothing but this file.
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36


def _prctl(option: int, value: int) -> None:
    if LINUX:
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _start(command: list[str]) -> int:
    """Start ``command`` in its own session, with an empty stdin, to die with the supervisor."""
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
    """Collect ended children: the command's exit code once known, and whether any are left."""
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
    """Process ids of everything the command started that is alive."""
    if not LINUX:
        # Orphans go to init there; the marker is what they keep of us.
        import psutil

        environs = {p.pid: p.info["environ"] or {} for p in psutil.process_iter(["environ"])}
        ours = os.environ[MARKER]
        return [p for p, env in environs.items() if env.get(MARKER) == ours and p != os.getpid()]
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with suppress(OSError):
                # The program's name in parentheses may hold anything, so count from its end.
                parent = (folder / "stat").read_bytes().rpartition(b")")[2].split()[1]
                children.setdefault(int(parent), []).append(int(folder.name))
    found, waiting = [], [os.getpid()]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += below
    return found


def _kill_all(command: int, code: int | None) -> int:
    """Kill until nothing is left; killed parents hand us their children, hence the loop."""
    until = time.monotonic() + KILL_SECONDS
    while time.monotonic() < until:
        code, children = _reap(command, code)
        left = _descendants() if children or not LINUX else []
        if not children and not left:
            break
        for pid in left:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.002)
    return 128 + signal.SIGKILL if code is None else code


def _supervise(caller: int, grace: float, command: list[str]) -> int:
    """Start the command, wait for it or for the caller's end, leave nothing, return its code."""
    _prctl(PR_SET_CHILD_SUBREAPER, 1)
    asked: list[int] = []  # signals that ask for the end
    wake, wake_writer = os.pipe()
    os.set_blocking(wake_writer, False)
    signal.set_wakeup_fd(wake_writer, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda number, _: asked.append(number))
    # With us gone the output has no reader; that must not end the supervisor before its work.
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
