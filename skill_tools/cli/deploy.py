"""The commands that write a variant for others: to publish it, or to serve it with many workers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import skill_tools
from skill_tools.cli.lookup import show
from skill_tools.cli.options import DryRun, Folder, Force, Json

app = typer.Typer()
Output = Annotated[Path | None, typer.Option(help="new folder. Default: next to the environment")]
One = Annotated[str, typer.Argument(help="framework to bundle; see `skill-tools frameworks`")]


@app.command()
def bundle(folder: Folder, framework: One, output: Output = None, as_json: Json = False) -> None:
    """Write one variant and its domain to a folder that can be published for its framework."""
    made = skill_tools.bundle(folder, framework, output)
    lines = [f"wrote {len(made.files)} files to {made.folder}", f"next: {made.publish}"]
    show({**vars(made), "folder": str(made.folder)}, lines, as_json)


@app.command()
def deploy(
    folder: Folder,
    framework: Annotated[str, typer.Argument(help="framework to serve: openenv, ors or nemo_gym")],
    to: Annotated[
        str, typer.Option(help="deployment target: compose, kubernetes, ray, slurm or spaces")
    ],
    output: Annotated[
        Path | None, typer.Option(help="folder to write. Default: next to the environment")
    ] = None,
    workers: Annotated[
        int, typer.Option(help="number of server processes, each on its own CPU")
    ] = 2,
    sessions: Annotated[int, typer.Option(help="maximum concurrent sessions per worker")] = 256,
    memory: Annotated[
        int | None,
        typer.Option(help="memory per worker in MiB. Default: computed from its sessions"),
    ] = None,
    drain: Annotated[
        int, typer.Option(help="seconds that a worker waits for sessions to end")
    ] = 900,
    image: Annotated[
        str, typer.Option(help="name of the workers' image. Default: NAME-FRAMEWORK:VERSION")
    ] = "",
    force: Force = False,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Write a bundle that an engine can serve with many workers behind a load balancer."""
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
