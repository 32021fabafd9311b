"""The command line, which offers the library's functions to people.

Exit codes: 0 success, 1 a check failed or had no time, 2 invalid input or missing dependency, 3 internal
error.
"""

from __future__ import annotations

import errno
import signal
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from rich.console import Console

import skill_tools
from skill_tools.cli import (
    audits,
    episodes,
    folders,
    gate,
    learnability,
    lookup,
    ports,
    records,
    reviews,
)
from skill_tools.cli.episodes import agreed
from skill_tools.cli.former_names import Commands
from skill_tools.cli.gate import GateFlags
from skill_tools.cli.lookup import show
from skill_tools.cli.options import (
    DryRun,
    Folder,
    Force,
    Frameworks,
    Json,
    NumTasks,
    Quick,
    Splits,
    Verbose,
    grouped,
)
from skill_tools.errors import SkillToolsError
from skill_tools.report import plain_text

app = typer.Typer(
    name="skill-tools",
    cls=Commands,
    help="Turn an env spec into framework variants, play them, and check their behavior.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
errors = Console(stderr=True, soft_wrap=True)
MACHINE = (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT)
"""Operating system errors that are due to the machine: no rights, read-only, disk full."""

NoCache = Annotated[
    bool,
    typer.Option(
        "--no-cache", help="also replay episodes whose inputs have not changed since the last build"
    ),
]


@app.command()
@grouped
def check(
    folder: Folder,
    play: Annotated[bool, typer.Option("--play", help="also play the bare domain")] = False,
    num_tasks: Annotated[int, typer.Option(min=1, help="number of tasks to play")] = 10,
    split: Splits = None,
    *,
    flags: GateFlags,
    verbose: Verbose = False,
) -> None:
    """Check env.yaml and the author's files, without rendering and without any framework."""
    from skill_tools.report.terminal import show_progress

    asked = flags.read(played=play)
    with show_progress(errors) as progress:
        found = skill_tools.check(
            folder, play=play, count=num_tasks, split=split, progress=progress
        )
    gate.tell(found.report, asked, verbose=verbose)


@app.command()
def render(
    folder: Folder,
    framework: Frameworks = None,
    force: Force = False,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Write the variants that env.yaml requests."""
    found = skill_tools.render(folder, framework, force=force, dry_run=dry_run)
    lines = [f"{file.state:8} {file.path}" for file in found.changes]
    done = "would change" if dry_run else "changed"
    lines.append(f"{len(found.files)} files, {len(found.changes)} {done}")
    show([vars(file) for file in found.files], lines, as_json)
    if dry_run and found.changes:
        raise typer.Exit(1)


@app.command()
@grouped
def validate(
    folder: Folder,
    framework: Frameworks = None,
    num_tasks: NumTasks = None,
    split: Splits = None,
    quick: Quick = False,
    *,
    flags: GateFlags,
    verbose: Verbose = False,
) -> None:
    """Play every policy in every variant as found on disk, without rendering, then run the checks."""
    options = {"count": num_tasks, "split": split, "quick": quick}
    asked = flags.read()
    _play(skill_tools.validate, folder, framework, asked, verbose, **options)


@app.command()
@grouped
def build(
    folder: Folder,
    framework: Frameworks = None,
    num_tasks: NumTasks = None,
    split: Splits = None,
    force: Force = False,
    quick: Quick = False,
    no_cache: NoCache = False,
    *,
    flags: GateFlags,
    verbose: Verbose = False,
) -> None:
    """Check, render, install, roll out every policy in every variant, check again, and report."""
    options = {"count": num_tasks, "split": split, "force": force, "quick": quick}
    options |= {"no_cache": no_cache}
    asked = flags.read()
    _play(skill_tools.build, folder, framework, asked, verbose, **options)


@app.command()
@grouped
def recheck(
    folder: Annotated[Path, typer.Argument(help="folder with env.yaml, or an audit's output")],
    *,
    flags: GateFlags,
    verbose: Verbose = False,
) -> None:
    """Rerun the checks on the evidence of the last build, validation or audit, without playing."""
    from skill_tools.report.storage.recheck import judge as run

    asked = flags.read()
    gate.tell(run(folder).report, asked, verbose=verbose)


for each in (
    folders,
    episodes,
    reviews,
    learnability,
    records,
    audits,
    ports,
    lookup,
):
    app.add_typer(each.app)


@app.command()
def mcp(
    root: Annotated[
        list[Path] | None,
        typer.Option(exists=True, file_okay=False, help="allow only this folder; repeatable"),
    ] = None,
) -> None:
    """Serve the MCP tools on stdin and stdout, for a coding agent to start."""
    from skill_tools.mcp.start import serve as run

    run(root or [])


def _play(
    play: Callable[..., skill_tools.Outcome],
    folder: Path,
    only: Sequence[str] | None,
    asked: gate.GateOptions,
    verbose: bool,
    **options: Any,
) -> None:
    """Play an environment. Show the progress, and then the report."""
    from skill_tools.report.terminal import show_progress

    place = agreed(folder)
    with show_progress(errors) as progress:
        outcome = play(place, only, progress=progress, **options)
    page = outcome.page_file if outcome.evidence.variants.names else None
    gate.tell(outcome.report, asked, verbose=verbose, page=page)


def _version(wanted: bool) -> None:
    if wanted:
        print(skill_tools.__version__)
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="print the version")
    ] = False,
) -> None:
    pass


def _interrupted(number: int, frame: object) -> None:
    # Threads wait for the rollouts; end those first to avoid waiting for the threads.
    from skill_tools.runtime import supervise

    supervise.end_all()
    errors.print("interrupted")
    sys.exit(128 + number)


def main() -> None:
    """Run the command line. Turn expected errors into a message and exit code 2."""
    plain_text.make_patient()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _interrupted)
    try:
        app()
    except SystemExit as end:
        if not (why := plain_text.lost()):
            raise
        errors.print(f"error: {why}", markup=False)
        sys.exit(end.code or 2)
    except SkillToolsError as error:
        from skill_tools.report.listing import tell_error

        for line in tell_error(error):
            errors.print(line, markup=False)
        sys.exit(2)
    except OSError as error:
        if not (why := _refused(error)):
            _our_defect()
        errors.print(f"error: {why}", markup=False)
        sys.exit(2)
    except Exception:  # noqa: BLE001 - the last line of defence; anything here is our defect
        _our_defect()


def _refused(error: OSError) -> str:
    """Return a message if a limit of the machine caused the error, or "" if the cause is different."""
    if error.errno in MACHINE:
        return f"{error.filename or 'a file'}: {error.strerror}"
    # tempfile's message if none of its folders can be written.
    return str(error) if "usable temporary directory" in str(error) else ""


def _our_defect() -> NoReturn:
    traceback.print_exc()
    errors.print("error: internal error in skill-tools; please report it with the text above")
    sys.exit(3)
