"""Drive a foreign environment with its framework's driver, in the framework's venv and within limits.

None of the environment's code runs in this process, and all output of the environment is limited in size.
"""

from __future__ import annotations

import json
import math
import os
import re
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, field_validator
from rl_env_harness.arguments import clean_all

from skill_tools.audit.target import Target
from skill_tools.audit.token import (
    UNAUTHORIZED,
    hide_in_line,
    hide_token,
    token_variables,
    unauthorized,
)
from skill_tools.audit.waiting import Describe, Doing, Say, wait_for
from skill_tools.errors import RolloutError
from skill_tools.evidence.grading.graded import LACKING
from skill_tools.evidence.trajectory import Trajectory
from skill_tools.runtime import supervise, venvs
from skill_tools.runtime.environment import child_environment

DRIVERS = Path(__file__).parent / "drivers"
WORKER = Path(__file__).parents[1] / "worker"
"""The folder whose module `call_trace` drivers import, too."""
LARGEST_LOG = 32 << 20
"""Maximum bytes of a process's output: a larger output is an endless loop that fills the disk."""
LARGEST_OUTPUT = 128 << 20
"""Maximum bytes to read from its results: enough for the pictures of all episodes, and small enough for memory."""
LARGEST_READ = 1 << 20
"""Maximum bytes to read from the end of a server's output."""
STARTING = 300.0
"""Seconds for importing a framework and an environment, in addition to the requested work."""
UNPRINTABLE = re.compile(r"\x1b\[[0-9;]*[A-Za-z]|[\x00-\x08\x0b-\x1f\x7f]")
"""Output that a foreign program must not send to the reader's terminal."""


OFFLINE = re.compile(
    r"(?i)name or service not known|temporary failure in name resolution|could not resolve host|network is unreachable"
)
"""Matches the errors of a machine without network."""


class SeenEpisode(BaseModel):
    """An episode as reported by a driver."""

    trajectory: Trajectory

    @field_validator("trajectory")
    @classmethod
    def _without_network(cls, played: Trajectory) -> Trajectory:
        """If an episode failed because the machine is offline, record the missing network as the cause."""
        failure = played.failure
        if not failure or not OFFLINE.search(failure.message):
            return played
        lacking = failure.model_copy(
            update={"kind": LACKING, "message": f"the network: {failure.message}"}
        )
        return played.model_copy(update={"failure": lacking})

    seen: dict[str, Any] = {}

    @property
    def sound(self) -> bool:
        """Whether all rewards of the episode, and the return, are finite."""
        totals = [self.trajectory.final_reward, self.trajectory.total or 0.0]
        totals += [step.reward for step in self.trajectory.steps]
        return all(math.isfinite(each) for each in totals)


class PlayedGroup(BaseModel):
    """A line from a driver: the result of a group of scripts."""

    group: str
    episodes: list[SeenEpisode]


@dataclass(frozen=True)
class Ended:
    """The result of a driver's run.

    Attributes:
        lines: The lines that the driver wrote.
        why: Why the driver ended early, or "".
        doing: The driver's last activity.
        hung: Whether the driver was stopped because its last activity did not return.
    """

    lines: list[bytes]
    why: str = ""
    doing: Doing | None = None
    hung: bool = False


@dataclass(frozen=True)
class RunningServer:
    """A started server: its address, its startup time in seconds, and the files with its reports and its log."""

    url: str
    startup: float
    lines: Path
    log: Path

    @property
    def raised(self) -> str:
        """The last exception in the server's output, or "". The server may hide this exception from clients."""
        return last_exception(_read_text(self.log))

    @property
    def memory_mb(self) -> float:
        """The server's peak memory so far, in MB."""
        events = [json.loads(line) for line in _read_lines(self.lines)]
        return max((each.get("memory_mb", 0.0) for each in events), default=0.0)


