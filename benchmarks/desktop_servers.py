"""Server processor time per step of a desktop over OpenEnv: ours, and one written by hand.

Needs what desktops.py needs, and mousepad.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from pathlib import Path

import psutil
from comparison import (
    HAND_WRITTEN,
    LOAD,
    ROOT,
    Row,
    Server,
    Variant,
    say,
    scratch_folder,
    served,
    show,
)

import skill_tools
from skill_tools.frameworks import FRAMEWORKS
from skill_tools.rollouts.rollout import variant_venv
from skill_tools.runtime import supervise

DESKTOP = ROOT / "reference_envs" / "desktop_env"
SCREENS = ("Xvfb", "openbox", "mousepad")
"""Programs of the desktop itself, which are the same on both sides."""


def main() -> int:
    """Measure and print; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keys", type=int, default=36, help="of a task's 40 turns")
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    venv = variant_venv(skill_tools.load(DESKTOP), DESKTOP, FRAMEWORKS["openenv"], progress=say)
    variant = Variant(DESKTOP, "openenv", venv)
    programs = {
        "ours": (["-m", "server.app"], DESKTOP / "openenv"),
        "by hand": ([HAND_WRITTEN / "openenv_desktop.py"], HAND_WRITTEN),
    }
    found: dict[str, dict[str, float]] = {}
    with scratch_folder() as scratch:
        for name, (program, cwd) in programs.items():
            with served(variant, program, cwd, scratch / f"{name}.log") as server:
                rounds = [
                    one_round(variant, server, args.keys, scratch) for _ in range(args.rounds)
                ]
            found[name] = {key: statistics.median(r[key] for r in rounds) for key in rounds[0]}
            say(f"{name}: {found[name]}")
    ours, other = found["ours"], found["by hand"]
    rows = [
        row("server CPU per key and picture", ours["own"], other["own"], 1.0),
        row("the same with the X server and the programs", ours["all"], other["all"], None),
        row("time of a key and its picture", ours["time"], other["time"], None),
    ]
    return show("a desktop over OpenEnv", "by hand", rows)


def row(what: str, ours: float, other: float, most: float | None) -> Row:
    """One line: ours may cost at most the share `most` of the other."""
    bar = "" if most is None else f"at most {most:.2f}"
    met = None if most is None else ours <= most * other
    return Row(what, f"{ours:.1f} ms", f"{other:.1f} ms", f"{ours / other:.2f}", bar, met)


def one_round(variant: Variant, server: Server, keys: int, scratch: Path) -> dict[str, float]:
    """Milliseconds per key in one episode."""
    marks: dict[str, tuple[float, float]] = {}
    seconds: list[float] = []

    def on_line(line: str) -> None:
        word, _, rest = line.partition(" ")
        if word in ("opened", "played"):
            marks[word] = processor_time(server.process)
            seconds.extend([float(rest)] if rest else [])

    command = [variant.venv.python, LOAD / "desktop_keys.py", server.url, str(keys)]
    done = supervise.run(
        command,
        cwd=LOAD,
        env=variant.environment,
        timeout=300,
        log=scratch / "load.log",
        on_line=on_line,
    )
    if done.returncode:
        sys.exit(done.log_tail)
    all_of, own = (b - a for a, b in zip(marks["opened"], marks["played"], strict=True))
    return {
        name: 1000 * value / keys
        for name, value in (("all", all_of), ("own", own), ("time", seconds[0]))
    }


def processor_time(server: psutil.Process) -> tuple[float, float]:
    """Seconds of a server with all that it started; and without the desktops themselves."""
    total = screens = 0.0
    for process in (server, *server.children(recursive=True)):
        try:
            times, name = process.cpu_times(), process.name()
        except psutil.NoSuchProcess:
            continue
        used = times.user + times.system
        total += used + times.children_user + times.children_system
        screens += used if name in SCREENS else 0.0
    return total, total - screens


if __name__ == "__main__":
    sys.exit(main())
