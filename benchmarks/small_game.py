"""What a step of a small game costs in every variant, beside the bare domain class.

Plays Wordle: the oracle's guesses, so that every game is solved. Each line has its own process, in
its variant's venv, which plays the same games on the bare domain too: the overhead is over that.
A side that does not earn what the games pay, in as many steps, ends the benchmark with an error.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from comparison import (
    LOAD,
    ROOT,
    Server,
    Variant,
    say,
    scratch_folder,
    served,
    venvs_of_this_run,
)
from rich.console import Console
from rich.table import Table

import skill_tools
from skill_tools.frameworks import FRAMEWORKS
from skill_tools.reference import process
from skill_tools.rollouts.rollout import variant_venv
from skill_tools.runtime import supervise

WORDLE = ROOT / "reference_envs" / "wordle_env"
AUTHORED = ("env.yaml", "examples.yaml", "game.py", "tasks.py", "oracle.py")
SPLIT = "train"

IN_PROCESS = ("trl", "verifiers", "skyrl_gym", "gem")
SERVERS = {
    "openenv": ("-m", "server.app"),
    "ors": ("server.py",),
    "nemo_gym": ("server.py",),
}
TITLES = {
    ("bare", "domain"): "bare domain class",
    ("bare", "episode"): "bare Episode",
    ("trl", "variant"): "trl",
    ("verifiers", "variant"): "verifiers, no model",
    ("skyrl_gym", "variant"): "skyrl_gym",
    ("gem", "variant"): "gem, reset and step",
    ("gem", "vector"): "gem, vectors of 16",
    ("openenv", "variant"): "openenv, WebSocket",
    ("ors", "variant"): "ors, HTTP",
    ("nemo_gym", "variant"): "nemo_gym, HTTP",
}

Games = list[tuple[int, list[str]]]
"""Index of a task, and the guesses that solve it."""


@dataclass(frozen=True)
class Line:
    """What one side needed for all the games; times in seconds.

    bare: of the domain class in the same process. cpu: of the server's processor. step, start:
    medians of single steps and openings, while other sessions wait as well. at_once: games.
    """

    side: tuple[str, str]
    at_once: int
    episodes: int
    steps: int
    seconds: float
    bare: float
    cpu: float | None = None
    start: float | None = None
    step: float | None = None


def main() -> int:
    """Measure and print; returns the exit code."""
    args = _arguments()
    names = args.only or ["bare", *IN_PROCESS, *SERVERS]
    started = time.monotonic()
    with scratch_folder() as scratch:
        folder = _author_files(scratch / "wordle_env")
        frameworks = [name for name in names if name != "bare"] or [IN_PROCESS[0]]
        games = _solved(folder, args.tasks)
        made = _variants(folder, frameworks)
        (scratch / "games.json").write_text(json.dumps({"split": SPLIT, "games": games}), "utf-8")
        lines: list[Line] = []
        with venvs_of_this_run(made):
            for name in names:
                [variant] = [v for v in made if v.framework == name] or made[:1]
                for at_once in args.sessions or [16 if name in SERVERS else 1]:
                    lines += _measure(name, variant, scratch, games, args, at_once)
    _show(lines, args)
    say(f"{time.monotonic() - started:.0f} s in all")
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--episodes", type=int, default=10_000)
    parser.add_argument("--tasks", type=int, default=160, help="different ones; repeated as needed")
    told = "games at once, several numbers for a line each (default: 16 over HTTP, 1 in process)"
    parser.add_argument("--sessions", type=int, nargs="+", help=told)
    parser.add_argument("--rounds", type=int, default=3, help="in process; the median counts")
    parser.add_argument("--only", nargs="+", choices=["bare", *IN_PROCESS, *SERVERS])
    args = parser.parse_args()
    args.tasks = min(args.tasks, args.episodes)
    if min(args.episodes, args.tasks, args.rounds, *(args.sessions or ())) < 1:
        parser.error("all numbers must be at least 1")
    return args


def _author_files(target: Path) -> Path:
    """Copy the author's files of Wordle, and nothing that was rendered."""
    target.mkdir()
    for name in (*AUTHORED, *skill_tools.load(WORDLE).include):
        shutil.copy(WORDLE / name, target / name)
    return target


def _variants(folder: Path, frameworks: Sequence[str]) -> list[Variant]:
    """Render Wordle and prepare the venvs, each seeing its variant's modules."""
    spec = skill_tools.render(folder, frameworks).spec
    made = []
    for name in frameworks:
        say(f"preparing the venv of {name}")
        made.append(
            Variant(folder, name, variant_venv(spec, folder, FRAMEWORKS[name], progress=say))
        )
    return made


def _solved(folder: Path, tasks: int) -> Games:
    """The oracle's guesses for the first tasks of the split."""
    say(f"solving {tasks} tasks")
    places = [{"split": SPLIT, "index": index} for index in range(tasks)]
    jobs = [process.Query("solve", f"solving {SPLIT}/{place['index']}", place) for place in places]
    answers = process.ask(skill_tools.load(folder), folder, jobs)
    for answer in answers:
        if answer.error:
            raise RuntimeError(answer.error)
    return [
        (place["index"], [arguments["word"] for _, arguments in answer.value])
        for place, answer in zip(places, answers, strict=True)
    ]


