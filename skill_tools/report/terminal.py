"""A command's progress on the terminal, and its report as a table of variants with failed and skipped checks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import groupby
from operator import attrgetter
from time import perf_counter

from rich.console import Console
from rich.table import Table
from rich.text import Text

from skill_tools.report.further import BARE_EXAMPLES
from skill_tools.report.model import UNDECIDED, PolicyScore, Report, VariantSummary
from skill_tools.runtime.progress import Progress

SHOWN_POLICIES = ("oracle", "random", "noop", "malformed")
_COUNTED = {
    "pass": "checks passed",
    "fail": "failed",
    "warn": "to look at",
    "note": "noted",
    "excepted": "declared exceptions",
    "skip": "skipped",
}
WORD_STYLES = {"green": "bold green", "sound": "bold green"}
WORD_STYLES |= dict.fromkeys(UNDECIDED, "bold yellow")
"""Styles for the headline's words; other words are red."""
_STYLES = {"pass": "green", "skip": "yellow"}
_REPORTED = {"fail": "bold red", "warn": "bold yellow", "note": "bold", "excepted": "dim"}


def print_report(
    report: Report,
    console: Console,
    *,
    verbose: bool = False,
    known: Mapping[int, str] | None = None,
) -> None:
    """Print the report; with ``verbose``, also passed checks, and complete lists in messages.

    Args:
        known: The reason why each known finding is in the baseline, keyed by its position in the report.
    """
    for split, variants in groupby(report.variants, key=attrgetter("split")):
        console.print(_table(report, split, list(variants)))
    for told in report.thoughtless:
        console.print(Text(f"Blind players: {told}"), style="dim")
    for told in report.of_best:
        console.print(Text(f"Share of the maximum: {told}"))
    for told in report.dealt:
        console.print(Text(f"Over many deals: {told}"), style="dim")
    for position in range(len(report.findings)):
        _tell_finding(report, position, console, verbose, known or {})
    counts = ", ".join(f"{n} {_COUNTED[status]}" for status, n in sorted(report.counts.items()))
    look = ", with warnings" if report.ok and report.counts.get("warn") else ""
    verdict = (f"{report.word}{look}", WORD_STYLES.get(report.word, "bold red"))
    console.print(Text.assemble(f"{report.title}: ", verdict, f" ({counts})"))
    for told in report.lacking:
        console.print(Text(f"To be judged, the environment needs {told}"))
    for line in report.reviewed:
        console.print(Text(f"Reviewed: {line}"), style="dim")
    if report.ported:
        console.print(Text(f"Compared: {report.ported}"), style="dim")
    if report.seen:
        console.print(Text(f"Seen: {report.seen}"), style="dim")
    for told in report.taken:
        console.print(Text(f"Reused from an earlier run: {told}"), style="dim")
    if (reasons := _by_reason(report)) and not verbose:
        most = max(reasons, key=lambda why: len(reasons[why]))
        others = f", and for {len(reasons) - 1} other reasons" if len(reasons) > 1 else ""
        count = sum(map(len, reasons.values()))
        text = (
            f"Skipped: {count}, {len(reasons[most])} of them because {most}{others} (-v names all)"
        )
        console.print(Text(text), style="dim")
    if report.not_played:
        console.print(Text(f"Not played: {report.not_played}"), style="dim")
    if report.bare_examples:
        alone = ", ".join(f"examples[{number}]" for number in report.bare_examples)
        console.print(Text(f"{BARE_EXAMPLES}: {alone}"), style="dim")
    for told in report.no_repro:
        console.print(Text(f"No repro: {told}"), style="dim")
    if report.varies and report.variants:
        without = f"Observations are compared without: {', '.join(report.varies)}"
        console.print(Text(without), style="dim")


def _tell_finding(
    report: Report, position: int, console: Console, verbose: bool, known: Mapping[int, str]
) -> None:
    finding = report.findings[position]
    if finding.status in _REPORTED:
        said = f"{finding.check} {finding.name}: {finding.message}"
        status, style = finding.status.upper(), _REPORTED[finding.status]
        if position in known:
            status, style = f"KNOWN {finding.status}", _REPORTED["excepted"]
        console.print(Text.assemble((f"{status} ", style), said))
        for detail in finding.details if verbose else ():
            console.print(Text(f"     - {detail}"))
        if finding.status != "excepted" and finding.replay:
            console.print(Text(f"     see: {finding.replay}"), style="dim")
        if finding.repro:
            console.print(Text(f"     repro: {finding.repro}"), style="dim")
        # Once for all messages of a check.
        following = report.findings[position + 1 : position + 2]
        more = following and following[0].check == finding.check
        if finding.status != "excepted" and not more:
            console.print(Text(f"     fix: {finding.fix}"), style="dim")
    elif verbose:
        text = f"{finding.status:4} {finding.check} {finding.name}"
        why = f" ({finding.message})" if finding.message else ""
        console.print(Text(text + why, style=_STYLES[finding.status]))


def _by_reason(report: Report) -> dict[str, list[str]]:
    """Group the skipped checks by reason."""
    found: dict[str, list[str]] = {}
    for finding in report.findings:
        if finding.status == "skip" and finding.check not in report.not_for_audits:
            found.setdefault(finding.message, []).append(finding.check)
    return found


def _table(report: Report, split: str | None, variants: list[VariantSummary]) -> Table:
    tasks = max((score.episodes for each in variants for score in each.scores), default=0)
    table = Table(title=f"{report.title}: mean return on {tasks} tasks of {split}")
    table.add_column("variant")
    for policy in SHOWN_POLICIES:
        table.add_column(policy, justify="right")
    table.add_column("episodes", justify="right")
    table.add_column("failed", justify="right")
    for variant in variants:
        if variant.broken:
            table.add_row(variant.framework, *["-"] * (len(SHOWN_POLICIES) + 1), "did not run")
            continue
        scores = {score.policy: score for score in variant.scores}
        means = [_mean(scores.get(policy)) for policy in SHOWN_POLICIES]
        versions = " ".join(variant.versions.values())
        name = f"{variant.framework} {versions}" if versions else "bare domain"
        table.add_row(name, *means, str(variant.episodes), str(variant.failed))
    return table


def _mean(score: PolicyScore | None) -> str:
    return (score and score.text) or "-"


@contextmanager
def show_progress(console: Console) -> Iterator[Progress]:
    """Yield a Progress that prints a line per change, or updates its output in place on a terminal.

    ``console`` writes to standard error, so programs that read standard output do not receive the progress.
    """
    started = perf_counter()

    def line(who: str, what: str) -> None:
        text = f"{perf_counter() - started:6.1f} s  {who}: {what}"
        console.print(text, highlight=False, markup=False)

    if not console.is_terminal:
        yield line
        return
    with console.status("starting") as status:
        doing: dict[str, str] = {}

        def update(who: str, what: str) -> None:
            doing[who] = what
            if what == "done":
                line(who, what)
                doing.pop(who)
            status.update("; ".join(f"{name}: {now}" for name, now in doing.items()))

        yield update
