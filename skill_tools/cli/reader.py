"""The command that writes what a reader of the words alone is given."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from skill_tools.cli.episodes import Folder, agreed
from skill_tools.cli.lookup import Json, show
from skill_tools.files import READINGS_FILE

app = typer.Typer()


@app.command()
def brief(
    folder: Folder,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="the file; default: print it")
    ] = None,
    count: Annotated[
        int, typer.Option("--tasks", min=1, max=12, help="tasks of mixed levels and splits")
    ] = 4,
    as_json: Json = False,
) -> None:
    """Write a brief for a reader who sees no code and judges the world by its words: readings.yaml."""
    from skill_tools.pipeline.briefs import brief as write

    text = write(agreed(folder), count, output)
    if output is None and not as_json:
        print(text, end="")
        return
    readings = folder / READINGS_FILE
    told = [
        f"wrote {output} ({len(text):,} characters)",
        "next: give it to an agent that has seen neither the code nor this conversation;",
        f"what it writes goes to {readings}; then: skill-tools validate {folder}",
    ]
    data = {"brief": str(output) if output else text, "readings": str(readings)}
    show(data, told, as_json)
