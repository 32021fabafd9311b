"""Commands that play single episodes: with a policy or a model, again, or by calls that are typed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

import skill_tools
from skill_tools.cli.lookup import Json, show, show_line
from skill_tools.errors import SkillToolsError

app = typer.Typer()
errors = Console(stderr=True, soft_wrap=True)

Folder = Annotated[Path, typer.Argument(help="folder with env.yaml")]
ASKED = "How a model is asked (default: as the server does)"
Split = Annotated[str | None, typer.Option(help="split to play; default: the first")]


# One parameter an option: typer reads them, and most of the lines declare them.
@app.command()
def rollout(
    folder: Folder,
    framework: Annotated[str, typer.Option("--framework", "-f")],
    policy: Annotated[str | None, typer.Option(help="a scripted policy; default: oracle")] = None,
    model: Annotated[
        list[str] | None, typer.Option(help="a real model instead; repeatable")
    ] = None,
    base_url: Annotated[
        str | None, typer.Option(help="OpenAI-compatible endpoint of the model (ROLLOUT_API_KEY)")
    ] = None,
    index: Annotated[str, typer.Option(help="task, or inclusive range: 3, 0-9")] = "0",
    split: Split = None,
    seed: Annotated[int | None, typer.Option(help="of the world; default: the task's own")] = None,
    max_turns: Annotated[int | None, typer.Option(min=1, help="default: all")] = None,
    samples: Annotated[int, typer.Option(min=1, help="episodes of each task")] = 1,
    concurrency: Annotated[
        int | None,
        typer.Option(min=1, help="a model's episodes at a time; default: 1, with --on 16 a batch"),
    ] = None,
    episode_seconds: Annotated[
        float, typer.Option(min=1, help="after which a model that still writes is stopped")
    ] = 3600.0,
    resume: Annotated[
        Path | None, typer.Option(help="a file of a model's, or --on's, trajectories to go on with")
    ] = None,
    on: Annotated[
        str | None,
        typer.Option(help="play over a cluster: ray on one of its machines, else ray://HOST:10001"),
    ] = None,
    api: Annotated[
        str | None, typer.Option(help="chat or responses", rich_help_panel=ASKED)
    ] = None,
    temperature: Annotated[float | None, typer.Option(rich_help_panel=ASKED)] = None,
    top_p: Annotated[float | None, typer.Option(rich_help_panel=ASKED)] = None,
    max_tokens: Annotated[
        int | None, typer.Option(help="of one message at the most", rich_help_panel=ASKED)
    ] = None,
    sampling_seed: Annotated[
        int | None, typer.Option(help="sample k has it plus k", rich_help_panel=ASKED)
    ] = None,
    stop: Annotated[
        list[str] | None, typer.Option(help="repeatable", rich_help_panel=ASKED)
    ] = None,
    extra_body: Annotated[
        str | None, typer.Option(help="JSON: more fields of requests", rich_help_panel=ASKED)
    ] = None,
    stream: Annotated[
        bool, typer.Option("--stream", help="let the server stream", rich_help_panel=ASKED)
    ] = False,
    drop_reasoning: Annotated[
        bool,
        typer.Option("--drop-reasoning", help="send no thoughts back", rich_help_panel=ASKED),
    ] = False,
    actions: Annotated[
        str | None, typer.Option(help="a model's API on a screen: tools, openai, anthropic, qwen")
    ] = None,
    space: Annotated[
        str | None, typer.Option(help="its coordinates: pixels, thousandths or a size as 640x480")
    ] = None,
    as_json: Json = False,
) -> None:
    """Roll out a scripted policy, or a real model, in one variant and print every step."""
    if model and policy:
        raise SkillToolsError("--policy and --model exclude each other\n    fix: leave one out")
    if base_url and not model:
        raise SkillToolsError("--base-url needs --model\n    fix: name the model that it serves")
    place: dict[str, Any] = {"indices": _indices(index), "split": split}
    place["on_line"] = None if as_json else show_line
    asking = skill_tools.Asking(
        api=api,
        temperature=temperature,
        top_p=top_p,
        max_tokens=max_tokens,
        sampling_seed=sampling_seed,
        stop=stop or (),
        extra_body=extra_body,
        stream=stream,
        drop_reasoning=drop_reasoning,
    )
    models_only = (seed, max_turns, concurrency, None if on else resume)
    if not model and (asking != skill_tools.Asking() or any(x is not None for x in models_only)):
        raise SkillToolsError(
            "how a model is asked, --seed, --max-turns, --concurrency and --resume need --model\n"
            "    fix: name the model, or leave them out: a script is what it is"
        )
    place["samples"] = samples
    asked: dict[str, Any] = {"episode_seconds": episode_seconds, "seed": seed, "resume": resume}
    asked |= {"max_turns": max_turns, "actions": actions, "space": space, "asking": asking}
    if on:
        asked |= {"models": model or (), "policy": policy or "oracle", "base_url": base_url}
        asked |= {"concurrency": concurrency, "indices": place["indices"], "split": split}
        _roll_out_on(on, folder, framework, {**asked, "samples": samples}, as_json)
        return
    if model:
        place |= {"concurrency": concurrency or 1, **asked}
        _, found = skill_tools.rollout_models(agreed(folder), framework, model, base_url, **place)
    else:
        found = skill_tools.rollout(agreed(folder), framework, policy or "oracle", **place)
    if as_json:
        print(json.dumps([t.model_dump(by_alias=True) for t in found], indent=2))
    if any(trajectory.end == "failed" for trajectory in found):
        raise typer.Exit(1)


def _roll_out_on(
    on: str, folder: Path, framework: str, asked: dict[str, Any], as_json: bool
) -> None:
    """Play over a cluster, and sum up: nobody reads every step of thousands of episodes."""
    from skill_tools.cli.progress import show_progress
    from skill_tools.pipeline.clusters import rollout_on_cluster

    with show_progress(errors) as progress:
        done = rollout_on_cluster(agreed(folder), framework, on, **asked, progress=progress)
    summary = skill_tools.summarize([done.path])
    files = {"trajectories": str(done.path), "table": str(done.table) if done.table else None}
    counts = f"{done.handed.played} episodes were played, {done.handed.there} were there before"
    again = done.handed.again
    lines = [
        *summary.lines,
        counts + (f"; {again} batches were played again" if again else ""),
        f"trajectories: {done.path}",
        f"table: {done.table or 'none, as pyarrow is not installed beside skill-tools'}",
    ]
    show({**files, **vars(done.handed), "models": summary.models}, lines, as_json)
    for warning in summary.warnings:
        errors.print(f"warning: {warning}", markup=False)
    if done.handed.failed:
        raise typer.Exit(1)


@app.command()
def replay(
    folder: Folder,
    check: Annotated[str, typer.Argument(help="the finding's, such as REW011")],
    as_json: Json = False,
) -> None:
    """Play the episode again that a finding showed, on the bare domain as it is now."""
    from skill_tools.report.shown import tell_replay

    found = skill_tools.replay(agreed(folder), check)
    lines = list(tell_replay(found, skill_tools.load(folder).varies))
    show(found.now.model_dump(by_alias=True), lines, as_json)


@app.command("try")
def try_calls(
    folder: Folder,
    calls: Annotated[
        list[str] | None,
        typer.Argument(help='"drop_piece column=3"; name:=JSON for any value; none: the opening'),
    ] = None,
    index: Annotated[str, typer.Option(help="task, or inclusive range: 3, 0-9")] = "0",
    split: Split = None,
    seed: Annotated[int | None, typer.Option(help="default: the task's own")] = None,
    as_json: Json = False,
) -> None:
    """Play calls of your own on the bare domain, and see what a model would."""
    from skill_tools.report.runs import keep_pictures
    from skill_tools.report.shown import tell_episode

    place = agreed(folder)
    data: list[dict[str, Any]] = []
    lines: list[str] = []
    system: list[dict[str, Any]] = []
    first, last = _indices(index)
    for each in range(first, last + 1):
        found = skill_tools.try_calls(place, calls or (), index=each, split=split, seed=seed)
        files = [str(path) for path in keep_pictures(place, found)]
        data.append({**found.model_dump(by_alias=True), "pictures": files})
        lines += [f"{found.label}, on the bare domain", *tell_episode(found, prompt=system)]
        lines += [f"picture: {path}" for path in files]
        system = [message for message in found.prompt if message["role"] == "system"]
    show(data[0] if first == last else data, lines, as_json)


def _indices(text: str) -> tuple[int, int]:
    """The first and the last index of a range such as 0-9."""
    first, _, last = text.partition("-")
    if not (first.isdecimal() and (last or first).isdecimal()) or int(last or first) < int(first):
        raise SkillToolsError(
            f"--index is {text!r}\n    fix: write a number, or a range such as 0-9"
        )
    return int(first), int(last or first)


def agreed(folder: Path) -> Path:
    """Remember that who plays a folder here agrees to run its code: the server need not ask."""
    from skill_tools.pipeline import find_environment
    from skill_tools.runtime import consent

    return consent.approve(find_environment(folder))
