"""The command that shows episodes in a browser."""

from __future__ import annotations

import shlex
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

import skill_tools
from skill_tools.cli.lookup import show
from skill_tools.cli.options import Json
from skill_tools.errors import SkillToolsError

app = typer.Typer()


@app.command()
def view(
    paths: Annotated[
        list[Path],
        typer.Argument(help="trajectory files, such as runs/*.jsonl.gz, or a folder"),
    ],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="page to write. Default: next to the first file"),
    ] = None,
    browser: Annotated[
        bool, typer.Option("--open", help="also open the page in your browser")
    ] = False,
    inspect: Annotated[
        Path | None,
        typer.Option(help="new log NAME.eval for `inspect view`, written instead of a page"),
    ] = None,
    as_json: Json = False,
) -> None:
    """Write a page that shows episodes, from files or from an environment's last report."""
    if inspect:
        _write_logs(paths, inspect, as_json, paged=browser or output is not None)
        return
    page = skill_tools.view(paths, output).resolve()
    show(
        {"page": str(page), "url": page.as_uri()}, [f"Read the episodes: {page.as_uri()}"], as_json
    )
    if browser and not webbrowser.open(page.as_uri()):
        typer.echo("warning: no browser was found; open the address yourself", err=True)


def _write_logs(paths: list[Path], inspect: Path, as_json: bool, *, paged: bool) -> None:
    from skill_tools.pipeline.views import write_logs

    if paged:
        raise SkillToolsError(
            "--inspect writes no page, so it excludes --output and --open\n    fix: remove them"
        )
    logs = [str(path) for path in write_logs(paths, inspect)]
    folder = shlex.quote(str(inspect.resolve().parent))
    told = [*(f"wrote {path}" for path in logs), f"next: inspect view --log-dir {folder}"]
    show({"logs": logs}, told, as_json)
