"""The command that says whether a model can learn from an environment."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

import skill_tools
from skill_tools.cli.episodes import Folder, Split, agreed
from skill_tools.cli.lookup import Json, show, show_line
from skill_tools.errors import SkillToolsError

if TYPE_CHECKING:
    from skill_tools.report.study.sampled import ModelStudy, Prices

app = typer.Typer()
errors = Console(stderr=True, soft_wrap=True)
REAL = "What a real model earns beside (with --model)"


# One parameter an option: typer reads them.
@app.command()
def study(
    folder: Folder,
    split: Split = None,
    tasks: Annotated[int, typer.Option(min=1, help="tasks to play, spread over the levels")] = 24,
    samples: Annotated[int, typer.Option(min=2, help="of each task on each rung: a group")] = 8,
    seconds: Annotated[
        float | None, typer.Option(min=1, help="default: 50, or 150 for a slow domain")
    ] = None,
    bound: Annotated[
        float | None,
        typer.Option(
            min=0.01,
            max=1,
            help="share of the oracle's return that no player should earn who does not look",
        ),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            help="a real model that plays, too; its episodes are kept in runs/",
            rich_help_panel=REAL,
        ),
    ] = None,
    base_url: Annotated[
        str | None,
        typer.Option(help="its OpenAI-compatible endpoint (ROLLOUT_API_KEY)", rich_help_panel=REAL),
    ] = None,
    framework: Annotated[
        str | None,
        typer.Option(
            "--framework",
            "-f",
            help="what the model plays; default: the first rendered",
            rich_help_panel=REAL,
        ),
    ] = None,
    episodes: Annotated[
        int | None, typer.Option(min=1, help="of the model, at the most", rich_help_panel=REAL)
    ] = None,
    token_budget: Annotated[
        int | None,
        typer.Option(
            min=1, help="the model ends after the batch that uses it up", rich_help_panel=REAL
        ),
    ] = None,
    narrow: Annotated[
        float | None,
        typer.Option(
            help="the model ends when pass@1 is known to ± this: 0.05", rich_help_panel=REAL
        ),
    ] = None,
    threshold: Annotated[
        float | None,
        typer.Option(
            help="the return by which the model passes; default: the task's most",
            rich_help_panel=REAL,
        ),
    ] = None,
    price_in: Annotated[
        float | None,
        typer.Option(min=0, help="of a million tokens that the model reads", rich_help_panel=REAL),
    ] = None,
    price_out: Annotated[
        float | None, typer.Option(min=0, help="of a million that it writes", rich_help_panel=REAL)
    ] = None,
    concurrency: Annotated[
        int | None,
        typer.Option(
            min=1, help="the model's episodes at a time; default: 8", rich_help_panel=REAL
        ),
    ] = None,
    on: Annotated[
        str | None,
        typer.Option(
            help="play it over a cluster: ray on one of its machines, else ray://HOST:10001",
            rich_help_panel=REAL,
        ),
    ] = None,
    temperature: Annotated[
        float | None, typer.Option(help="of the model; default: its server's", rich_help_panel=REAL)
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option(help="of one message of the model", rich_help_panel=REAL)
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="go on where the model ended", rich_help_panel=REAL)
    ] = False,
    fresh: Annotated[
        bool,
        typer.Option(
            "--fresh", help="begin anew with the model; the old file is kept", rich_help_panel=REAL
        ),
    ] = False,
    as_json: Json = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="each task and each lazy player")
    ] = False,
) -> None:
    """Play from oracle to random, and say whether a model can learn from what is paid."""
    from skill_tools.cli.progress import show_progress
    from skill_tools.report.study.text import tell_study

    place = agreed(folder)
    asked: dict[str, Any] = {"base_url": base_url, "framework": framework, "episodes": episodes}
    asked |= {"tokens": token_budget, "narrow": narrow, "threshold": threshold, "fresh": fresh}
    asked |= {"concurrency": concurrency, "prices": _prices(price_in, price_out)}
    asked |= {"temperature": temperature, "max_tokens": max_tokens, "resume": resume, "on": on}
    if model is None and any(value not in (None, False) for value in asked.values()):
        raise SkillToolsError(
            "what a real model plays, and how it is asked, needs --model\n    fix: name the model"
        )
    asked |= {"split": split, "tasks": tasks, "samples": samples}
    numbers = _sample(place, model, asked, quiet=as_json) if model else None
    with show_progress(errors) as progress:
        found = skill_tools.study(
            place,
            split=split,
            tasks=tasks,
            samples=samples,
            seconds=seconds,
            bound=bound,
            progress=progress,
        )
    if numbers:
        from skill_tools.pipeline.sampling import add_to_study

        found = add_to_study(place, found, numbers)
    lines = [*tell_study(found, verbose=verbose), *_tell_where(place)]
    show(json.loads(found.model_dump_json()), lines, as_json)
    if not found.ok:
        raise typer.Exit(1)


def _prices(read: float | None, written: float | None) -> Prices | None:
    from skill_tools.report.study.sampled import Prices

    if (read is None) != (written is None):
        raise SkillToolsError(
            "--price-in and --price-out belong together\n    fix: give both, one of them maybe 0"
        )
    return None if read is None or written is None else Prices(prompt=read, completion=written)


def _sample(place: Path, model: str, asked: dict[str, Any], *, quiet: bool) -> ModelStudy:
    """What a model earned; told as soon as it is known, before anything else is played."""
    from skill_tools.cli.progress import show_progress
    from skill_tools.pipeline.sampling import sample_model
    from skill_tools.report.runs import study_file
    from skill_tools.report.study.levers import tell_model

    more = {name: value for name, value in asked.items() if value is not None}
    more["asking"] = skill_tools.Asking(
        temperature=more.pop("temperature", None), max_tokens=more.pop("max_tokens", None)
    )
    more["resume"] = study_file(place, model) if more.pop("resume") else None
    framework = more.pop("framework", None)
    with show_progress(errors) as progress:
        path, numbers = sample_model(place, framework, model, **more, progress=progress)
    if not quiet:
        for line in [*tell_model(numbers), f"trajectories: {path}", ""]:
            show_line(line)
    return numbers


def _tell_where(folder: Path) -> Iterator[str]:
    """Where the study is kept, and where its curves are seen."""
    from skill_tools.report.runs import PAGE_FILE, STUDY_FILE, runs_of

    runs = runs_of(folder)
    yield f"Kept in {runs / STUDY_FILE}. See the curves: {(runs / PAGE_FILE).as_uri()}"
