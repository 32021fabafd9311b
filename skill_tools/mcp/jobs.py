"""Jobs: work that takes longer than a client waits, run in processes that can be ended.

A client's timeout does not end a job: the job continues, and an identical request returns the running job.
Jobs cannot run forever, either. A job ends when no client requests the job any more, when its time is up, or
when this process ends.

The work itself is in ``verbs``. It runs in a separate process, so that a job can be ended at any time,
together with its effects on memory, threads or the interpreter.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import threading
import time
import uuid
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from skill_tools.errors import SkillToolsError, nearest
from skill_tools.mcp.answer_size import clip

LINES = 8
"""Lines of progress to keep."""
BRIEF = "check"
"""The verb whose job answers a single call; it is counted separately, so that it need not wait for other work."""
_TICK = 0.05


@dataclass(frozen=True)
class JobLimits:
    """Limits of jobs.

    Attributes:
        longest: Maximum duration of a job, in seconds.
        forgotten: Seconds without a request after which a job ends.
        abandoned: Seconds until a job ends if the last request was canceled.
        most: Maximum number of concurrent jobs.
        kept: Number of ended jobs that are remembered.
    """

    longest: float = 1800.0
    forgotten: float = 300.0
    abandoned: float = 60.0
    most: int = 2
    kept: int = 20


class _End(NamedTuple):
    state: str
    error: str = ""
    result: dict[str, Any] = {}


class Job:
    """One piece of work, created by ``Jobs.start``.

    ``state`` is running, done, failed or cancelled; ``result`` is the output of the worker.
    """

    def __init__(self, verb: str, folder: Path, options: dict[str, Any], limits: JobLimits) -> None:
        self.name = f"{verb}-{uuid.uuid4().hex[:6]}"
        self.verb = verb
        self.folder = folder
        self.options = options
        self.state, self.error, self.result = _End("running")
        self.progress: deque[str] = deque(maxlen=LINES)
        self._limits = limits
        self._started = self._asked = time.monotonic()
        self._seconds: float | None = None
        self._patience = limits.forgotten
        self._cancelled = threading.Event()
        self._thread = threading.Thread(target=self._run, name=self.name, daemon=True)
        self._thread.start()

    @property
    def seconds(self) -> float:
        """Return the duration of the job in seconds, so far or in total."""
        return self._seconds or time.monotonic() - self._started

    @property
    def running(self) -> bool:
        """Return whether the job, or any process that it started, is still running."""
        return self.state == "running"

    def asked(self) -> None:
        """Record a request for the job, so that the job continues."""
        self._asked, self._patience = time.monotonic(), self._limits.forgotten

    def abandoned(self) -> None:
        """Record that the waiting request was canceled; the job ends unless another request follows."""
        self._asked, self._patience = time.monotonic(), self._limits.abandoned

    def cancel(self) -> None:
        """Request the end of the job, without waiting for it."""
        self._cancelled.set()

    def wait(self, timeout: float) -> bool:
        """Wait at most ``timeout`` seconds, and return whether the job has ended."""
        self._thread.join(timeout)
        return not self.running

    def _run(self) -> None:
        try:
            end = self._work()
        except Exception as error:  # noqa: BLE001 - a thread has nobody to raise to
            end = _End("failed", f"{type(error).__name__}: {error}")
        self._seconds = time.monotonic() - self._started
        # Last, because others read the rest once they see it.
        self.error, self.result = end.error, end.result
        self.state = end.state

    def _work(self) -> _End:
        from skill_tools.runtime import supervise

        with tempfile.TemporaryDirectory(prefix="skill-tools-") as scratch:
            request, result, log = (Path(scratch, name) for name in ("request", "result", "log"))
            asked = {"verb": self.verb, "folder": str(self.folder), "options": self.options}
            request.write_text(json.dumps(asked), "utf-8")
            with supervise.process(
                [sys.executable, "-P", "-m", "skill_tools.mcp.verbs", request, result],
                cwd=Path(scratch),
                env=os.environ,
                log=log,
                on_line=self._heard,
                grace=3.0,
            ) as handle:
                while handle.running and not (early := self._ending()):
                    self._cancelled.wait(_TICK)
                if handle.running and early:
                    handle.terminate()
                    return early
                ended = handle.terminate()
            if not result.exists():
                tail = clip(ended.log_tail, 3000, end=True)
                return _End("failed", f"the job ended with code {ended.returncode}:\n{tail}")
            found = json.loads(result.read_text("utf-8"))
            error = found.get("error", "")
            return _End("failed" if error else "done", error, found)

    def _ending(self) -> _End | None:
        """Return the state and error with which to end the job now; None if it should continue."""
        now = time.monotonic()
        if self._cancelled.is_set():
            return _End("cancelled", "cancelled on request")
        if now - self._asked > self._patience:
            why = f"ended because no get_job call came for {self._patience:g} s"
            return _End("cancelled", why)
        if now - self._started > self._limits.longest:
            return _End(
                "failed", f"ended because the job was not finished after {self._limits.longest:g} s"
            )
        return None

    def _heard(self, line: str) -> None:
        try:
            self.progress.append(str(json.loads(line)["progress"]))
        except (ValueError, KeyError, TypeError):
            return


class Jobs:
    """All jobs of one server."""

    def __init__(self, limits: JobLimits | None = None) -> None:
        self._limits = limits or JobLimits()
        self._jobs: dict[str, Job] = {}
        # A signal handler closes in the thread that may be starting a job.
        self._lock = threading.RLock()
        self._closed = False

    def start(self, verb: str, folder: Path, options: dict[str, Any]) -> Job:
        """Start a job, or return the running job with the same arguments.

        Raises SkillToolsError if another job runs in that folder, or if too many jobs run in total.
        """
        with self._lock:
            running = [job for job in self._jobs.values() if job.running]
            for job in running:
                if (job.verb, job.folder, job.options) == (verb, folder, options):
                    job.asked()
                    return job
            if self._closed:
                raise SkillToolsError(
                    "the job was not started, because the server is shutting down"
                )
            alike = [job for job in running if (job.verb == BRIEF) == (verb == BRIEF)]
            self._refuse_more(alike, folder)
            job = Job(verb, folder, options, self._limits)
            self._jobs[job.name] = job
            over = [name for name, job in self._jobs.items() if not job.running]
            for name in over[: -self._limits.kept]:
                del self._jobs[name]
            return job

    def find(self, name: str) -> Job:
        """Return the job with this id. If the job does not exist, raise SkillToolsError with the known jobs' ids."""
        with self._lock:
            if name in self._jobs:
                return self._jobs[name]
            known = [each for each, job in self._jobs.items() if job.verb != BRIEF]
        raise SkillToolsError(
            f"there is no job {name!r}{nearest(name, known)}. Jobs end with the server: "
            "if it was restarted, call validate_env or run_smoke_rollout again"
        )

    def at_work(self, folder: Path) -> Job | None:
        """Return the job that is currently playing this folder's files, or None."""
        with self._lock:
            jobs = list(self._jobs.values())
        return next((j for j in jobs if j.running and j.folder == folder and j.verb != BRIEF), None)

    def close(self, seconds: float = 8.0) -> None:
        """End every job, and wait until all of their processes have ended or the time is up."""
        with self._lock:
            self._closed = True
            jobs = list(self._jobs.values())
        for job in jobs:
            job.cancel()
        until = time.monotonic() + seconds
        for job in jobs:
            job.wait(max(0.0, until - time.monotonic()))

    def _refuse_more(self, running: list[Job], folder: Path) -> None:
        here = [job for job in running if job.folder == folder]
        if here:
            raise SkillToolsError(
                f"{here[0].name} already runs in {folder}, with other arguments; call get_job with "
                f"job={here[0].name!r} to wait for it, or add cancel=true to end it"
            )
        if len(running) >= self._limits.most:
            names = " and ".join(f"{job.name} ({job.folder})" for job in running)
            raise SkillToolsError(
                f"the job was not started, because {len(running)} jobs are running: {names}; wait for one with "
                "get_job, or end it with get_job and cancel=true"
            )
