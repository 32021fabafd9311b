"""The command that looks at the rows of a data set."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from skill_tools.cli import gate
from skill_tools.cli.gate import FailOn, Format, Grow, KnownIn, Save
from skill_tools.cli.lookup import Json
from skill_tools.errors import SkillToolsError

app = typer.Typer()


# One parameter an option: typer reads them.
@app.command()
def data(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            help="files of rows (.jsonl, .json, .csv or .parquet); each file name gives its split"
        ),
    ] = None,
    split: Annotated[
        list[str] | None, typer.Option("--split", help="file of a split, as NAME=FILE; repeatable")
    ] = None,
    question: Annotated[
        str | None, typer.Option(help="field that holds the question. Default: a common field name")
    ] = None,
    answer: Annotated[
        str | None,
        typer.Option(help="field that holds the answer, such as reward_model.ground_truth"),
    ] = None,
    against: Annotated[
        list[Path] | None,
        typer.Option(help="file whose texts must not occur in the rows; repeatable"),
    ] = None,
    solver: Annotated[
        str | None,
        typer.Option(
            help="path.py:function that computes the answer of a row; skill-tools runs it"
        ),
    ] = None,
    fail_on: FailOn = None,
    form: Format = None,
    save: Save = None,
    known_in: KnownIn = None,
    grow: Grow = None,
    as_json: Json = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="also list the checks that passed")
    ] = False,
) -> None:
    """Report faults in the rows of a data set: copies, leaks between splits, wrong labels."""
    from skill_tools.pipeline.data import check_data

    asked = gate.read_options(as_json, form, fail_on, save, known_in, grow, played=False)
    splits: dict[str, str | Path] = {}
    for each in split or ():
        name, sign, path = each.partition("=")
        if not (name and sign and path):
            raise SkillToolsError(
                f"--split {each!r} does not name a file\n    fix: write it as NAME=FILE"
            )
        splits[name] = path
    if not (files or splits):
        raise SkillToolsError("no file of rows was given\n    fix: run skill-tools data FILE...")
    outcome = check_data(
        files or [],
        splits=splits,
        question=question,
        answer=answer,
        against=against or (),
        solver=solver,
    )
    gate.tell(outcome.report, asked, verbose=verbose, target=outcome.report.title)
