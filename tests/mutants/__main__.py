"""Plays the corpus and prints what is found: `python -m tests.mutants [NAME …]`.

What was played is kept in runs/mutants.jsonl, and not played again before the code changes: a run
that was cut goes on. docs/mutants.md is written when all was played, or of what is kept.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from tests.conftest import ROOT
from tests.mutants.corpus import Mutant, controls, found, look, mutants, play
from tests.mutants.keeping import Result, code, keep, read_kept
from tests.mutants.page import as_page, summary

PAGE = ROOT / "docs" / "mutants.md"


def main() -> int:
    """Play what was asked for; returns the exit code."""
    args = _parse()
    everything: list[Mutant | Path] = [*controls(), *mutants()]
    work = _choose(everything, args)
    kept = read_kept(work, any_code=args.kept)
    if args.fresh or args.names:
        kept = {}
    left = [each for each in work if each.name not in kept]
    if args.kept:
        left = []
    print(f"{len(work)} asked for, {len(left)} to play", flush=True)
    with ThreadPoolExecutor(args.jobs) as pool:
        for job in as_completed([pool.submit(_result, each) for each in left]):
            each = job.result()
            keep(each)
            kept[each.name] = each
            print(_line(each), flush=True)
            for finding in each.findings if args.names else ():
                print(f"    {finding.status} {finding.check} {finding.message}")
    results = [kept[each.name] for each in work if each.name in kept]
    print("\n".join(summary(results)))
    if len(results) == len(everything) or args.kept:
        PAGE.write_text(as_page(results), "utf-8")
        print(f"\n{PAGE.relative_to(ROOT)} is written")
    return 0


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("names", nargs="*", help="mutants or controls; all if none is named")
    parser.add_argument("--on", action="append", help="only these environments; controls too")
    parser.add_argument("--sample", type=int, help="as many, dealt evenly over environments")
    parser.add_argument("--fresh", action="store_true", help="play again what is kept")
    parser.add_argument(
        "--kept", action="store_true", help="play nothing: the page of what is kept, of any code"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2, help="played at once")
    return parser.parse_args()


def _choose(everything: list[Mutant | Path], args: argparse.Namespace) -> list[Mutant | Path]:
    """What was asked for, slow environments last; of a sample one of each environment in turn."""
    chosen = [each for each in everything if not args.names or each.name in args.names]
    if args.on:
        chosen = [each for each in chosen if _on(each) in args.on]
    groups: dict[str, list[Mutant | Path]] = {}
    for each in chosen:
        groups.setdefault(_on(each), []).append(each)
    if args.sample:
        chance = random.Random(0)
        for several in groups.values():
            chance.shuffle(several)
        turns = range(max(map(len, groups.values()), default=0))
        dealt = [g[turn] for turn in turns for g in groups.values() if turn < len(g)]
        return dealt[: args.sample]  # in this order: what is there of a cut run is a sample, too
    slow = ("starter-stateful-sandbox", "jupyter")
    return sorted(chosen, key=lambda each: slow.index(_on(each)) + 1 if _on(each) in slow else 0)


def _on(each: Mutant | Path) -> str:
    return each.on if isinstance(each, Mutant) else "controls"


def _result(work: Mutant | Path) -> Result:
    findings = tuple(found(play(work) if isinstance(work, Mutant) else look(work)))
    return Result(work.name, findings, code(), work if isinstance(work, Mutant) else None)


def _line(each: Result) -> str:
    if not each.mutant:
        return f"{each.name}: {each.ids or 'nothing'}"
    wanted = " or ".join(each.mutant.finds) or "none"
    mark = "=" if each.named_first else "~" if each.named else "x" if each.status else "-"
    return f"{mark} {each.name}: {each.ids or 'nothing'} (the cause: {wanted})"


if __name__ == "__main__":
    sys.exit(main())
