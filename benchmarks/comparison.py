"""What every benchmark needs: connect four rendered, servers to compare, and the table of ratios."""

from __future__ import annotations

import json
import shutil
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
from rich.console import Console
from rich.table import Table

import skill_tools
from skill_tools.frameworks import FRAMEWORKS
from skill_tools.policies.scripted import Call, Script, Turn
from skill_tools.rollouts.rollout import variant_venv
from skill_tools.runtime import supervise, venvs
from skill_tools.runtime.environment import child_environment

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
CONNECT_FOUR = ROOT / "evals" / "cases" / "connect_four" / "reference"
AUTHORED = ("env.yaml", "examples.yaml", "game.py", "tasks.py", "oracle.py")
HAND_WRITTEN = HERE / "hand_written"
LOAD = HERE / "load"

TASKS = 32
"""Every benchmark plays the first so many tasks of the split train."""

COLUMNS = (4, 7, 5, 5, 5, 3, 7, 7, 3, 3, 6, 6, 4, 3, 7, 5, 7, 2, 1, 2, 2, 5, 5, 1)
"""Moves that end each of these games after 11 steps in the mean (14 at most), all of them legal."""

START_SECONDS = 90.0


@dataclass(frozen=True)
class Row:
    """One line of a benchmark's table; `met` is None for a line that is held to no bar."""

    what: str
    ours: str
    other: str = ""
    ratio: str = ""
    bar: str = ""
    met: bool | None = None


def show(title: str, other: str, rows: Sequence[Row], *, ours: str = "ours") -> int:
    """Print the table; returns the exit code, 1 if a bar was missed."""
    verdicts = {True: "met", False: "MISSED", None: ""}
    cells = [(r.what, r.ours, r.other, r.ratio, r.bar, verdicts[r.met]) for r in rows]
    table = Table(title=title, title_justify="left")
    headings = ("", ours, other, "ratio", "bar", "")
    used = [column for column in range(len(headings)) if any(line[column] for line in cells)]
    for column in used:
        right = headings[column] not in ("", "bar")
        table.add_column(headings[column], justify="right" if right else "left")
    for line in cells:
        table.add_row(*(line[column] for column in used))
    Console(width=None if sys.stdout.isatty() else 140).print(table)
    return int(any(row.met is False for row in rows))


def say(message: str) -> None:
    """Tell what is being done, beside the table."""
    print(f"... {message}", file=sys.stderr, flush=True)


def game_script(tool: str = "drop_piece") -> Script:
    """COLUMNS as a policy for the policy endpoint."""
    return tuple(Turn((Call(tool, {"column": column}),)) for column in COLUMNS)


@dataclass(frozen=True)
class Variant:
    """Connect four rendered for one framework, with a venv in which it and HAND_WRITTEN import.

    bare: a venv with the framework as its own index page has it, for what is written by hand.
    """

    folder: Path
    framework: str
    venv: venvs.Overlay
    bare: venvs.Overlay | None = None

    @property
    def environment(self) -> dict[str, str]:
        """What its processes get."""
        ours = FRAMEWORKS[self.framework].environment
        return child_environment({**ours, "PYTHONPATH": str(HAND_WRITTEN)})


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A temporary folder, gone when the block is left."""
    with tempfile.TemporaryDirectory(prefix="skill-tools-benchmark-") as folder:
        yield Path(folder)


def author_files(target: Path) -> Path:
    """Copy the author's files of connect four, and nothing that was rendered."""
    target.mkdir(parents=True)
    for name in AUTHORED:
        shutil.copy(CONNECT_FOUR / name, target / name)
    return target


def variants(scratch: Path, *frameworks: str) -> list[Variant]:
    """Render connect four for some frameworks and prepare their venvs."""
    return variants_of(author_files(scratch / "connect_four"), *frameworks)


def variants_of(folder: Path, *frameworks: str) -> list[Variant]:
    """Render an environment for some frameworks and prepare their venvs."""
    spec = skill_tools.render(folder, frameworks).spec
    made = []
    for name in frameworks:
        say(f"preparing the venv of {name}")
        framework = FRAMEWORKS[name]
        venv = variant_venv(spec, folder, framework, progress=say)
        only = framework.requirements[:1]
        bare = variant_venv(spec, folder, framework, requirements=only, progress=say)
        made.append(Variant(folder, name, venv, bare))
    return made


