"""The command line: the library's verbs for people.

Exit codes: 0 all well, 1 a check failed, 2 bad input or machine, 3 a defect of ours.
"""

from __future__ import annotations

import json
import signal
import sys
import traceback
from pathlib import Path
from typing import Annotated

import typer

from skill_tools import __version__
from skill_tools.errors import SkillToolsError, SpecError
from skill_tools.report.terminal import console, errors, play, show, show_archetype

app = typer.Typer(
    name="skill-tools",
    help="Turn an env spec into framework variants, play them, and check what they do.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

Folder = Annotated[Path, typer.Argument(help="folder with env.yaml")]
Json = Annotated[bool, typer.Option("--json", help="print JSON and nothing else")]
Only = Annotated[
    list[str] | None, typer.Option("--framework", "-f", help="only this one, or all; repeatable")
]
One = Annotated[str, typer.Argument(help="see `skill-tools frameworks`")]
Output = Annotated[Path | None, typer.Option(help="new folder; default: beside the environment")]
Force = Annotated[bool, typer.Option(help="overwrite edited files, keeping a backup beside them")]
Count = Annotated[int, typer.Option("--tasks", min=1, help="how many tasks to play")]
Split = Annotated[str | None, typer.Option(help="split to play; default: the first")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="list what passed, too")]


@app.command()
def new(
    folder: Annotated[Path, typer.Argument(help="folder to create")],
    archetype: Annotated[str, typer.Option(help="see `skill-tools archetypes`")],
    name: Annotated[str | None, typer.Option(help="snake_case; default: the folder's name")] = None,
    as_json: Json = False,
) -> None:
    """Start a small working environment of an archetype."""
    from skill_tools.pipeline import start

    files = start(folder, archetype, name)
    if as_json:
        print(json.dumps({"folder": str(folder), "files": files}, indent=2))
        return
    for path in files:
        console.print(f"wrote {folder / path}")
    console.print(f"next: skill-tools build {folder}")


@app.command()
def check(folder: Folder, as_json: Json = False, verbose: Verbose = False) -> None:
    """Check env.yaml and the author's files; writes nothing."""
    from skill_tools import pipeline

    show(pipeline.check(pipeline.found_in(folder)), as_json, verbose)


@app.command()
def render(
    folder: Folder,
    framework: Only = None,
    force: Force = False,
    dry_run: Annotated[bool, typer.Option("--check", help="only say what would change")] = False,
    as_json: Json = False,
) -> None:
    """Write the variants that the spec asks for."""
    from skill_tools import pipeline

    folder = pipeline.found_in(folder)
    if dry_run:
        found = pipeline.pending(folder, framework)
    else:
        found = pipeline.render(folder, framework, force=force)[1]
    changed = [state for state in found if state.state != "clean"]
    if as_json:
        print(json.dumps([vars(state) for state in found], indent=2))
    else:
        for state in changed:
            console.print(f"{state.state:8} {state.path}")
        console.print(f"{len(found)} files, {len(changed)} {'to change' if dry_run else 'changed'}")
    if dry_run and changed:
        raise typer.Exit(1)


@app.command()
def rollout(
    folder: Folder,
    framework: Annotated[str, typer.Option("--framework", "-f")],
    policy: Annotated[str, typer.Option(help="a scripted policy")] = "oracle",
    count: Count = 1,
    split: Split = None,
    as_json: Json = False,
) -> None:
    """Roll out a scripted policy in one variant and print every step.

    For a real model, run the variant's own rollout.py; its README says how.
    """
    from skill_tools import pipeline
    from skill_tools.runtime import consent

    folder = consent.approve(pipeline.found_in(folder))
    on_line = None if as_json else lambda line: console.print(line, markup=False, highlight=False)
    found = pipeline.roll_out_policy(
        folder, framework, policy, count=count, split=split, on_line=on_line
    )
    if as_json:
        print(json.dumps([t.model_dump(by_alias=True) for t in found], indent=2))
    if any(trajectory.end == "failed" for trajectory in found):
        raise typer.Exit(1)


