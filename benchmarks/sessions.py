"""Sessions held at one step per second: by one server process, ours beside one written by hand, and behind HAProxy.

A step is late when it ends more than a second after its slot. Each way is asked for more and more
sessions until it has too many steps late.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import Any

from comparison import (
    HAND_WRITTEN,
    Row,
    Server,
    Variant,
    load_on,
    say,
    scratch_folder,
    served,
    show,
    variants,
    venvs_of_this_run,
)
from fleet import fleet

IN_TIME = 0.95
BAR = {"openenv": 2048}
"""Sessions that one process has to hold on two cores; the others are held to the server by hand."""
WITHIN = 1.1
COUNTS = (256, 512, 1024, 2048, 4096)

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
Run = dict[str, Any]
Serve = Callable[[], AbstractContextManager[Server]]


def main() -> int:
    """Measure and print; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frameworks", nargs="+", choices=list(OURS), default=list(OURS))
    parser.add_argument("--sessions", type=int, nargs="+", default=COUNTS)
    parser.add_argument("--steps", type=int, default=8, help="per session, one per second")
    args = parser.parse_args()
    failed = 0
    with scratch_folder() as scratch:
        made = variants(scratch, *args.frameworks)
        with venvs_of_this_run(made):
            for variant in made:
                hold = partial(climb, variant, sorted(args.sessions), args.steps)
                failed |= one_process(variant, hold, scratch)
                failed |= behind_a_balancer(variant, hold)
    return failed


def one_process(variant: Variant, hold: Callable[..., list[Run]], scratch: Path) -> int:
    """The table of one server process, ours and by hand; returns the exit code."""
    framework = variant.framework
    log = variant.folder.parent / "logs" / framework / "server"
    options = () if framework != "openenv" else ("--max-sessions", "4096")
    program = [*OURS[framework], *options]
    ours = hold(lambda: served(variant, program, variant.folder / framework, log), "ours")
    by_hand = [HAND_WRITTEN / BY_HAND[framework]]
    theirs = hold(lambda: served(variant, by_hand, scratch, log), "by hand")
    rows = side_by_side(framework, ours, theirs, BAR.get(framework))
    if framework not in BAR:
        ratio = cpu(ours[0]) / cpu(theirs[0])
        rows.append(
            Row(
                f"{framework}: server CPU per step",
                f"{cpu(ours[0]):.2f} ms",
                f"{cpu(theirs[0]):.2f} ms",
                f"{ratio:.2f}",
                f"at most {WITHIN:g}",
                ratio <= WITHIN,
            )
        )
    return show("One server process, one step per second and session", "by hand", rows)


def behind_a_balancer(variant: Variant, hold: Callable[..., list[Run]]) -> int:
    """The table of one and two workers behind HAProxy; returns the exit code."""
    one = hold(lambda: fleet(variant, 1), "balanced, 1 worker")
    two = hold(lambda: fleet(variant, 2), "balanced, 2 workers")
    rows = side_by_side(variant.framework, one, two, None)
    return show("Behind HAProxy, all on the same cores", "2 workers", rows, ours="1 worker")


def climb(variant: Variant, counts: Sequence[int], steps: int, serve: Serve, who: str) -> list[Run]:
    """Hold more and more sessions, until too many steps are late; the last of the runs may be such a one."""
    runs: list[Run] = []
    log = variant.folder.parent / "logs" / variant.framework
    for sessions in counts:
        say(f"{variant.framework}, {who}: {sessions} sessions for {steps} s")
        with serve() as server:
            load_on(variant, server, log / "warm", sessions=16, steps=8, period=0.0)
            run = load_on(variant, server, log / "load", sessions=sessions, steps=steps, period=1.0)
        runs.append({**run, "sessions": sessions})
        if in_time(run) < IN_TIME:
            break
    return runs


def side_by_side(
    framework: str, left: Sequence[Run], right: Sequence[Run], bar: int | None
) -> list[Row]:
    """The lines of each count that somebody was asked for, and of what a session weighs."""
    rows = []
    sides = [{run["sessions"]: run for run in runs} for runs in (left, right)]
    for count in sorted(sides[0].keys() | sides[1].keys()):
        told = [waits(side.get(count)) for side in sides]
        held, met = "", None
        if count == bar:
            held = f"at least {IN_TIME:.0%}"
            met = count in sides[0] and in_time(sides[0][count]) >= IN_TIME
        rows.append(Row(f"{framework}, {count} sessions", *told, "", held, met))
    if bar and bar > max(sides[0]) and in_time(left[-1]) < IN_TIME:
        rows.append(Row(f"{framework}, {bar} sessions", "-", "", "", "held", False))
    weighs = [weight(runs) for runs in (left, right)]
    rows.append(Row(f"{framework}: memory of a session", *weighs))
    return rows


def waits(run: Run | None) -> str:
    """How many steps were in time, and how long they took: half, 95 and 99 of 100 at most."""
    if run is None:
        return "not tried"
    p50, p95, p99 = (1000 * run[name] for name in ("p50", "p95", "p99"))
    return f"{in_time(run):.1%}; {p50:.1f} / {p95:.0f} / {p99:.0f} ms"


def weight(runs: Sequence[Run]) -> str:
    """Kilobytes that a session adds to the servers' memory, of the largest number that was held."""
    held = [run for run in runs if in_time(run) >= IN_TIME]
    return f"{1000 * held[-1]['megabytes'] / held[-1]['sessions']:.0f} kB" if held else "-"


def in_time(run: Run) -> float:
    """Share of the steps that were in time."""
    return 1 - float(run["late"]) / float(run["steps"])


def cpu(run: Run) -> float:
    """Server processor time per step, in milliseconds."""
    return 1000 * float(run["cpu"]) / float(run["steps"])


if __name__ == "__main__":
    sys.exit(main())
