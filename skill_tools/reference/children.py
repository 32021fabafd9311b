"""The processes that run the author's code: one new process per question, or kept processes.

Starting a process takes half the time of an answer, so processes can be kept. Each group of questions runs in
a fork, so a kept process has loaded no more of the author's code than a new process.
"""

from __future__ import annotations

import os
import select
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from pathlib import Path

from skill_tools.runtime import supervise

CHILD = Path(__file__).parents[1] / "worker"


class Child:
    """A process that answers requests one after another; created by ``child``."""

    def __init__(self, process: supervise.Process, asked: Path, done: Path) -> None:
        self._process = process
        # Opened for both directions, as the other end may not be open yet; its end is detected below.
        self._asked = os.open(asked, os.O_RDWR)
        self._done = os.open(done, os.O_RDONLY | os.O_NONBLOCK)
        self.usable = True

    def work_through(self, request: Path, results: Path, seconds: float) -> bool:
        """Let the process answer a request file. Return False if the process was inactive for too long and was
        terminated.

        An active process writes to ``results`` or touches this file.
        """
        os.write(self._asked, f"{request}\n".encode())
        since, sign, done = time.monotonic(), 0.0, select.poll()
        done.register(self._done, select.POLLIN)
        self.usable = False
        while self._process.running and time.monotonic() - since < seconds * slowdown():
            if results.exists() and (seen := results.stat().st_mtime) != sign:
                since, sign = time.monotonic(), seen
            if done.poll(min(seconds, 1.0) * 1000):
                self.usable = os.read(self._done, 1) != b""  # otherwise it has ended
                return True
        timed_out = self._process.running
        self._process.terminate()
        return not timed_out

    def close(self) -> None:
        """Close the pipes to the process."""
        os.close(self._asked)
        os.close(self._done)


_Kept = dict[tuple[object, ...], list[Child]]
_kept: ContextVar[tuple[ExitStack, _Kept] | None] = ContextVar("kept", default=None)


@contextmanager
def kept() -> Iterator[None]:
    """Within the block, keep processes that have answered a question, so that they can answer further questions.

    This applies to all code that runs in the block's context, in any thread.
    """
    if _kept.get():
        yield
        return
    with ExitStack() as ending:
        before = _kept.set((ending, {}))
        try:
            yield
        finally:
            _kept.reset(before)


@contextmanager
def child(python: str, environment: Mapping[str, str], *, stays: bool) -> Iterator[Child]:
    """Yield a new or a kept process with the given interpreter and environment variables.

    The process ends with this block or, if ``stays`` is true inside a ``kept`` block, with the ``kept`` block.
    """
    keeping = _kept.get() if stays else None
    if not keeping:
        with _started(python, environment) as new:
            yield new
        return
    ending, idle = keeping
    alike = idle.setdefault((python, *sorted(environment.items())), [])
    try:
        one = alike.pop()
    except IndexError:
        one = ending.enter_context(_started(python, environment))
    yield one
    if one.usable:
        alike.append(one)


@contextmanager
def _started(python: str, environment: Mapping[str, str]) -> Iterator[Child]:
    with tempfile.TemporaryDirectory(prefix="skill-tools-") as place:
        asked, done = Path(place, "asked"), Path(place, "told")
        os.mkfifo(asked)
        os.mkfifo(done)
        # It writes bytecode for its own modules, if we do, but not for the author's.
        quietly = ["-B"] if sys.dont_write_bytecode else []
        command: list[str | Path] = [python, "-I", *quietly, CHILD, asked, done]
        with supervise.process(
            command, cwd=Path(place), env=environment, log=Path(place, "log")
        ) as process:
            one = Child(process, asked, done)
            try:
                yield one
            finally:
                one.close()


MAX_SLOWDOWN = 20.0
"""Maximum factor: beyond it, a limit is meaningless."""


def slowdown() -> float:
    """Return how many times slower work is than on an idle machine, estimated as runnable processes per core."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 1.0
    return min(MAX_SLOWDOWN, max(1.0, load / (cores or 1)))
