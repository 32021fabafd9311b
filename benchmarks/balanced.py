"""What the balancer of `skill-tools deploy` costs, what a second worker brings, and what a worker's death costs.

Everything runs on the same cores: client, balancer and workers. The rounds of the ways are played by turns.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import psutil
from comparison import (
    AUTHORED,
    CONNECT_FOUR,
    Row,
    Server,
    Variant,
    load_on,
    say,
    scratch_folder,
    show,
    variants_of,
    venvs_of_this_run,
)
from fleet import Fleet, deployment, fleet, wait_for, worker

FRAMEWORKS = ("openenv", "ors", "nemo_gym")
OVERHEAD = 0.15
SECOND = 1.7
"""Of one worker's throughput, what two must have where the world computes."""
BACK = 2.0
"""Seconds in which a new session is served after a worker was killed."""
COMPUTES = 0.02
"""Seconds of processor time of a step of the world that computes: client and balancer are little beside it."""
KILLS = 10
EVERY = 3.0
"""Seconds from one kill to the next; a worker is up again after about one and a half."""
WORLD = f"""

_drop = ConnectFour.drop_piece


def _computes(self: ConnectFour, column: int) -> str:
    until = time.thread_time() + {COMPUTES}
    while time.thread_time() < until:
        pass
    return _drop(self, column)


ConnectFour.drop_piece = _computes
"""


def main() -> int:
    """Measure and print; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frameworks", nargs="+", choices=FRAMEWORKS, default=FRAMEWORKS)
    parser.add_argument("--sessions", type=int, default=64, help="in which steps are played")
    parser.add_argument("--rounds", type=int, default=3, help="of each way, by turns")
    parser.add_argument("--kills", type=int, default=KILLS)
    args = parser.parse_args()
    failed = 0
    with scratch_folder() as scratch:
        quick = variants_of(author_files(scratch / "quick", ""), *args.frameworks)
        slow = variants_of(author_files(scratch / "slow", WORLD), *args.frameworks)
        with venvs_of_this_run([*quick, *slow]):
            rows = []
            for free, computing in zip(quick, slow, strict=True):
                rows += throughput(free, args, "a game that costs nothing", bar=False)
                what = f"a world that computes {1000 * COMPUTES:g} ms a step"
                rows += throughput(computing, args, what, bar=True)
            failed |= show(f"Steps per second, {args.sessions} sessions", "", rows, ours="found")
            rows = [row for variant in quick for row in deaths(variant, args.kills)]
            failed |= show(f"{args.kills} kills in a row, two workers", "", rows, ours="found")
    return failed


def author_files(target: Path, more: str) -> Path:
    """The author's files of connect four, with more at the end of its game."""
    folder = target / "connect_four"
    folder.mkdir(parents=True)
    for name in AUTHORED:
        text = (CONNECT_FOUR / name).read_text("utf-8")
        if name == "game.py" and more:
            text = text.replace("import random\n", "import random\nimport time\n", 1) + more
        (folder / name).write_text(text, "utf-8")
    return folder


def throughput(variant: Variant, args: argparse.Namespace, world: str, bar: bool) -> list[Row]:
    """The lines of one world: directly, and through the balancer with one worker and with two."""
    steps = 12 if bar else 400 if variant.framework == "openenv" else 100
    found: dict[str, list[dict[str, Any]]] = {"direct": [], "one": [], "two": []}
    with fleet(variant, 1) as one, fleet(variant, 2) as two:
        ways: dict[str, Server] = {"direct": one.workers[0], "one": one, "two": two}
        for number in range(args.rounds):
            for way, server in ways.items():
                say(f"{variant.framework}, {world}: {way}, round {number + 1}")
                log = variant.folder.parent / "logs" / variant.framework / way
                run = load_on(variant, server, log, sessions=args.sessions, steps=steps, period=0.0)
                found[way].append(run)
    speed = {way: _rates(runs) for way, runs in found.items()}
    middle = {way: statistics.median(rates) for way, rates in speed.items()}
    lost, gained = 1 - middle["one"] / middle["direct"], middle["two"] / middle["one"]
    spent = {way: 1000 * statistics.median(_cpu(runs)) for way, runs in found.items()}
    name = variant.framework
    return [
        Row(f"{name}, {world}: directly", _told(speed["direct"])),
        Row(
            f"{name}: balanced, one worker",
            _told(speed["one"]),
            ratio=f"{1 - lost:.2f}",
            bar=f"at least {1 - OVERHEAD:g}",
            met=lost <= OVERHEAD,
        ),
        Row(
            f"{name}: balanced, two workers, of one",
            _told(speed["two"]),
            ratio=f"{gained:.2f}",
            bar=f"at least {SECOND:g}" if bar else "",
            met=gained >= SECOND if bar else None,
        ),
        Row(
            f"{name}: CPU of a step, worker; balancer's",
            f"{spent['direct']:.3f} ms; {spent['one'] - spent['direct']:.3f} ms",
        ),
    ]


