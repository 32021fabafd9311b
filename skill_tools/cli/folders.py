"""Commands that write a folder: a new environment, one variant to publish, a deployment."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NoReturn

import typer

import skill_tools
from skill_tools.cli.lookup import show
from skill_tools.cli.options import DryRun, Folder, Force, Json
from skill_tools.errors import SkillToolsError

app = typer.Typer()


@app.command()
def new(
    folder: Annotated[Path, typer.Argument(help="folder to create")],
    archetype: Annotated[
        str | None,
        typer.Option(
            help="kind in `skill-tools archetypes`, or desktop. "
            "Default: single-turn with --data, stateful-sandbox with --tools"
        ),
    ] = None,
    name: Annotated[
        str | None, typer.Option(help="name in snake_case. Default: the folder's name")
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            help="for single-turn: rows with questions and answers (JSONL, JSON, CSV, Parquet, or a folder)"
        ),
    ] = None,
    question: Annotated[
        str | None, typer.Option(help="the rows' field with the question. Default: guessed")
    ] = None,
    answer: Annotated[
        str | None, typer.Option(help="the rows' field with the answer. Default: guessed")
    ] = None,
    tools: Annotated[
        Path | None,
        typer.Option(
            help="existing tools: schemas or an MCP tools/list as JSON, an OpenAPI 3 document, "
            "or typed functions or methods in a .py file"
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Create a small working environment of the given kind, or an environment around your own rows or tools."""
    if tools is not None and data is not None:
        raise SkillToolsError(
            "--tools and --data start different environments\n    fix: name one of them"
        )
    if tools is not None:
        made = skill_tools.new_from_tools(folder, tools, name, archetype or "stateful-sandbox")
        said = [
            *made.left_out,
            "the methods in world.py raise NotImplementedError until you write them",
        ]
    elif data is None:
        made, said = skill_tools.new(folder, archetype or _no_archetype(), name), list[str]()
    elif archetype not in (None, "single-turn"):
        raise SkillToolsError(
            f"--data is for single-turn, not for {archetype}\n    fix: name --archetype single-turn, or omit --data"
        )
    else:
        found = skill_tools.new_from_rows(folder, data, name, question=question, answer=answer)
        made, sizes = found.made, ", ".join(f"{n} of {split}" for split, n in found.splits.items())
        said = [
            f"questions: the field {found.question!r}; answers: the field {found.answer!r}, compared as {found.kind}",
            f"tasks: {sizes}; check the rows themselves with: skill-tools data {data}",
        ]
    lines = [f"wrote {made.folder / path}" for path in made.files] + said
    lines.append(f"next: edit the CHANGE marks, then run: skill-tools check --play {made.folder}")
    show({**vars(made), "folder": str(made.folder)}, lines, as_json)


def _no_archetype() -> NoReturn:
    from skill_tools.archetypes import STARTERS

    raise SkillToolsError(
        f"no archetype is named\n    fix: name one with --archetype: {', '.join(STARTERS)}"
    )


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
