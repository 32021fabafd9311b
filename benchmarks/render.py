"""Rendering connect four for every framework: how long, and whether always the same bytes."""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

from comparison import CONNECT_FOUR, Row, author_files, scratch_folder, show, timed

import skill_tools
from skill_tools.frameworks import FRAMEWORKS
from skill_tools.render import plan as render
from skill_tools.render.plan import plan

SECONDS = 0.2
DIGEST = "--digest"


def main() -> int:
    """Measure and print; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument(DIGEST, action="store_true", help="print a hash of the plan and stop")
    args = parser.parse_args()
    if args.digest:
        print(digest())
        return 0
    spec = skill_tools.load(CONNECT_FOUR)
    planned = [timed(lambda: plan_afresh(spec)) for _ in range(args.rounds)]
    with scratch_folder() as scratch:
        folders = [author_files(scratch / str(number)) for number in range(args.rounds)]
        written = [timed(lambda f=folder: render_afresh(f)) for folder in folders]
    digests = {digest() for _ in range(args.rounds)} | {elsewhere(seed) for seed in ("1", "2")}
    files = len(plan(spec, FRAMEWORKS))
    same = len(digests) == 1
    rows = [
        _seconds(f"{files} files of {len(FRAMEWORKS)} variants", planned),
        _seconds("the same, env.yaml read and files written", written),
        Row(
            f"different plans in {args.rounds} here and 2 other processes",
            str(len(digests)),
            bar="1",
            met=same,
        ),
    ]
    return show(f"Rendering, median of {args.rounds}", "", rows)


def plan_afresh(spec: skill_tools.EnvSpec) -> dict[str, str]:
    """Plan as a new process would, without what was planned before."""
    render._planned.cache_clear()
    return plan(spec, FRAMEWORKS)


def render_afresh(folder: Path) -> None:
    """Read the spec, plan and write as a new process would."""
    render._planned.cache_clear()
    skill_tools.render(folder)


def _seconds(what: str, seconds: list[float]) -> Row:
    median = statistics.median(seconds)
    spread = f"{median:.3f} s ({min(seconds):.3f} to {max(seconds):.3f})"
    bar, ratio = f"under {SECONDS:g} s", f"{median / SECONDS:.2f} of the bar"
    return Row(what, spread, ratio=ratio, bar=bar, met=median < SECONDS)


def digest() -> str:
    """A hash of every path and byte of the plan, in its order."""
    files = list(plan_afresh(skill_tools.load(CONNECT_FOUR)).items())
    return hashlib.sha256(json.dumps(files).encode()).hexdigest()


def elsewhere(hash_seed: str) -> str:
    """The digest from a process of its own."""
    command = [sys.executable, __file__, DIGEST]
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "TZ": "Asia/Tokyo", "LC_ALL": "C"}
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return run.stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
