"""Plays so many episodes in each variant with the real model, verifies each, and writes a table.

    python -m tests.live.real_model FOLDER [--share 1.0]

What FOLDER has already is not played again. By default it is 100 episodes a variant, in shares.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.live.frameworks import FRAMEWORKS

from .log import logging
from .rollouts import WAYS, Way, make, play
from .servers import serving
from .verify import differences

SLOTS, MAX_TURNS, TASKS = 4, {"tool-calls": 4, "text": 2}, 2
SHARES = (
    ("with tools", "wordle", 30, 10),
    ("with tools", "game", 20, 35),
    ("with tools", "text", 15, 25),
    ("small context", "wordle", 15, 10),
    ("as it comes", "wordle", 10, 10),
    ("as it comes", "text", 10, 10),
)
"""Ways to ask the model, environments, and how many episodes each variant plays, with tools and with
text: a hundred together. Where actions are text, no message ends an episode, so it takes longer."""


def main() -> int:
    """Play, verify and tell; returns 1 if a record is false."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--share", type=float, default=1.0, help="of a hundred episodes a variant")
    parser.add_argument("--only", nargs="*", choices=WAYS, default=[*WAYS], help="ways to ask")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    for name in dict.fromkeys(way for way, *_ in SHARES if way in args.only):
        way = replace(WAYS[name], setup=replace(WAYS[name].setup, slots=SLOTS))
        todo = [
            (environment, framework, int(args.share * (text if facts.actions == "text" else calls)))
            for of, environment, calls, text in SHARES
            for framework, facts in FRAMEWORKS.items()
            if of == name
        ]
        _play(args.folder, name, way, todo)
    records = sorted(args.folder.glob("*.jsonl"))
    wrong = [text for each in records for text in differences(each.with_suffix(".log"), [each])]
    lines = [json.loads(text) for each in records for text in each.read_text("utf-8").splitlines()]
    reported = table(lines)
    reported += f"\n\n{len(lines)} episodes; records that are false: {len(wrong)}\n"
    reported += "".join(f"- {text}\n" for text in wrong)
    (args.folder / "table.md").write_text(reported, "utf-8")
    print(reported)
    return 1 if wrong else 0


def _play(folder: Path, name: str, way: Way, todo: list[tuple[str, str, int]]) -> None:
    """Play environments in variants, so many episodes each, on one server; a file for each."""
    slug = name.replace(" ", "-")
    with serving(way.setup, folder / f"server-{slug}") as server:
        for environment, framework, count in todo:
            where, stem = folder / f"{environment}-{slug}", f"{framework}-{environment}-{slug}"
            output, started = folder / f"{stem}.jsonl", time.monotonic()
            if output.exists() or not count:
                continue
            if not where.exists():
                make(environment, where)
            part, log = folder / f"{stem}.part", folder / f"{stem}.log"
            for old in (part, log):
                old.unlink(missing_ok=True)
            tasks = TASKS if count % TASKS == 0 else 1
            with logging(server, log) as url:
                play(
                    where, framework, way, url, part, indices=(0, tasks - 1),
                    samples=count // tasks, max_turns=MAX_TURNS[FRAMEWORKS[framework].actions],
                )  # fmt: skip
            part.rename(output)
            print(f"{stem}: {time.monotonic() - started:.0f} s", flush=True)


def table(lines: Iterable[dict[str, Any]]) -> str:
    """How the episodes of each variant ended, as Markdown."""
    columns = "episodes | ends | refusals by reason (calls played) | turns | tokens in | out | seconds a turn"
    rows = [f"| variant | {columns} |", "|---|---|---|---|---|---|---|---|"]
    by_variant: dict[str, list[dict[str, Any]]] = {}
    for line in lines:
        by_variant.setdefault(line["framework"], []).append(line)
    for framework, played in by_variant.items():
        ends = Counter(" ".join(filter(None, (line["end"], line["limit"]))) for line in played)
        errors = Counter(step["error"] for line in played for step in line["steps"])
        played_well = errors.pop(None, 0)
        turns = [turn for line in played for turn in line["turns"]]
        tokens = [
            sum(turn["usage"][f"{way}_tokens"] for turn in turns) for way in ("input", "output")
        ]
        seconds = sum(turn["seconds"] for turn in turns) / max(1, len(turns))
        reported = (
            framework, len(played), _counts(ends), f"{_counts(errors)} (played {played_well})",
            len(turns), *tokens, f"{seconds:.1f}",
        )  # fmt: skip
        rows.append(f"| {' | '.join(map(str, reported))} |")
    return "\n".join(rows)


def _counts(counted: Counter[Any]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counted.most_common()) or "none"


if __name__ == "__main__":
    sys.exit(main())
