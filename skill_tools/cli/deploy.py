"""The command that carries a served variant to an engine with many workers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from skill_tools.cli.episodes import Folder
from skill_tools.cli.lookup import Json, show

app = typer.Typer()


# One parameter an option of the command.
@app.command()
def deploy(
    folder: Folder,
    framework: Annotated[str, typer.Argument(help="openenv, ors or nemo_gym")],
    to: Annotated[str, typer.Option(help="compose, kubernetes, ray, slurm or spaces")],
    output: Annotated[
        Path | None, typer.Option(help="folder; default: beside the environment")
    ] = None,
    workers: Annotated[int, typer.Option(help="server processes, each on a CPU of its own")] = 2,
    sessions: Annotated[int, typer.Option(help="that a worker takes at once")] = 256,
    memory: Annotated[
        int | None, typer.Option(help="MiB of a worker; default: as its sessions need")
    ] = None,
    drain: Annotated[
        int, typer.Option(help="seconds that a worker waits for sessions to end")
    ] = 900,
    image: Annotated[
        str, typer.Option(help="name of the workers' image; default: NAME-FRAMEWORK:VERSION")
    ] = "",
    force: Annotated[bool, typer.Option(help="overwrite edited files, keeping a backup")] = False,
    dry_run: Annotated[bool, typer.Option("--check", help="only say what would change")] = False,
    as_json: Json = False,
) -> None:
    """Write a bundle with what an engine needs to serve it by many workers behind a balancer."""
    from skill_tools.pipeline.deployments import Scale
    from skill_tools.pipeline.deployments import deploy as run

    scale = Scale(workers=workers, sessions=sessions, memory=memory, drain=drain, image=image)
    made = run(folder, framework, to, output, scale=scale, force=force, dry_run=dry_run)
    lines = [f"{file.state:8} {file.path}" for file in made.changes if dry_run]
    done = "would change" if dry_run else "changed"
    lines.append(f"{made.folder}: {len(made.files)} files, {len(made.changes)} {done}")
    files = [vars(file) for file in made.files]
    data = {"folder": str(made.folder), "target": to, "files": files, "steps": made.steps}
    show(data, [*lines, *(made.steps if not dry_run else ())], as_json)
    if dry_run and made.changes:
        raise typer.Exit(1)
