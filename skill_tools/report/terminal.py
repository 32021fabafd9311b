"""What the command line shows on a terminal: what is under way, and the report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console

if TYPE_CHECKING:
    from skill_tools.archetypes import Archetype

console = Console(soft_wrap=True)
errors = Console(stderr=True, soft_wrap=True)


def play(verb: Any, folder: Path, only: Any, as_json: bool, verbose: bool, **options: Any) -> None:
    """Run a verb that plays an environment, and show its report.

    Who plays it here agrees to run its code, and the MCP server need not ask.
    """
    from skill_tools.report.progress import show as show_progress
    from skill_tools.runtime import consent

    agreed = consent.approve(folder)
    with show_progress(errors, quiet=as_json) as progress:
        outcome = verb(agreed, only, progress=progress, **options)
    show(outcome, as_json, verbose)


def show(outcome: Any, as_json: bool, verbose: bool) -> None:
    """Show a report; ends the program with 1 if it is not green."""
    from skill_tools.report import summary

    if as_json:
        print(summary.as_json(outcome.report))
    else:
        summary.print_report(outcome.report, console, verbose=verbose)
    if not outcome.report.ok:
        raise typer.Exit(1)


def show_archetype(archetype: Archetype) -> None:
    """Show what designing an environment of a kind needs: questions, rewards, risks."""
    parts = {
        "not when": [f"{sign}: {other}" for sign, other in archetype.not_when.items()],
        "hallmarks": archetype.hallmarks,
        "ask (if they do not say)": [f"{q.ask} ({q.default})" for q in archetype.questions],
        "rewards": archetype.reward_shapes,
        "risks": [f"{risk.gamed} {risk.answer}" for risk in archetype.risks],
        "checks that matter most": [f"{check}: {why}" for check, why in archetype.checks.items()],
    }
    for head, lines in parts.items():
        console.print(f"[bold]{head}[/bold]")
        for line in lines:
            console.print(f"  - {line}", highlight=False, markup=False)
