"""The commands that check other people's environments, and the rows of a data set."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from skill_tools.audit.options import AuditOptions
from skill_tools.cli import gate
from skill_tools.cli.gate import GateFlags
from skill_tools.cli.options import Verbose, grouped
from skill_tools.errors import SkillToolsError

app = typer.Typer()


@app.command()
@grouped
def audit(
    target: Annotated[
        str,
        typer.Argument(
            help="address (token: SKILL_TOOLS_TOKEN), folder, registered id, or reward function file.py:name"
        ),
    ],
    framework: Annotated[
        str | None,
        typer.Option("--framework", "-f", help="framework of the target, if it cannot be detected"),
    ] = None,
    arguments: Annotated[
        list[str] | None,
        typer.Option("--arg", help="loading argument, as key=value; repeatable"),
    ] = None,
    *,
    options: AuditOptions,
    flags: GateFlags,
    verbose: Annotated[
        bool,
        typer.Option("--verbose", "-v", help="also list the checks that passed, and all replies"),
    ] = False,
) -> None:
    """Play and check an environment that skill-tools did not render. This runs the environment's code."""
    from skill_tools.pipeline.audits import audit as run
    from skill_tools.pipeline.audits import read_arguments
    from skill_tools.report.terminal import show_progress

    asked = flags.read()
    options = replace(options, arguments=read_arguments(arguments or ()))
    with show_progress(Console(stderr=True, soft_wrap=True)) as progress:
        outcome = run(target, framework, options, progress=progress)
    gate.tell(outcome.report, asked, verbose=verbose, target=target, ran=outcome.ran)


@app.command()
@grouped
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
        str | None, typer.Option(help="field with the question. Default: a common field name")
    ] = None,
    answer: Annotated[
        str | None,
        typer.Option(help="field with the answer, such as reward_model.ground_truth"),
    ] = None,
    against: Annotated[
        list[Path] | None,
        typer.Option(help="file whose texts must not occur in the rows; repeatable"),
    ] = None,
    solver: Annotated[
        str | None,
        typer.Option(
            help="path.py:function that computes the answer to a row; skill-tools runs this function"
        ),
    ] = None,
    *,
    flags: GateFlags,
    verbose: Verbose = False,
) -> None:
    """Report faults in the rows of a data set: copies, leaks between splits, wrong labels."""
    from skill_tools.pipeline.datasets.row_checks import check_data

    asked = flags.read(played=False)
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
