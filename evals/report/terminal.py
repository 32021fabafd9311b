"""The report in a terminal."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.table import Table

from evals.report.model import Report, Summary


def show(report: Report, folder: Path, console: Console | None = None) -> None:
    """Print the scores, the value of each scorer, the differences, and the surprises."""
    console = console or Console(highlight=False)
    console.print(_table("case", report, report.by_case, {"all cases": report.overall}))
    console.print(_table("scorer", report, report.by_check, {}))
    for name, values in report.differences.items():
        listed = ", ".join(
            f"{case} {value:+.2f}" for case, value in values.items() if value is not None
        )
        console.print(f"{name}: {listed or 'nothing to compare'}")
    for text in report.surprises:
        console.print(f"[red]not as it must be[/]: {text}", markup=True)
    if not report.surprises and any("+" not in name for name in report.solvers):
        console.print("[green]every scripted solver scored what it must[/]")
    console.print(f"page: {folder / 'report.html'}\nlogs: inspect view --log-dir {folder / 'logs'}")


def _table(
    what: str,
    report: Report,
    rows: dict[str, dict[str, Summary]],
    last: dict[str, dict[str, Summary]],
) -> Table:
    table = Table(what, *report.solvers, box=None, padding=(0, 2, 0, 0))
    for name, summaries in {**rows, **last}.items():
        table.add_row(name, *(describe(summaries.get(solver)) for solver in report.solvers))
    return table


def describe(summary: Summary | None) -> str:
    """Return a mean as text, with its interval if it has an interval."""
    if summary is None:
        return ""
    if summary.mean is None:
        return "unscored"
    if summary.low is None or summary.low == summary.high:
        return f"{summary.mean:.2f}"
    return f"{summary.mean:.2f} ({summary.low:.2f} to {summary.high:.2f})"
