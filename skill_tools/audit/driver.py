"""Driving an environment that is not ours: its framework's driver, in its venv, within bounds.

Nothing of the environment runs in this process, and nothing that it says is believed to be small.
"""

from __future__ import annotations

import json
import math
import re
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel
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
from skill_tools.evidence.trajectory import Trajectory
from skill_tools.runtime import supervise, venvs
from skill_tools.runtime.environment import child_environment

DRIVERS = Path(__file__).parent / "drivers"
LARGEST_LOG = 32 << 20
"""Bytes that a process may print: more is an endless loop that fills the disk."""
LARGEST_OUTPUT = 128 << 20
"""Bytes of its findings that are read: pictures of all episodes fit, and so do they in memory."""
STARTING = 300.0
"""Seconds for importing a framework and an environment, besides what is asked of them."""
UNPRINTABLE = re.compile(r"\x1b\[[0-9;]*[A-Za-z]|[\x00-\x08\x0b-\x1f\x7f]")
"""What somebody else's program may not do to our reader's terminal."""


class SeenEpisode(BaseModel):
    """An episode as a driver tells it."""

    trajectory: Trajectory
    seen: dict[str, Any] = {}

    @property
    def sound(self) -> bool:
        """Whether its numbers are numbers."""
        totals = [self.trajectory.final_reward, self.trajectory.total or 0.0]
        totals += [step.reward for step in self.trajectory.steps]
        return all(math.isfinite(each) for each in totals)


class PlayedGroup(BaseModel):
    """A line of a driver: what came of a group of scripts."""

    group: str
    episodes: list[SeenEpisode]


@dataclass(frozen=True)
class Ended:
    """The lines that a driver wrote, and why it ended if that was not at its own end.

    doing: what it was at then. hung: whether it was ended because that did not return.
    """

    lines: list[bytes]
    why: str = ""
    doing: Doing | None = None
    hung: bool = False


@dataclass(frozen=True)
class RunningServer:
    """A server that was started: its address, the seconds that took, and what it tells of itself."""

    url: str
    startup: float
    lines: Path

    @property
    def memory_mb(self) -> float:
        """What it held at most, so far."""
        events = [json.loads(line) for line in _read_lines(self.lines)]
        return max((each.get("memory_mb", 0.0) for each in events), default=0.0)


@dataclass(frozen=True)
class DriverSession:
    """An environment in reach of its driver: where it is, and what discovery found."""

    target: Target
    venv: venvs.Overlay
    call_seconds: float
    url: str | None = None
    found: dict[str, Any] | None = None
    say: Say = lambda _: None

    def ask(
        self, do: str, seconds: float, describe: Describe = lambda who: who, **more: Any
    ) -> Ended:
        """Have the driver do something that takes at most so many seconds; ``describe`` names an episode in words.

        Raises SkillToolsError where a server at an address wants another token.
        """
        with tempfile.TemporaryDirectory(prefix="skill-tools-") as scratch:
            lines = Path(scratch) / "lines.jsonl"
            # Where an environment runs programs, none may find what is asked of the driver, answers among it.
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
            return Ended(read, f"{doing.what}: no answer in time", doing, hung=True)
        if outcome.timed_out:
            return Ended(read, f"no end after {seconds + STARTING:g} s", doing)
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
        """Start the target's server for the block.

        Raises RolloutError where it does not start.
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
                            f"{self.target.name} does not start: nothing after {STARTING:g} s"
                        )
                    time.sleep(0.05)
                url = json.loads(read[0])["url"]
                yield RunningServer(url, time.monotonic() - began, lines)

    def command(self, scratch: Path, request: dict[str, Any]) -> list[str]:
        """The command line of the driver, whose request is written down in a folder."""
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
        """The environment of the driver: the framework's, and where the drivers' own modules are."""
        token = token_variables(self.target.url)
        own = {**self.target.framework.environment, "PYTHONPATH": str(DRIVERS)}
        return child_environment({**own, **token})


def _read_lines(path: Path) -> list[bytes]:
    """The whole lines of a file, as far as it is read."""
    if not path.is_file():
        return []
    with path.open("rb") as file:
        return [_whole(line) for line in file.read(LARGEST_OUTPUT).split(b"\n")[:-1] if line]


def _read_said(path: Path) -> list[bytes]:
    """The lines of a driver, without the token that a server may have told back."""
    return [hide_in_line(line) for line in _read_lines(path)]


def _whole(line: bytes) -> bytes:
    """A line without half of a surrogate pair, which no other reader of JSON takes."""
    if b"\\ud" not in line:
        return line
    try:
        return json.dumps(clean_all(json.loads(line))).encode()
    except (ValueError, RecursionError):
        return line


def _bounded_log(who: str) -> Any:
    """A listener that ends who prints without end."""
    printed = 0

    def count(line: str) -> None:
        nonlocal printed
        printed += len(line) + 1
        if printed > LARGEST_LOG:
            raise RolloutError(f"{who} prints more than {LARGEST_LOG >> 20} MB")

    return count