@app.command()
def validate(
    folder: Folder,
    framework: Only = None,
    count: Count = 10,
    split: Split = None,
    as_json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Play every policy in every variant as it lies on disk, and run the checks."""
    from skill_tools import pipeline

    play(
        pipeline.validate,
        pipeline.found_in(folder),
        framework,
        as_json,
        verbose,
        count=count,
        split=split,
    )


@app.command()
def build(
    folder: Folder,
    framework: Only = None,
    count: Count = 10,
    split: Split = None,
    force: Force = False,
    as_json: Json = False,
    verbose: Verbose = False,
) -> None:
    """Check, render, install, roll out every policy in every variant, check again, report."""
    from skill_tools import pipeline

    play(
        pipeline.build,
        pipeline.found_in(folder),
        framework,
        as_json,
        verbose,
        count=count,
        split=split,
        force=force,
    )


@app.command()
def bundle(folder: Folder, framework: One, output: Output = None, as_json: Json = False) -> None:
    """Write one variant with the domain inside, as a folder that its framework can publish."""
    from skill_tools import pipeline

    made = pipeline.bundle(pipeline.found_in(folder), framework, output)
    if as_json:
        print(json.dumps({**vars(made), "folder": str(made.folder)}, indent=2))
    else:
        console.print(f"wrote {len(made.files)} files to {made.folder}\nnext: {made.publish}")


@app.command()
def archetypes(
    name: Annotated[str | None, typer.Argument(help="one of them, with all that it says")] = None,
    as_json: Json = False,
) -> None:
    """List the kinds of environment, and when to choose which."""
    from dataclasses import asdict

    from skill_tools.archetypes import ARCHETYPES, find

    chosen = [find(name)] if name else list(ARCHETYPES.values())
    if as_json:
        print(json.dumps([asdict(archetype) for archetype in chosen], indent=2))
        return
    for archetype in chosen:
        console.print(f"[bold]{archetype.name}[/bold]\n  {archetype.when}")
    if name:
        show_archetype(chosen[0])


@app.command()
def frameworks(as_json: Json = False) -> None:
    """List the frameworks we render for, and the releases they are pinned to."""
    from skill_tools.frameworks import FRAMEWORKS

    names = ("name", "title", "requirements", "python", "transport", "summary", "docs")
    rows = [{name: getattr(f, name) for name in names} for f in FRAMEWORKS.values()]
    if as_json:
        print(json.dumps(rows, indent=2))
        return
    for row in rows:
        console.print(
            f"[bold]{row['name']}[/bold]  {' '.join(row['requirements'])}, Python {row['python']}"
        )
        console.print(f"  {row['summary']}\n  {row['docs']}", highlight=False)


@app.command()
def explain(
    check: Annotated[str, typer.Argument(help="an id such as REW001, or a name")],
    as_json: Json = False,
) -> None:
    """Say what a check looks for, why, and what to do when it fails."""
    from skill_tools.checks import catalogue

    found = catalogue.find(check)
    if as_json:
        print(json.dumps(found.model_dump(), indent=2))
        return
    console.print(f"[bold]{found.id} {found.name}[/bold]\n\n{found.what}\n\n{found.why}\n")
    console.print(f"fix: {found.fix}")


@app.command()
def doctor(as_json: Json = False) -> None:
    """Say what this machine offers and lacks for each framework."""
    from skill_tools.runtime import doctor as diagnosis

    rows = diagnosis.examine()
    if as_json:
        print(json.dumps([vars(row) for row in rows], indent=2))
    else:
        for row in rows:
            console.print(f"{'ok  ' if row.ok else 'LACK'} {row.what}: {row.found}", markup=False)
    if not all(row.ok for row in rows):
        raise typer.Exit(2)


@app.command()
def serve(
    root: Annotated[
        list[Path] | None,
        typer.Option(exists=True, file_okay=False, help="work below it only; repeatable"),
    ] = None,
) -> None:
    """Serve the MCP tools on stdin and stdout, for a coding agent to start."""
    from skill_tools.server.app import serve as run

    run(root or [])


def _version(wanted: bool) -> None:
    if wanted:
        print(__version__)
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="print the version")
    ] = False,
) -> None:
    pass


def _interrupted(number: int, frame: object) -> None:
    # Threads wait for the rollouts; end those first, or we would wait for the threads.
    from skill_tools.runtime import supervise

    supervise.end_all()
    errors.print("interrupted")
    sys.exit(128 + number)


def main() -> None:
    """Run the command line; turns expected errors into a message and exit code 2."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _interrupted)
    try:
        app()
    except SpecError as error:
        errors.print(f"error: {len(error.problems)} problem(s) in the env spec", style="bold red")
        errors.print(str(error), markup=False, highlight=False)
        sys.exit(2)
    except SkillToolsError as error:
        errors.print(f"error: {error}", markup=False, highlight=False)
        sys.exit(2)
    except Exception:  # noqa: BLE001 - the last line of defence; anything here is our defect
        traceback.print_exc()
        errors.print("error: this is a defect in skill-tools, please report it with the text above")
        sys.exit(3)


if __name__ == "__main__":
    main()
