"""Run the author's code in a separate process. ``reference/process.py`` starts this file, which is never
imported.

usage: python -I FOLDER ASKED DONE

FOLDER is the folder of this file. ASKED is a pipe with the paths of request files, one per line. A request is
JSON. It has the environment folder, a folder with the rendered modules that an episode imports, the package
name and the names in the spec. It also has groups of jobs with the seconds that each job may take. Each group
runs in a fork of this process, which has imported none of the author's code. ``results`` receives one JSON
line per job as soon as it is done, so that the parent can name a job that never ends. In that case ``stacks``
has the stack of every thread. DONE is a pipe that gets a byte after each request. The files in this folder
import the standard library and the environment, but never the package around this folder, because they may
run in another venv.
"""

import contextlib
import ctypes
import datetime
import faulthandler
import importlib
import json
import os
import random
import signal
import sys
import time
import traceback
import types
from collections.abc import Callable
from datetime import UTC
from datetime import date as day
from datetime import datetime as moment
from functools import partial
from pathlib import Path
from typing import Any, TextIO

from skill_tools_jobs import Request, deadline

ENDING = 10.0
"""Seconds for the process to end after its last job."""

AGED = 60.0
"""Seconds between two readings of a clock, as if a model thought for a minute before each call."""


def main() -> None:
    """Process requests from the pipe until the pipe ends."""
    adopt_orphans()
    with Path(sys.argv[1]).open() as asked, Path(sys.argv[2]).open("w") as done:
        for number, line in enumerate(asked):
            request = json.loads(Path(line.rstrip("\n")).read_text("utf-8"))
            if number or len(request["groups"]) > 1:
                with contextlib.suppress(ImportError):
                    importlib.import_module("jsonschema")  # half of a group's waiting time
            work_through(request, (asked, done))
            done.write(".")
            done.flush()


def work_through(request: Request, ours: tuple[TextIO, ...]) -> None:
    """Run a request's groups of jobs in sequence. Stop if a group's process ends without all its results."""
    results = Path(request["results"])
    results.touch()
    answered = 0
    for jobs in request["groups"]:
        child = os.fork()
        if not child:
            for file in ours:
                file.close()
            answer(request, jobs)
            sys.exit()
        os.waitpid(child, 0)
        end_children()
        answered += len(jobs)
        if results.read_bytes().count(b"\n") < answered:
            return


def answer(request: Request, jobs: list[dict[str, Any]]) -> None:
    """Run the jobs of one group in this process, and write their results."""
    log = os.open(request["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.close(log)
    os.chdir(request["cwd"])
    os.environ.update(request.get("environment", {}))
    random.seed()  # otherwise all forks would draw alike
    if request.get("later"):
        put_clock_forward(request["later"], request["package"])
    package = types.ModuleType(request["package"])
    package.__path__ = [request["rendered"], request["folder"]]
    sys.modules[request["package"]] = package
    sys.path += request["packages"]
    with (
        Path(request["results"]).open("a", encoding="utf-8") as results,
        Path(request["stacks"]).open("w", encoding="utf-8") as stacks,
    ):
        for job in jobs:
            go_on = partial(give_time, job["seconds"], request["results"], stacks)
            deadline.Deadline.alive = staticmethod(go_on)
            go_on()
            try:
                with contextlib.redirect_stdout(sys.stderr):
                    value = JOBS[job["do"]](request, **job.get("with", {}))
                    line = json.dumps({"value": value})
            except Exception as error:  # noqa: BLE001 - any exception of the author's code is a result
                line = json.dumps({"error": describe(error, request["folder"])})
            results.write(line + "\n")
            results.flush()
    # Leftovers of the author's code, such as threads, may end by themselves, but not delay the answers.
    faulthandler.dump_traceback_later(ENDING, exit=True)


def give_time(seconds: float, results: str, stacks: TextIO) -> None:
    """End this process after some seconds, or later on a busy machine. Each part of a job restarts this timer."""
    os.utime(results)  # the parent watches this
    # Works even while a C function holds the interpreter, and ends this process.
    faulthandler.dump_traceback_later(seconds * deadline.slowdown(), file=stacks, exit=True)


def put_clock_forward(seconds: float, package: str) -> None:
    """Make `time` and `datetime` report a later time, which advances further with each call from the package.

    Call this before importing the author's code. Waits in the standard library are not affected.
    """
    clocks = {name: getattr(time, name) for name in ("time", "monotonic", "perf_counter")}
    local, utc, passed = time.localtime, time.gmtime, [seconds]

    def later(name: str) -> float:
        frame: types.FrameType | None = sys._getframe(2)
        while frame is not None and frame.f_globals.get("__name__") == __name__:
            frame = frame.f_back  # dates read the time, so the caller of the date counts
        # Timeouts of the standard library, as in subprocess.run(timeout=5), are not the author's readings.
        asked = frame is not None and frame.f_globals.get("__package__") == package
        passed[0] += AGED * asked
        return float(clocks[name]()) + passed[0]

    class Reading(type):
        """A metaclass for date and time classes. Objects that C code created also count as instances."""

        def __instancecheck__(cls, instance: object) -> bool:
            return isinstance(instance, moment if issubclass(cls, moment) else day)

    # Created dynamically: their methods return instances of the real class.
    present = {
        "now": staticmethod(lambda tz=None: moment.fromtimestamp(time.time(), tz)),
        "utcnow": staticmethod(lambda: moment.fromtimestamp(time.time(), UTC).replace(tzinfo=None)),
        "today": staticmethod(lambda: moment.fromtimestamp(time.time())),
    }
    today = {"today": staticmethod(lambda: day.fromtimestamp(time.time()))}
    for name in clocks:
        setattr(time, name, lambda name=name: later(name))
        setattr(time, f"{name}_ns", lambda name=name: int(later(name) * 1e9))
    time.localtime = lambda at=None: local(time.time() if at is None else at)
    time.gmtime = lambda at=None: utc(time.time() if at is None else at)
    vars(datetime).update(
        datetime=Reading("Later", (moment,), present), date=Reading("LaterDay", (day,), today)
    )


def adopt_orphans() -> None:
    """Adopt processes that a group of jobs leaves running, so that ``end_children`` can end them."""
    set_child_subreaper = 36
    ctypes.CDLL(None).prctl(set_child_subreaper, 1, 0, 0, 0)


def end_children() -> None:
    """End the processes that a group of jobs left running, to protect the next group."""
    children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")
    while left := children.read_text("utf-8").split():
        for pid in map(int, left):
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def describe(error: Exception, folder: str) -> dict[str, str]:
    """Return an error's type and message, and the line of the author's code that raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if frame.filename.startswith(folder)]
    where = f"{Path(own[-1].filename).name}:{own[-1].lineno}" if own else ""
    if isinstance(error, SyntaxError) and error.filename:
        where = f"{Path(error.filename).name}:{error.lineno}"
    return {"kind": type(error).__name__, "message": str(error), "where": where}


MODULES = (
    "answer_key", "chance", "coverage", "disturbances", "domain", "episodes", "ladder", "openings", "random_play",
    "roles", "runs", "soak", "survey",
)  # fmt: skip
JOBS: dict[str, Callable[..., object]] = {}
for _name in MODULES:
    JOBS |= importlib.import_module(f"skill_tools_jobs.{_name}").JOBS

if __name__ == "__main__":
    sys.path.pop(0)  # the author's code imports none of our modules
    sys.dont_write_bytecode = True  # and nothing is written into its folder
    main()