def _measure(
    name: str,
    variant: Variant,
    scratch: Path,
    games: Games,
    args: argparse.Namespace,
    at_once: int,
) -> list[Line]:
    """The lines of one variant, or of what is measured without any."""
    say(f"{name}: {args.episodes} episodes, {at_once} at once")
    args.at_once = at_once
    if name in SERVERS:
        cwd, log = variant.folder / name, scratch / f"{name}-server.log"
        with served(variant, SERVERS[name], cwd, log) as server:
            report, cpu = _play(name, variant, scratch, args, server)
    else:
        report, cpu = _play(name, variant, scratch, args)
    sides: dict[str, dict[str, Any]] = report["sides"]
    bare = statistics.median(sides["domain"]["seconds"])
    lines = []
    for side, found in sides.items():
        _check(f"{name}, {side}", found, games, args.episodes)
        if side == "domain" and name != "bare":
            continue
        seconds = statistics.median(found["seconds"])
        rounds = ", ".join(f"{1e6 * each / found['steps']:.1f}" for each in found["seconds"])
        say(f"{TITLES[name, side]}: {rounds} µs per step, on Python {report['python']}")
        times = {key: found.get(key) for key in ("start", "step")}
        facts = (at_once, args.episodes, found["steps"], seconds, bare, cpu)
        lines.append(Line((name, side), *facts, **times))
    return lines


def _play(
    name: str,
    variant: Variant,
    scratch: Path,
    args: argparse.Namespace,
    server: Server | None = None,
) -> tuple[dict[str, Any], float | None]:
    """Run load/games_NAME.py; returns its report, and the server's processor time."""
    report: dict[str, Any] = {}
    marks: dict[str, float] = {}

    def on_line(line: str) -> None:
        word, _, rest = line.partition(" ")
        if server and word in ("opened", "ended"):
            marks[word] = server.cpu_seconds()
        if word == "played":
            report.update(json.loads(rest))

    command = [variant.venv.python, LOAD / f"games_{name}.py"]
    command += ["--games", scratch / "games.json", "--episodes", str(args.episodes)]
    command += ["--rounds", str(args.rounds), "--sessions", str(args.at_once)]
    command += ["--url", server.url] if server else []
    result = supervise.run(
        command,
        cwd=LOAD,
        env={**variant.environment, "PYTHONPATH": str(variant.folder / variant.framework)},
        timeout=300 + 0.1 * args.episodes,
        log=scratch / f"{name}.log",
        on_line=on_line,
    )
    if not report or result.returncode:
        late = "no end in time\n" if result.timed_out else ""
        raise RuntimeError(f"{name} did not play to the end\n{late}{result.log_tail}")
    return report, marks["ended"] - marks["opened"] if server else None


def _check(what: str, found: dict[str, Any], games: Games, episodes: int) -> None:
    """Raise RuntimeError unless every game was solved in the turns that were scripted."""
    rounds, rest = divmod(episodes, len(games))
    steps = [len(words) for _, words in games]
    expected = {"steps": rounds * sum(steps) + sum(steps[:rest]), "total": float(episodes)}
    got = {key: found[key] for key in expected}
    if got != expected:
        raise RuntimeError(f"{what} is broken: {got} where the games have {expected}")


def _show(lines: Sequence[Line], args: argparse.Namespace) -> None:
    title = f"Wordle, {args.tasks} tasks, opening and end of episodes included"
    headings = (
        "",
        "at once",
        "episodes",
        "steps",
        "seconds",
        "steps/s",
        "µs per step",
        "over domain",
        "factor",
    )
    headings += ("server CPU", "p50 step", "p50 start")
    table = Table(title=title, title_justify="left")
    for heading in headings:
        table.add_column(heading, justify="right" if heading else "left")
    for line in lines:
        table.add_row(*_cells(line))
    Console(width=None if sys.stdout.isatty() else 140).print(table)


def _cells(line: Line) -> tuple[str, ...]:
    def milli(seconds: float | None, per: int = 1) -> str:
        return "" if seconds is None else f"{1e3 * seconds / per:.2f} ms"

    itself = line.side == ("bare", "domain")
    return (
        TITLES[line.side],
        f"{line.at_once}",
        f"{line.episodes:,}",
        f"{line.steps:,}",
        f"{line.seconds:.2f}",
        f"{line.steps / line.seconds:,.0f}",
        f"{1e6 * line.seconds / line.steps:,.1f}",
        "" if itself else f"{1e6 * (line.seconds - line.bare) / line.steps:,.1f} µs",
        "" if itself else f"{line.seconds / line.bare:,.1f}",
        milli(line.cpu, line.steps),
        milli(line.step),
        milli(line.start),
    )


if __name__ == "__main__":
    sys.exit(main())
