"""Plays the corpus and prints what is found: `python -m tests.mutants [NAME …]`.

It takes a quarter of an hour, and writes docs/mutants.md when all of it was asked for.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from skill_tools.checks import Finding
from tests.conftest import ROOT
from tests.mutants.corpus import Mutant, controls, found, look, mutants, play

PAGE = ROOT / "docs" / "mutants.md"


@dataclass(frozen=True)
class Result:
    """What was found of one mutant or control."""

    name: str
    mutant: Mutant | None
    findings: list[Finding]

    @property
    def status(self) -> str:
        """The worst that was found: fail, warn or nothing."""
        kinds = {finding.status for finding in self.findings}
        return "fail" if "fail" in kinds else "warn" if kinds else ""

    @property
    def ids(self) -> str:
        """The checks that found something, those that only warn with a question mark."""
        named = {f.check: "" if f.status == "fail" else "?" for f in self.findings}
        return " ".join(check + mark for check, mark in named.items())


def main() -> int:
    """Play what was asked for; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("names", nargs="*", help="mutants or controls; all if none is named")
    args = parser.parse_args()
    slowest_last = sorted(mutants(), key=lambda mutant: mutant.on == "jupyter")
    work: list[Mutant | Path] = [*controls(), *slowest_last]
    if args.names:
        work = [each for each in work if each.name in args.names]
    results = []
    with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        for each in pool.map(_result, work):
            results.append(each)
            print(f"{each.name}: {each.ids or 'nothing'}", flush=True)
            for finding in each.findings if args.names else ():
                print(f"    {finding.status} {finding.check} {finding.message}")
    if not args.names:
        PAGE.write_text(as_page(results), "utf-8")
        print(f"\n{PAGE.relative_to(ROOT)} is written")
    return 0


def _result(work: Mutant | Path) -> Result:
    findings = list(found(play(work) if isinstance(work, Mutant) else look(work)))
    return Result(work.name, work if isinstance(work, Mutant) else None, findings)


def as_page(results: list[Result]) -> str:
    """The page of docs about what is found and what is not."""
    broken = [each for each in results if each.mutant]
    right = [each for each in results if not each.mutant]
    counts = Counter(each.status for each in broken)
    kinds = {each.mutant.kind for each in broken if each.mutant}
    seen = {each.mutant.kind for each in broken if each.mutant and each.status}
    alarms = Counter(each.status for each in right)
    alone = sum({f.check for f in each.findings} == {"EXA001"} for each in broken)
    lines = [
        "# What the checks find",
        "",
        "<!-- Written by `python -m tests.mutants`. -->",
        f"{len(mutants())} environments with one defect each, all written without a look at the checks, and",
        f"{len(right)} that are correct but unusual. {len(broken)} of them ({len(kinds)} kinds) were played, on the bare",
        "domain and ten tasks:",
        "",
        "| | environments | share |",
        "|---|---|---|",
        f"| defect found, red | {counts['fail']} | {counts['fail'] / len(broken):.0%} |",
        f"| defect found, a warning | {counts['warn']} | {counts['warn'] / len(broken):.0%} |",
        f"| of these, found by the worked examples alone | {alone} | {alone / len(broken):.0%} |",
        f"| not found | {counts['']} | {counts[''] / len(broken):.0%} |",
        f"| kinds of which something was found | {len(seen)} of {len(kinds)} | {len(seen) / len(kinds):.0%} |",
        f"| correct, called red | {alarms['fail']} | {alarms['fail'] / len(right):.0%} |",
        f"| correct, with a warning | {alarms['warn']} | {alarms['warn'] / len(right):.0%} |",
        "",
        "The worked examples of these environments were written after the defects, by somebody who had seen",
        "some of them: what they find alone is counted apart. A line that says REW001 or the like may name a",
        "consequence; whether a finding names the true cause is not judged here.",
        "",
        "## Not found",
        "",
        "| environment | defect |",
        "|---|---|",
    ]
    lines += [
        f"| {r.mutant.on} | {_cell(r.mutant.defect)} |" for r in broken if r.mutant and not r.status
    ]
    lines += ["", "## Found", "", "| environment | defect | by |", "|---|---|---|"]
    lines += [
        f"| {r.mutant.on} | {_cell(r.mutant.defect)} | {r.ids} |"
        for r in broken
        if r.mutant and r.status
    ]
    if any(each.status for each in right):
        lines += ["", "## Correct, and yet", "", "| control | said |", "|---|---|"]
        lines += [f"| {each.name} | {each.ids} |" for each in right if each.status]
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


if __name__ == "__main__":
    sys.exit(main())