@contextmanager
def venvs_of_this_run(made: Sequence[Variant]) -> Iterator[None]:
    """Remove the overlays when the block is left; they point into a temporary folder."""
    try:
        yield
    finally:
        for venv in (venv for variant in made for venv in (variant.venv, variant.bare) if venv):
            shutil.rmtree(venv.folder, ignore_errors=True)


@dataclass(frozen=True)
class Server:
    """A server that is up."""

    url: str
    process: psutil.Process

    def cpu_seconds(self) -> float:
        """Processor time that it has used so far, with its children's."""
        times = [process.cpu_times() for process in self._all()]
        return sum(t.user + t.system for t in times)

    def megabytes(self) -> float:
        """Memory that it has now, with its children's."""
        return sum(process.memory_info().rss for process in self._all()) / 1e6

    def _all(self) -> list[psutil.Process]:
        return [self.process, *self.process.children(recursive=True)]


@contextmanager
def served(
    variant: Variant, program: Sequence[str | Path], cwd: Path, log: Path, port: int | None = None
) -> Iterator[Server]:
    """Run a server program with `--port` until the `with` block ends. Raises RuntimeError if the server does not start.

    A program of HAND_WRITTEN gets the bare venv.
    """
    port = port or free_port()
    by_hand = any(str(word).startswith(str(HAND_WRITTEN)) for word in program)
    venv = variant.bare if variant.bare and by_hand else variant.venv
    command = [venv.python, *program, "--port", str(port)]
    with supervise.process(command, cwd=cwd, env=variant.environment, log=log) as handle:
        until = time.monotonic() + START_SECONDS
        while not listens(port):
            if not handle.running or time.monotonic() > until:
                raise RuntimeError(f"no server from {program}\n{handle.terminate().log_tail}")
            time.sleep(0.05)
        yield Server(f"http://127.0.0.1:{port}", _process_with(str(port)))


def free_port() -> int:
    """A port of loopback that nobody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    return port


def listens(port: int) -> bool:
    """Whether something answers on a loopback port."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _process_with(argument: str) -> psutil.Process:
    """The child of ours with an argument, not the supervisor that has it too."""
    children = psutil.Process().children(recursive=True)
    found = [process for process in children if process.cmdline()[-1:] == [argument]]
    return max(found, key=lambda process: len(process.parents()))


def load_on(
    variant: Variant,
    server: Server,
    log: Path,
    *,
    sessions: int,
    steps: int,
    period: float,
    timeout: float = 300.0,
    survive: bool = False,
) -> dict[str, Any]:
    """Play games in many sessions at once; returns what load/pace.py reports, `cpu` and `megabytes`.

    With `survive` a session that is lost is no failure: it is counted, and another one opened.

    `cpu` is the server's processor time in seconds from the first step to the last, resets of
    ended games included and the opening of sessions not. `megabytes` is what its memory grew by
    from before the sessions to the last step.
    """
    marks: dict[str, float] = {}
    found: dict[str, Any] = {}
    before = server.megabytes()

    def on_line(line: str) -> None:
        word, _, rest = line.partition(" ")
        if word in ("opened", "played"):
            marks[word] = server.cpu_seconds()
        if word == "played":
            found.update(json.loads(rest), megabytes=server.megabytes() - before)

    command = [variant.venv.python, LOAD / f"{variant.framework}_client.py", "--url", server.url]
    command += ["--sessions", str(sessions), "--steps", str(steps), "--period", str(period)]
    command += ["--survive"] * survive
    command += ["--tasks", str(TASKS), "--columns", ",".join(map(str, COLUMNS))]
    environment = variant.environment
    result = supervise.run(
        command, cwd=LOAD, env=environment, timeout=timeout, log=log, on_line=on_line
    )
    if not found:
        late = f"no end after {timeout:g} s\n" if result.timed_out else ""
        raise RuntimeError(f"{late}{result.log_tail}")
    return {**found, "cpu": marks["played"] - marks["opened"]}


def timed(work: Callable[[], Any]) -> float:
    """Seconds that some work takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def with_path(environment: Mapping[str, str], folder: Path) -> dict[str, str]:
    """An environment in which a folder comes first on the PATH."""
    return {**environment, "PATH": f"{folder}:{environment.get('PATH', '')}"}
