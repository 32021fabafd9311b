"""Commands that write and read data: tasks for training, and trajectories as pages, numbers or conversations."""

from __future__ import annotations

import shlex
import webbrowser
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import skill_tools
from skill_tools.cli.episodes import agreed
from skill_tools.cli.lookup import show
from skill_tools.cli.options import Folder, Json
from skill_tools.errors import SkillToolsError

if TYPE_CHECKING:
    from skill_tools.pipeline import Exported

app = typer.Typer()

Files = Annotated[
    list[Path],
    typer.Argument(exists=True, dir_okay=False, help="trajectory files, such as runs/*.jsonl"),
]
Models = Annotated[
    list[str] | None,
    typer.Option("--model", help="use only episodes of this model or policy; repeatable"),
]
NOUNS = {"sft": "conversations", "preferences": "pairs", "tokens": "sequences", "table": "rows"}


@app.command()
def export(
    kind: Annotated[str, typer.Argument(help="kind of data: sft, preferences, tokens or table")],
    files: Files,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="new .jsonl file, or .parquet for a table")
    ],
    model: Models = None,
    min_return: Annotated[
        float | None,
        typer.Option(
            help="sft: minimum return. Default: the task's maximum if recorded, otherwise the highest return seen"
        ),
    ] = None,
    keep_refused: Annotated[
        bool, typer.Option("--keep-refused", help="sft: also export episodes with refused calls")
    ] = False,
    arguments: Annotated[
        str | None,
        typer.Option(
            help="sft, preferences: write call arguments as an object (default) or as text"
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Export conversations for training, preference pairs, tokens, or a table of episodes."""
    done = skill_tools.export(
        kind,  # type: ignore[arg-type]  # which there are, export says itself
        files,
        output,
        models=model or (),
        min_return=min_return,
        keep_refused=keep_refused,
        arguments=arguments,  # type: ignore[arg-type]  # likewise
    )
    data = {**vars(done), "output": done.output and str(done.output)}
    show(data, _lines(done), as_json)
    if not done.output:
        raise typer.Exit(1)


@app.command()
def tasks(
    folder: Folder,
    output: Annotated[
        Path,
        typer.Option("--output", "-o", help="new .jsonl or .parquet file, or a folder of splits"),
    ],
    trainer: Annotated[
        str,
        typer.Option(help="row format: trl, verl, skyrl, nemo_gym, or plain (the whole prompt)"),
    ] = "plain",
    split: Annotated[
        str | None,
        typer.Option(help="split to write. Default: all for a folder, the first for a file"),
    ] = None,
    as_json: Json = False,
) -> None:
    """Write the tasks as rows for a trainer, without the fields that env.yaml hides."""
    agreed(folder)
    done = skill_tools.write_dataset(folder, output, trainer, split)
    lines = [f"wrote {count} rows of {name} to {done.output}" for name, count in done.rows.items()]
    show({**vars(done), "output": str(done.output)}, lines, as_json)


@app.command()
def summary(files: Files, model: Models = None, as_json: Json = False) -> None:
    """Summarize the results of episodes, in the same way as at the end of a model's rollout."""
    found = skill_tools.summarize(files, models=model or ())
    show(found.models, found.lines, as_json)
    for warning in found.warnings:
        typer.echo(f"warning: {warning}", err=True)


def _lines(done: Exported) -> Iterator[str]:
    """Yield lines about the number of rows written, and about the episodes left out and the reasons."""
    noun = NOUNS[done.kind]
    if done.output:
        yield f"wrote {done.rows} {noun} from {done.episodes} episodes to {done.output}"
    else:
        yield f"nothing was written: no {noun} in {done.episodes} episodes"
    for why, count in sorted(done.left_out.items(), key=lambda each: -each[1]):
        yield f"    {count} left out: {why}"
    ways = {"its return is too low": "--min-return", "a refused call": "--keep-refused"}
    if not done.output and (found := [way for why, way in ways.items() if why in done.left_out]):
        yield f"    fix: include them with {' or '.join(found)}"


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
