"""What the command line shows on a terminal: what is under way, and the report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer
from rich.console import Console

console = Console(soft_wrap=True)
errors = Console(stderr=True, soft_wrap=True)


def play(verb: Any, folder: Path, only: Any, as_json: bool, verbose: bool, **options: Any) -> None:
    """Run a verb that plays an environment, and show its report.

    Who plays it here agrees to run its code, and the MCP server need not ask.
    """
    from skill_tools import approval
    from skill_tools.build import found_in
    from skill_tools.progress import show as show_progress

    agreed = approval.approve(found_in(folder))
    with show_progress(errors, quiet=as_json) as progress:
        outcome = verb(agreed, only, progress=progress, **options)
    show(outcome, as_json, verbose)


def show(outcome: Any, as_json: bool, verbose: bool) -> None:
    """Show a report; ends the program with 1 if it is not green."""
    from skill_tools import report

    if as_json:
        print(report.as_json(outcome.report))
    else:
        report.print_report(outcome.report, console, verbose=verbose)
    if not outcome.report.ok:
        raise typer.Exit(1)
