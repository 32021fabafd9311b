"""Judge the corpus and print the findings: `python -m corpora.mutants [NAME …]`.

The evidence of each environment is kept (see cache.py). An environment is played again only if its files or
the code that plays has changed. A change of a rule is therefore tried on all environments in a minute or two.
docs/mutants.md is written after all environments have been judged.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from functools import partial
from pathlib import Path
from time import perf_counter

from corpora.mutants.cache import Result, as_result, code_key, judge_kept, keep
from corpora.mutants.corpus import Mutant, controls, mutants, see
from corpora.mutants.page import as_page, summary
from tests.conftest import ROOT

PAGE = ROOT / "docs" / "mutants.md"


def main() -> int:
    """Judge the requested environments, and play environments without kept evidence. Return the exit code."""
    args = _parse()
    everything: list[Mutant | Path] = [*controls(), *mutants()]
    work = _choose(everything, args)
    started = perf_counter()
    judged = {} if args.fresh else _judge(work, args)
    seconds = perf_counter() - started
    left = [each for each in work if each.name not in judged]
    what = "not kept" if args.judge else "to play"
    print(
        f"{len(work)} asked for, {len(judged)} judged in {seconds:.1f} s, {len(left)} {what}",
        flush=True,
    )
    if args.judge and (old := sum(each.code != code_key() for each in judged.values())):
        print(f"{old} of them were played by other code than there is now")
    for each in judged.values() if args.names else ():
        _tell(each)
    with ThreadPoolExecutor(args.jobs) as pool:
        jobs = {} if args.judge else {pool.submit(_play, each): each.name for each in left}
        for job in as_completed(jobs):
            if error := job.exception():  # the others go on, and this one is played next time
                print(f"! {jobs[job]}: {type(error).__name__}: {error}", flush=True)
                continue
            each = job.result()
            judged[each.name] = each
            _tell(each, found=bool(args.names))
    results = [judged[each.name] for each in work if each.name in judged]
    for each, finding in ((e, f) for e in results for f in e.findings if f.check == args.check):
        what = "defect" if each.mutant else "right"
        print(f"{each.name} ({what}): {finding.status} {finding.message}")
    print("\n".join(summary(results)))
    if len(results) == len(everything) or args.page:
        PAGE.write_text(as_page(results), "utf-8")
        print(f"\n{PAGE.relative_to(ROOT)} is written")
    return 0


def _judge(work: list[Mutant | Path], args: argparse.Namespace) -> dict[str, Result]:
    """Return the results for all environments with kept evidence, keyed by name."""
    with ProcessPoolExecutor(args.jobs) as pool:
        found = pool.map(partial(judge_kept, any_code=args.judge), work, chunksize=4)
        return {each.name: each for each in found if each}


def _play(work: Mutant | Path) -> Result:
    seen = see(work)
    keep(work, seen)
    return as_result(work, seen, code_key())


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m corpora.mutants", description=__doc__)
    parser.add_argument("names", nargs="*", help="mutants or controls; all if none is named")
    parser.add_argument("--on", action="append", help="only these environments; controls too")
    parser.add_argument("--sample", type=int, help="as many, dealt evenly over environments")
    parser.add_argument("--fresh", action="store_true", help="play again what is kept")
    parser.add_argument(
        "--judge", action="store_true", help="play nothing: judge what is kept, by any code"
    )
    parser.add_argument(
        "--check", metavar="ID", help="print where a check speaks, and what it says"
    )
    parser.add_argument("--page", action="store_true", help="write the page of what there is")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2, help="played at once")
    return parser.parse_args()


def _choose(everything: list[Mutant | Path], args: argparse.Namespace) -> list[Mutant | Path]:
    """Return the requested mutants and controls, with slow environments last.

    A sample takes one mutant of each environment in turn.
    """
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


def _tell(each: Result, *, found: bool = True) -> None:
    print(_line(each), flush=True)
    for finding in each.findings if found else ():
        print(f"    {finding.status} {finding.check} {finding.message}")


def _line(each: Result) -> str:
    if not each.mutant:
        return f"{each.name}: {each.ids or 'nothing'}"
    wanted = " or ".join(each.mutant.finds) or "none"
    mark = "=" if each.named_first else "~" if each.named else "x" if each.status else "-"
    return f"{mark} {each.name}: {each.ids or 'nothing'} (the cause: {wanted})"


if __name__ == "__main__":
    sys.exit(main())
