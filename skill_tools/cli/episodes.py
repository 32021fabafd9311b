"""Commands that play single episodes: with a policy or a model, as a replay, or with calls that you type."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

import skill_tools
from skill_tools.cli.lookup import show, show_line
from skill_tools.cli.options import Cluster, Folder, Framework, Index, Json, Seed, Split, grouped
from skill_tools.errors import SkillToolsError
from skill_tools.rollouts.options import RolloutOptions

app = typer.Typer()
errors = Console(stderr=True, soft_wrap=True)
FOR_MODELS = "request options, --seed, --max-turns, --concurrency and --resume"


@app.command()
@grouped
def rollout(
    folder: Folder,
    framework: Framework,
    policy: Annotated[
        str | None, typer.Option(help="scripted policy to play. Default: oracle")
    ] = None,
    model: Annotated[
        list[str] | None, typer.Option(help="real model to play instead of a policy; repeatable")
    ] = None,
    index: Index = "0",
    resume: Annotated[
        Path | None,
        typer.Option(help="trajectory file to continue, from a model or from --cluster"),
    ] = None,
    cluster: Cluster = None,
    *,
    options: RolloutOptions,
    as_json: Json = False,
) -> None:
    """Roll out a scripted policy, or a real model, in one variant and print every step."""
    options = replace(options, indices=_indices(index))
    _refuse_unused(options, policy, model, resume, cluster)
    if cluster:
        _roll_out_on(cluster, folder, framework, options, policy, model, resume, as_json)
        return
    on_line = None if as_json else show_line
    if model:
        place = agreed(folder)
        _, found = skill_tools.rollout_models(
            place, framework, model, options, resume=resume, on_line=on_line
        )
    else:
        found = skill_tools.rollout(
            *(agreed(folder), framework, policy or "oracle"),
            indices=options.indices,
            split=options.split,
            samples=options.samples,
            on_line=on_line,
        )
        from skill_tools.pipeline import load

        if inside := ", ".join(load(agreed(folder)).models):
            errors.print(f"note: stand-ins replied for the models inside: {inside}", markup=False)
    if as_json:
        print(json.dumps([t.model_dump(by_alias=True) for t in found], indent=2))
    if any(trajectory.end == "failed" for trajectory in found):
        raise typer.Exit(1)


def _refuse_unused(
    options: RolloutOptions,
    policy: str | None,
    model: list[str] | None,
    resume: Path | None,
    cluster: str | None,
) -> None:
    """Raise SkillToolsError for options that would have no effect."""
    if model and policy:
        raise SkillToolsError(
            "--policy and --model exclude each other\n    fix: remove one of them"
        )
    if model:
        return
    if options.base_url:
        raise SkillToolsError(
            "--base-url needs --model\n    fix: name the served model with --model"
        )
    used = RolloutOptions(
        indices=options.indices,
        split=options.split,
        samples=options.samples,
        episode_seconds=options.episode_seconds,
        action_api=options.action_api,
        coordinates=options.coordinates,
    )
    if options != used or (resume and not cluster):
        raise SkillToolsError(
            f"{FOR_MODELS} need --model\n"
            "    fix: name a model with --model, or remove these options: scripted policies accept none of them"
        )


def _roll_out_on(
    cluster: str,
    folder: Path,
    framework: str,
    options: RolloutOptions,
    policy: str | None,
    models: list[str] | None,
    resume: Path | None,
    as_json: bool,
) -> None:
    """Play on a cluster, and print a summary instead of every step."""
    from skill_tools.pipeline.clusters import rollout_on_cluster
    from skill_tools.report.terminal import show_progress

    with show_progress(errors) as progress:
        done = rollout_on_cluster(
            *(agreed(folder), framework, cluster, options),
            policy=policy or "oracle",
            models=models or (),
            resume=resume,
            progress=progress,
        )
    summary = skill_tools.summarize([done.path])
    files = {"trajectories": str(done.path), "table": str(done.table) if done.table else None}
    counts = f"{done.handed.played} episodes played, {done.handed.there} already recorded"
    again = done.handed.again
    lines = [
        *summary.lines,
        counts + (f"; {again} batches were replayed" if again else ""),
        f"trajectories: {done.path}",
        f"table: {done.table or 'none, because pyarrow is not installed next to skill-tools'}",
    ]
    show({**files, **vars(done.handed), "models": summary.models}, lines, as_json)
    for warning in summary.warnings:
        errors.print(f"warning: {warning}", markup=False)
    if done.handed.failed:
        raise typer.Exit(1)


@app.command()
def replay(
    folder: Folder,
    check: Annotated[str, typer.Argument(help="check of the finding, such as REW011")],
    as_json: Json = False,
) -> None:
    """Replay the episode that shows a finding, on the current bare domain."""
    from skill_tools.report.storage.replays import tell_replay

    found = skill_tools.replay(agreed(folder), check)
    lines = list(tell_replay(found, skill_tools.load(folder).varies))
    show(found.now.model_dump(by_alias=True), lines, as_json)


@app.command()
def step(
    folder: Folder,
    calls: Annotated[
        list[str] | None,
        typer.Argument(
            help='calls such as "drop_piece column=3"; name:=JSON passes any value. '
            "Default: only the opening"
        ),
    ] = None,
    message: Annotated[
        list[str] | None,
        typer.Option(
            help="message without tool calls, after the calls; repeatable",
            show_default=False,
        ),
    ] = None,
    index: Index = "0",
    split: Split = None,
    seed: Seed = None,
    as_json: Json = False,
) -> None:
    """Play your own calls or messages on the bare domain, and print what a model would see."""
    from skill_tools.report.storage.replays import tell_episode
    from skill_tools.report.storage.runs import keep_pictures

    place = agreed(folder)
    data: list[dict[str, Any]] = []
    lines: list[str] = []
    system: list[dict[str, Any]] = []
    first, last = _indices(index)
    played = [*(calls or ()), *(("message", {"text": text}) for text in message or ())]
    for each in range(first, last + 1):
        found = skill_tools.try_calls(place, played, index=each, split=split, seed=seed)
        files = [str(path) for path in keep_pictures(place, found)]
        data.append({**found.model_dump(by_alias=True), "pictures": files})
        lines += [f"{found.label}, on the bare domain", *tell_episode(found, prompt=system)]
        lines += [f"picture: {path}" for path in files]
        system = [message for message in found.prompt if message["role"] == "system"]
    show(data[0] if first == last else data, lines, as_json)


def _indices(text: str) -> tuple[int, int]:
    """Return the first and the last index of a range such as 0-9."""
    first, _, last = text.partition("-")
    if not (first.isdecimal() and (last or first).isdecimal()) or int(last or first) < int(first):
        raise SkillToolsError(
            f"--index is {text!r}\n    fix: write a number, or a range such as 0-9"
        )
    return int(first), int(last or first)


def agreed(folder: Path) -> Path:
    """Record that the user agrees to run the folder's code, and return the environment's folder.

    A user who plays a folder on the command line agrees to this, so the MCP server need not ask.
    """
    from skill_tools.pipeline import find_environment
    from skill_tools.runtime import consent

    return consent.approve(find_environment(folder))
