"""``python3 dev.py evals``: run the scripted solvers on every case, score them, and report."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Annotated

import typer

from evals.case import CaseError

app = typer.Typer(add_completion=False, no_args_is_help=False, pretty_exceptions_enable=False)
ALL = ("reference", "handwritten", "empty", "scaffold", "mutant")


@app.callback(invoke_without_command=True)
def main(
    context: typer.Context,
    case: Annotated[list[str] | None, typer.Option("--case", help="Only this case.")] = None,
    solver: Annotated[list[str] | None, typer.Option("--solver", help="Only this one.")] = None,
    epochs: Annotated[int, typer.Option(help="How often each sample is run.")] = 1,
    parallel: Annotated[int, typer.Option(help="Samples at once.")] = 2,
    judge: Annotated[
        str | None, typer.Option(help="Ask this model of Inspect's, such as openai/gpt-5-mini.")
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Forget what was scored before.")] = False,
) -> None:
    """Run solvers on cases, and then report. If an earlier run was killed, run only its missing samples.

    Without options, run every scripted solver on every case, which needs no key and no model.
    """
    if context.invoked_subcommand:
        return
    from evals import report, run

    solvers = list(solver or ALL)
    try:
        planned = run.plan(run.chosen(case or []), solvers)
        if judge:
            run.find_judge(judge)
        folder = run.folder_of(planned, epochs, judge)
        if fresh:
            shutil.rmtree(folder, ignore_errors=True)
        run.run(planned, folder, epochs, parallel, judge=judge)
    except CaseError as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(2) from error
    raise typer.Exit(0 if report.write(folder) else 1)


@app.command()
def show(folder: Annotated[Path, typer.Argument(help="The folder of a run.")]) -> None:
    """Report an earlier run again."""
    from evals import report

    raise typer.Exit(0 if report.write(folder) else 1)


@app.command("skill-mutants")
def skill_mutants(
    skill: Annotated[str, typer.Option(help="Which skill.")] = "rl-env-from-description",
    part: Annotated[list[int] | None, typer.Option("--part", help="Only this part.")] = None,
    case: Annotated[list[str] | None, typer.Option("--case", help="Only this case.")] = None,
    agent: Annotated[str, typer.Option(help="Which coding agent.")] = "claude",
    epochs: Annotated[int, typer.Option(help="How often each sample is run.")] = 1,
    listed: Annotated[bool, typer.Option("--list", help="List the parts, and stop.")] = False,
) -> None:
    """Drop one part of a skill at a time, and report the cases whose scores change without that part."""
    from evals import run
    from evals import skill_mutants as mutants
    from evals.report import result
    from evals.solvers.agents import SKILLS

    found = mutants.parts(SKILLS, skill)
    chosen = [each for each in found if not part or each.number in part]
    if listed:
        typer.echo("\n".join(each.name for each in chosen))
        return
    try:
        wanted = run.chosen(case or [])
        planned = mutants.plan(agent, wanted, chosen, run.RUNS / "skills")
        folder = run.folder_of(planned, epochs)
        logs = run.run(planned, folder, epochs)
    except CaseError as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(2) from error
    results = result.read(logs)
    for each in results:
        if each.error:
            typer.echo(f"not compared: {each.solver} on {each.case} could not be run: {each.error}")
    for name, changed in mutants.changes(results, chosen).items():
        costs = ", ".join(f"{case} {value:+.2f}" for case, value in changed.items())
        typer.echo(f"{name}\n    {costs or 'no case changes'}")


if __name__ == "__main__":
    app()