def _rates(runs: list[dict[str, Any]]) -> list[float]:
    return [run["steps"] / run["elapsed"] for run in runs]


def _cpu(runs: list[dict[str, Any]]) -> list[float]:
    return [run["cpu"] / run["steps"] for run in runs]


def _told(rates: list[float]) -> str:
    middle = statistics.median(rates)
    return f"{middle:,.0f} a second ({', '.join(f'{rate:,.0f}' for rate in rates)})"


def deaths(variant: Variant, kills: int) -> list[Row]:
    """The lines of workers that are killed in turn and started again while 128 sessions are played."""
    log = variant.folder.parent / "logs" / variant.framework / "deaths"
    sessions, seconds = 128, int(EVERY * (kills + 1)) + 2
    say(f"{variant.framework}: {kills} kills in {seconds} s")
    had: list[int] = []
    with mortal(variant) as (found, again):
        before = found.megabytes()
        undertaker = threading.Thread(target=_kill, args=(found, again, kills, had))
        undertaker.start()
        run = load_on(
            variant, found, log, sessions=sessions, steps=seconds, period=1.0, survive=True
        )
        undertaker.join()
        wait_for(found, 2)
        left = [_sessions(one) for one in found.workers]
        time.sleep(0.5)
        grown = found.megabytes() - before
        held = [line for line in found.figures().splitlines() if "current_sessions{" in line]
        waiting = sum(float(line.rpartition(" ")[2]) for line in held if "workers" in line)
    lost, back = run["lost"], run["back"]
    worst = back[-1] if back else 0.0
    name = variant.framework
    waits = f"{statistics.median(back) if back else 0:.2f} s; {worst:.2f} s"
    stay = f"{sum(left)}; {waiting:.0f}"
    clean, served_soon = not any(left) and not waiting, worst <= BACK
    return [
        _held(
            f"{name}: sessions on killed workers; lost",
            f"{sum(had)}; {lost}",
            "equal",
            lost == sum(had),
        ),
        Row(f"{name}: what a lost session's player is told", "; ".join(run["why"])),
        _held(
            f"{name}: from the loss to a step of a new session, median; worst",
            waits,
            f"at most {BACK:g} s",
            served_soon,
        ),
        Row(
            f"{name}: steps in time of the sessions that were not lost",
            f"{1 - run['late'] / run['steps']:.2%}",
        ),
        _held(f"{name}: sessions left in workers; in the balancer", stay, "none", clean),
        Row(f"{name}: memory of all, against before", f"{grown:+.0f} MB"),
    ]


def _held(what: str, found: str, bar: str, met: bool) -> Row:
    return Row(what, found, bar=bar, met=met)


@contextmanager
def mortal(variant: Variant) -> Iterator[tuple[Fleet, Any]]:
    """Two workers behind the balancer, and a function that kills one and starts it again as an engine does."""
    with ExitStack() as stack, fleet(variant, 2) as found:
        made = deployment(variant, 2)
        ports = [int(one.url.rpartition(":")[2]) for one in found.workers]
        workers = found.workers
        assert isinstance(workers, list)

        def again(number: int) -> int:
            had = _sessions(workers[number])
            workers[number].process.kill()
            psutil.wait_procs([workers[number].process], timeout=10)
            log = made.parent / "logs" / f"again-{number}-{time.monotonic_ns()}"
            started = worker(variant, made, log, port=ports[number])
            workers[number] = stack.enter_context(started)
            return had

        yield found, again


def _kill(found: Fleet, again: Any, kills: int, had: list[int]) -> None:
    time.sleep(EVERY)
    for number in range(kills):
        began = time.monotonic()
        had.append(again(number % 2))
        wait_for(found, 2)
        time.sleep(max(0.0, EVERY - (time.monotonic() - began)))


def _sessions(server: Server) -> int:
    """How many a worker says it has."""
    with urllib.request.urlopen(f"{server.url}/ready", timeout=10) as answer:
        return int(json.loads(answer.read())["sessions"])


if __name__ == "__main__":
    sys.exit(main())
