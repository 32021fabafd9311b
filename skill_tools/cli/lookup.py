"""Lookup commands: kinds, exemplars, frameworks, checks, the machine."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from skill_tools.cli.options import BaseUrl, Json, make_option
from skill_tools.errors import SkillToolsError
from skill_tools.rollouts.options import RolloutOptions

if TYPE_CHECKING:
    from skill_tools.runtime.doctor import Row

app = typer.Typer()
console = Console(soft_wrap=True)


def show(data: Any, lines: Iterable[Any], as_json: bool) -> None:
    """Print data for a program, or lines for a person."""
    if as_json:
        print(json.dumps(data, indent=2))
        return
    for line in lines:
        console.print(line, markup=False)


def show_line(line: str) -> None:
    """Print a line verbatim."""
    console.print(line, markup=False, highlight=False)


@app.command()
def archetypes(
    name: Annotated[str | None, typer.Argument(help="kind to describe in full")] = None,
    as_json: Json = False,
) -> None:
    """List the kinds of environment, and when to choose each kind."""
    from skill_tools.report import facts, listing

    rows = [facts.find_archetype(name)] if name else facts.list_archetypes()
    show(rows, listing.tell_archetypes(rows, everything=bool(name)), as_json)


@app.command()
def exemplars(
    name: Annotated[str | None, typer.Argument(help="exemplar to show, such as wordle")] = None,
    file: Annotated[str | None, typer.Argument(help="file of the exemplar to print")] = None,
    as_json: Json = False,
) -> None:
    """List finished environments and starters, list the files in one environment, or print a file."""
    from skill_tools.report import exemplars as found_here
    from skill_tools.report import listing

    if name and file:
        text = found_here.find(name).text(file)
        show({"file": file, "text": text}, text.splitlines(), as_json)
        return
    found = [found_here.find(name)] if name else found_here.every()
    rows = [each.summary(rendered=bool(name)) for each in found]
    show(rows, listing.tell_exemplars(rows, files=bool(name)), as_json)


@app.command()
def frameworks(as_json: Json = False) -> None:
    """List the supported frameworks and their pinned releases."""
    from skill_tools.report import facts, listing

    rows = facts.list_frameworks()
    show(rows, listing.tell_frameworks(rows), as_json)


@app.command()
def checks(as_json: Json = False) -> None:
    """List the checks, followed by your own installed checks."""
    from skill_tools.report import facts, listing

    rows = facts.list_checks()
    show(rows, listing.tell_checks(rows), as_json)


@app.command()
def explain(
    check: Annotated[str, typer.Argument(help="id of a check, such as REW001, or its name")],
    as_json: Json = False,
) -> None:
    """Explain what a check looks for, why, and how to fix a failure."""
    from skill_tools.report import facts, listing

    found = facts.find_check(check)
    show(found, listing.tell_check(found), as_json)


@app.command()
def doctor(
    folder: Annotated[
        Path | None,
        typer.Argument(help="folder with env.yaml, to examine the programs on its screen"),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            help="examine the server of this model, which will play FOLDER, instead of this machine"
        ),
    ] = None,
    base_url: BaseUrl = None,
    api: Annotated[str, typer.Option(help="API of the endpoint: chat or responses")] = "chat",
    max_tokens: Annotated[
        int | None,
        make_option(
            *(RolloutOptions, "max_tokens"),
            help="maximum tokens per message; checks that turns fit the context",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Report what this machine offers and what is missing, for each framework and for an environment's screen.

    With --model and --base-url, report the same for a model server and an environment.
    """
    from skill_tools.pipeline import load
    from skill_tools.report.listing import tell_machine
    from skill_tools.runtime.doctor import examine

    if model or base_url:
        rows = _ask_server(folder, model, base_url, api, max_tokens)
    else:
        display = load(folder).display if folder else None
        rows = examine(display.programs if display else None)
    show([vars(row) for row in rows], tell_machine(rows), as_json)
    if not all(row.ok for row in rows):
        raise typer.Exit(1 if model else 2)


def _ask_server(
    folder: Path | None, model: str | None, base_url: str | None, api: str, max_tokens: int | None
) -> list[Row]:
    from skill_tools.pipeline import examine_server
    from skill_tools.runtime import consent

    if not (folder and model and base_url):
        raise SkillToolsError(
            "to examine a model server, doctor needs a folder, --model and --base-url\n"
            "    fix: run skill-tools doctor DIR --base-url URL --model NAME"
        )
    # A user who names a folder here agrees to run its code: its first task is opened.
    place = consent.approve(folder.resolve())
    return examine_server(place, model, base_url, api=api, max_tokens=max_tokens)
