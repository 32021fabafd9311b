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
ASKED = "Requests to a model (default: the server's settings)"
Split = Annotated[str | None, typer.Option(help="split to play. Default: the first")]


# One parameter an option: typer reads them, and most of the lines declare them.
@app.command()
def rollout(
    folder: Folder,
    framework: Annotated[
        str, typer.Option("--framework", "-f", help="framework of the variant to play")
    ],
    policy: Annotated[
        str | None, typer.Option(help="scripted policy to play. Default: oracle")
    ] = None,
    model: Annotated[
        list[str] | None, typer.Option(help="real model to play instead of a policy; repeatable")
    ] = None,
    base_url: Annotated[
        str | None,
        typer.Option(help="OpenAI-compatible endpoint of the model (key: ROLLOUT_API_KEY)"),
    ] = None,
    index: Annotated[
        str, typer.Option(help="task index or inclusive range, such as 3 or 0-9")
    ] = "0",
    split: Split = None,
    seed: Annotated[
        int | None, typer.Option(help="seed of the world. Default: the task's own")
    ] = None,
    max_turns: Annotated[
        int | None,
        typer.Option(min=1, help="maximum turns per episode. Default: the episode's own limit"),
    ] = None,
    samples: Annotated[int, typer.Option(min=1, help="number of episodes per task")] = 1,
    concurrency: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="maximum concurrent episodes of a model. Default: 1, or 16 per batch with --cluster",
        ),
    ] = None,
    episode_seconds: Annotated[
        float,
        typer.Option(min=1, help="seconds after which a model that is still writing is stopped"),
    ] = 3600.0,
    resume: Annotated[
        Path | None,
        typer.Option(help="trajectory file to continue, from a model or from --cluster"),
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(
            help="cluster to play on: ray from one of its machines, otherwise ray://HOST:10001"
        ),
    ] = None,
    api: Annotated[
        str | None,
        typer.Option(help="API of the endpoint: chat or responses", rich_help_panel=ASKED),
    ] = None,
    temperature: Annotated[
        float | None, typer.Option(help="sampling temperature", rich_help_panel=ASKED)
    ] = None,
    top_p: Annotated[
        float | None, typer.Option(help="nucleus sampling threshold", rich_help_panel=ASKED)
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option(help="maximum tokens per message", rich_help_panel=ASKED)
    ] = None,
    sampling_seed: Annotated[
        int | None, typer.Option(help="base seed; sample k uses seed + k", rich_help_panel=ASKED)
    ] = None,
    stop: Annotated[
        list[str] | None, typer.Option(help="stop sequence; repeatable", rich_help_panel=ASKED)
    ] = None,
    extra_body: Annotated[
        str | None,
        typer.Option(help="JSON object with additional request fields", rich_help_panel=ASKED),
    ] = None,
    stream: Annotated[
        bool, typer.Option("--stream", help="stream the server's replies", rich_help_panel=ASKED)
    ] = False,
    strip_reasoning: Annotated[
        bool,
        typer.Option(
            "--strip-reasoning",
            help="do not send reasoning back to the model",
            rich_help_panel=ASKED,
        ),
    ] = False,
    action_api: Annotated[
        str | None, typer.Option(help="screen API of the model: tools, openai, anthropic or qwen")
    ] = None,
    coordinates: Annotated[
        str | None,
        typer.Option(
            help="coordinates of the model: pixels, thousandths, or a size such as 640x480"
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Roll out a scripted policy, or a real model, in one variant and print every step."""
    if model and policy:
        raise SkillToolsError(
            "--policy and --model exclude each other\n    fix: remove one of them"
        )
    if base_url and not model:
        raise SkillToolsError(
            "--base-url needs --model\n    fix: name the served model with --model"
        )
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
        strip_reasoning=strip_reasoning,
    )
    models_only = (seed, max_turns, concurrency, None if cluster else resume)
    if not model and (asking != skill_tools.Asking() or any(x is not None for x in models_only)):
        raise SkillToolsError(
            "request options, --seed, --max-turns, --concurrency and --resume need --model\n"
            "    fix: name a model with --model, or remove these options: scripted policies take none of them"
        )
    place["samples"] = samples
    asked: dict[str, Any] = {"episode_seconds": episode_seconds, "seed": seed, "resume": resume}
    asked |= {
        "max_turns": max_turns,
        "action_api": action_api,
        "coordinates": coordinates,
        "asking": asking,
    }
    if cluster:
        asked |= {"models": model or (), "policy": policy or "oracle", "base_url": base_url}
        asked |= {"concurrency": concurrency, "indices": place["indices"], "split": split}
        _roll_out_on(cluster, folder, framework, {**asked, "samples": samples}, as_json)
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
    cluster: str, folder: Path, framework: str, asked: dict[str, Any], as_json: bool
) -> None:
    """Play over a cluster, and sum up: nobody reads every step of thousands of episodes."""
    from skill_tools.cli.progress import show_progress
    from skill_tools.pipeline.clusters import rollout_on_cluster

    with show_progress(errors) as progress:
        done = rollout_on_cluster(agreed(folder), framework, cluster, **asked, progress=progress)
    summary = skill_tools.summarize([done.path])
    files = {"trajectories": str(done.path), "table": str(done.table) if done.table else None}
    counts = f"{done.handed.played} episodes were played, {done.handed.there} were already recorded"
    again = done.handed.again
    lines = [
        *summary.lines,
        counts + (f"; {again} batches were played again" if again else ""),
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
    """Replay the episode that shows a finding, on the bare domain as it is now."""
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
    index: Annotated[
        str, typer.Option(help="task index or inclusive range, such as 3 or 0-9")
    ] = "0",
    split: Split = None,
    seed: Annotated[
        int | None, typer.Option(help="seed of the world. Default: the task's own")
    ] = None,
    as_json: Json = False,
) -> None:
    """Play your own calls on the bare domain, and print what a model would see."""
    from skill_tools.report.storage.replays import tell_episode
    from skill_tools.report.storage.runs import keep_pictures

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
