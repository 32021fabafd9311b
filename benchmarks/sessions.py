"""Sessions held at one step per second in one server process, ours beside one written by hand.

A step is late when it ends more than a second after its slot.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from comparison import (
    HAND_WRITTEN,
    Row,
    Variant,
    load_on,
    say,
    scratch_folder,
    served,
    show,
    variants,
    venvs_of_this_run,
)

IN_TIME = 0.95
OPENENV_SESSIONS = 1024
WITHIN = 1.1

OURS = {
    "openenv": ("-m", "server.app"),
    "ors": ("server.py",),
    "nemo_gym": ("server.py",),
}
BY_HAND = {
    "openenv": "openenv_plain.py",
    "ors": "ors_server.py",
    "nemo_gym": "nemo_gym_server.py",
}


def main() -> int:
    """Measure and print; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frameworks", nargs="+", choices=list(OURS), default=list(OURS))
    parser.add_argument("--sessions", type=int, default=128, help="for ORS and NeMo Gym")
    parser.add_argument("--steps", type=int, default=5, help="per session, one per second")
    args = parser.parse_args()
    rows = []
    with scratch_folder() as scratch:
        made = variants(scratch, *args.frameworks)
        with venvs_of_this_run(made):
            for variant in made:
                sessions = OPENENV_SESSIONS if variant.framework == "openenv" else args.sessions
                rows += compare(variant, sessions, args.steps, scratch)
    return show("One server process, one step per second and session", "by hand", rows)


def compare(variant: Variant, sessions: int, steps: int, scratch: Path) -> list[Row]:
    """The lines of one framework."""
    framework = variant.framework
    ours = hold(variant, OURS[framework], variant.folder / framework, sessions, steps)
    theirs = hold(variant, [HAND_WRITTEN / BY_HAND[framework]], scratch, sessions, steps)
    share, other = in_time(ours), in_time(theirs)
    cost, their_cost = cpu(ours), cpu(theirs)
    ratio = cost / their_cost
    held = Row(
        f"{framework}, {sessions} sessions: steps in time",
        f"{share:.1%}",
        f"{other:.1%}",
        "",
        f"at least {IN_TIME:.0%}",
        share >= IN_TIME,
    )
    # Both hold this many; how many more each could is as its processor time per step.
    within = None if framework == "openenv" else ratio <= WITHIN
    spent = Row(
        f"{framework}: server CPU per step",
        f"{cost:.2f} ms",
        f"{their_cost:.2f} ms",
        f"{ratio:.2f}",
        "" if within is None else f"at most {WITHIN:g}",
        within,
    )
    waited = Row(
        f"{framework}: step, median / 99 of 100",
        f"{1000 * ours['p50']:.1f} / {1000 * ours['p99']:.0f} ms",
        f"{1000 * theirs['p50']:.1f} / {1000 * theirs['p99']:.0f} ms",
    )
    return [held, spent, waited]


def hold(variant: Variant, program: Any, cwd: Path, sessions: int, steps: int) -> dict[str, Any]:
    """Serve, and hold the sessions for as many seconds as there are steps."""
    log = variant.folder.parent / "logs" / variant.framework
    with served(variant, program, cwd, log / "server") as server:
        load_on(variant, server, log / "warm", sessions=16, steps=8, period=0.0)
        say(f"{variant.framework}: {program[-1]}, {sessions} sessions for {steps} s")
        return load_on(variant, server, log / "load", sessions=sessions, steps=steps, period=1.0)


def in_time(run: dict[str, Any]) -> float:
    """Share of the steps that were in time."""
    return 1 - run["late"] / run["steps"]


def cpu(run: dict[str, Any]) -> float:
    """Server processor time per step, in milliseconds."""
    return 1000 * run["cpu"] / run["steps"]


if __name__ == "__main__":
    sys.exit(main())
