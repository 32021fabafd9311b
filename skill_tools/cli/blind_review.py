"""The command that writes a brief for a reader who sees no code, or has a model read it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from skill_tools.cli.episodes import agreed
from skill_tools.cli.lookup import show
from skill_tools.cli.options import BaseUrl, Folder, Json, MaxTokens
from skill_tools.errors import SkillToolsError
from skill_tools.files import READINGS_FILE

app = typer.Typer()
MOST_TOLD = 10
"""Maximum number of a model's rejected readings for which the reason is reported."""


@app.command()
def blind_review(
    folder: Folder,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="file to write. Default: print the brief")
    ] = None,
    num_tasks: Annotated[
        int,
        typer.Option(min=1, max=12, help="number of tasks, from mixed levels and splits"),
    ] = 4,
    model: Annotated[
        str | None, typer.Option(help="model that reads the brief and writes readings.yaml")
    ] = None,
    base_url: BaseUrl = None,
    max_tokens: MaxTokens = None,
    as_json: Json = False,
) -> None:
    """Write a brief for a reader who sees the prompts and tools but no code, and writes readings.yaml."""
    from skill_tools.pipeline.briefs import brief as write

    if model or base_url or max_tokens:
        _have_read(folder, output, num_tasks, (model, base_url), max_tokens, as_json)
        return
    text = write(agreed(folder), num_tasks, output)
    if output is None and not as_json:
        print(text, end="")
        return
    readings = folder / READINGS_FILE
    told = [
        f"wrote {output} ({len(text):,} characters)",
        "next: give the brief to an agent that has seen neither the code nor this conversation;",
        f"save its reply as {readings}, then run: skill-tools validate {folder}",
    ]
    data = {"brief": str(output) if output else text, "readings": str(readings)}
    show(data, told, as_json)


def _have_read(
    folder: Path,
    output: Path | None,
    count: int,
    server: tuple[str | None, str | None],
    max_tokens: int | None,
    as_json: bool,
) -> None:
    from skill_tools.pipeline.briefs import have_read

    model, base_url = server
    if not (model and base_url) or output:
        raise SkillToolsError(
            "a model that reads the brief needs --model and --base-url, and no --output: it writes readings.yaml\n"
            "    fix: run skill-tools blind-review DIR --model NAME --base-url URL"
        )
    found = have_read(agreed(folder), model, base_url, count, max_tokens)
    kinds = (("example", found.examples), ("contradiction", found.contradictions))
    counted = ", ".join(f"{count} {what}{'s' if count != 1 else ''}" for what, count in kinds)
    lines = [
        f"wrote {folder / READINGS_FILE}: {counted}",
        *(f"left out: {each}" for each in found.left_out[:MOST_TOLD]),
    ]
    if (more := len(found.left_out) - MOST_TOLD) > 0:
        lines.append(f"and {more} more were left out")
    lines.append(f"next: skill-tools validate {folder}")
    data: dict[str, object] = {"readings": str(folder / READINGS_FILE), "left_out": found.left_out}
    data |= {"examples": found.examples, "contradictions": found.contradictions}
    show(data, lines, as_json)