@dataclass(frozen=True)
class DriverSession:
    """An environment that its driver can reach: its location, and the result of discovery."""

    target: Target
    venv: venvs.Overlay
    call_seconds: float
    url: str | None = None
    found: dict[str, Any] | None = None
    say: Say = lambda _: None

    def ask(
        self, do: str, seconds: float, describe: Describe = lambda who: who, **more: Any
    ) -> Ended:
        """Send a request to the driver, and wait for the result until the time limit.

        ``describe`` turns an episode's name into readable text.

        Raises SkillToolsError if the target is a server's address and the server rejects the token.
        """
        with tempfile.TemporaryDirectory(prefix="skill-tools-") as scratch:
            lines = Path(scratch) / "lines.jsonl"
            # If an environment runs programs, they must not find the driver's request, which contains answers.
            work = Path(scratch) / "work"
            work.mkdir()
            try:
                with supervise.process(
                    self.command(Path(scratch), {"do": do, "seconds": seconds, **more}),
                    cwd=work,
                    env=self.environment(),
                    log=Path(scratch) / "log",
                    on_line=_bounded_log(f"the driver of {self.target.name}"),
                ) as running:
                    at = lines.with_suffix(".at")
                    waited = wait_for(running, at, seconds + STARTING, self.say, describe)
            except RolloutError as error:
                return Ended(_read_said(lines), str(error))
            read = _read_said(lines)
        outcome, doing = waited.outcome, waited.doing
        if waited.hung and doing:
            return Ended(read, f"{doing.what}: no reply in time", doing, hung=True)
        if outcome.timed_out:
            return Ended(read, f"not finished after {seconds + STARTING:g} s", doing)
        if outcome.returncode == UNAUTHORIZED and self.target.url:
            raise unauthorized(self.target.url)
        if outcome.returncode:
            said = UNPRINTABLE.sub("", outcome.log_tail).strip().splitlines() or [
                "it printed nothing"
            ]
            why = f"{hide_token(said[-1])[:500]} (exit code {outcome.returncode})"
            return Ended(read, why, doing)
        return Ended(read)

    @contextmanager
    def serving(self) -> Iterator[RunningServer]:
        """Run the target's server for the duration of the ``with`` block.

        Raises RolloutError if the server does not start.
        """
        began = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="skill-tools-") as scratch:
            lines = Path(scratch) / "lines.jsonl"
            with supervise.process(
                self.command(Path(scratch), {"do": "serve"}),
                cwd=self.target.folder or Path(scratch),
                env=self.environment(),
                log=Path(scratch) / "log",
                on_line=_bounded_log(f"the server of {self.target.name}"),
            ) as server:
                while not (read := _read_lines(lines)):
                    if not server.running:
                        said = UNPRINTABLE.sub("", server.wait(0).log_tail)
                        raise RolloutError(f"{self.target.name} does not start:\n{said[-2000:]}")
                    if time.monotonic() - began > STARTING:
                        raise RolloutError(
                            f"{self.target.name} does not start: no output after {STARTING:g} s"
                        )
                    time.sleep(0.05)
                url = json.loads(read[0])["url"]
                yield RunningServer(url, time.monotonic() - began, lines, Path(scratch) / "log")

    def command(self, scratch: Path, request: dict[str, Any]) -> list[str]:
        """Write the driver's request to the ``scratch`` folder, and return the driver's command line."""
        target = self.target
        asked = {
            "url": self.url,
            "found": self.found,
            "count": len((self.found or {}).get("places", ())),
            "call_seconds": self.call_seconds,
            "id": target.id,
            "app": target.app,
            "folder": str(target.folder or ""),
            "package": next(iter(target.links), ""),
            "imports": list(target.imports),
            "tasks": str(target.tasks.resolve()) if target.tasks else None,
            "config": dict(target.arguments),
            **request,
        }
        file = scratch / "request.json"
        file.write_text(json.dumps(asked), "utf-8")
        driver = target.framework.folder / "driver.py"
        return [str(self.venv.python), "-P", str(driver), str(file), str(scratch / "lines.jsonl")]

    def environment(self) -> dict[str, str]:
        """Return the driver's environment variables: the framework's variables, and the path of the drivers' own
        modules."""
        token = token_variables(self.target.url)
        framework = self.target.framework.folder
        paths = [
            str(DRIVERS),
            str(WORKER),
            str(framework),
            *([str(self.target.root)] if self.target.root else []),
        ]
        own = {**self.target.framework.environment, "PYTHONPATH": os.pathsep.join(paths)}
        return child_environment({**own, **token})


def last_exception(text: str) -> str:
    """Return the line that names the last exception in a log, or "" if the log has no traceback."""
    _, begins, rest = text.rpartition("Traceback (most recent call last):")
    lines = [line for line in rest.splitlines() if line[:1].strip()]
    return hide_token(lines[0])[:500] if begins and lines else ""


def _read_text(path: Path) -> str:
    """Return the end of a log as text, or "" if there is no log."""
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - LARGEST_READ))
        return UNPRINTABLE.sub("", file.read().decode("utf-8", "replace"))


def _read_lines(path: Path) -> list[bytes]:
    """Return the complete lines of a file, up to the size limit."""
    if not path.is_file():
        return []
    with path.open("rb") as file:
        return [_whole(line) for line in file.read(LARGEST_OUTPUT).split(b"\n")[:-1] if line]


def _read_said(path: Path) -> list[bytes]:
    """Return the lines that a driver wrote, without the token, which a server may have echoed."""
    return [hide_in_line(line) for line in _read_lines(path)]


def _whole(line: bytes) -> bytes:
    """Return a line without lone surrogates, which other JSON parsers refuse."""
    if b"\\ud" not in line:
        return line
    try:
        return json.dumps(clean_all(json.loads(line))).encode()
    except (ValueError, RecursionError):
        return line


def _bounded_log(who: str) -> Any:
    """Return a listener that raises RolloutError if the output of the process ``who`` exceeds the size limit."""
    printed = 0

    def count(line: str) -> None:
        nonlocal printed
        printed += len(line) + 1
        if printed > LARGEST_LOG:
            raise RolloutError(f"{who} prints more than {LARGEST_LOG >> 20} MB")

    return count
