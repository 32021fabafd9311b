"""The command that says whether a model can learn from an environment."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

import skill_tools
from skill_tools.cli import gate
from skill_tools.cli.episodes import Folder, Split, agreed
from skill_tools.cli.gate import FailOn, Format, Grow, KnownIn, Save
from skill_tools.cli.lookup import Json, show_line
from skill_tools.errors import SkillToolsError

if TYPE_CHECKING:
    from skill_tools.learnability.sampled import ModelStudy, Prices

app = typer.Typer()
errors = Console(stderr=True, soft_wrap=True)
REAL = "Returns of a real model (with --model)"


# One parameter an option: typer reads them.
@app.command()
def study(
    folder: Folder,
    split: Split = None,
    tasks: Annotated[
        int, typer.Option(min=1, help="number of tasks to play, spread over the levels")
    ] = 24,
    samples: Annotated[
        int, typer.Option(min=2, help="episodes per task and rung: the size of a group")
    ] = 8,
    seconds: Annotated[
        float | None,
        typer.Option(min=1, help="maximum seconds. Default: 50, or 150 for a slow domain"),
    ] = None,
    bound: Annotated[
        float | None,
        typer.Option(
            min=0.01,
            max=1,
            help="fail if a blind player earns more than this share of the oracle's return",
        ),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            help="real model that also plays; its episodes are kept in runs/",
            rich_help_panel=REAL,
        ),
    ] = None,
    base_url: Annotated[
        str | None,
        typer.Option(
            help="OpenAI-compatible endpoint of the model (key: ROLLOUT_API_KEY)",
            rich_help_panel=REAL,
        ),
    ] = None,
    framework: Annotated[
        str | None,
        typer.Option(
            "--framework",
            "-f",
            help="framework that the model plays. Default: the first rendered",
            rich_help_panel=REAL,
        ),
    ] = None,
    episodes: Annotated[
        int | None,
        typer.Option(min=1, help="maximum number of the model's episodes", rich_help_panel=REAL),
    ] = None,
    token_budget: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="token budget of the model, which stops after the batch that exhausts it",
            rich_help_panel=REAL,
        ),
    ] = None,
    narrow: Annotated[
        float | None,
        typer.Option(
            help="stop the model when pass@1 is known to within this value, such as 0.05",
            rich_help_panel=REAL,
        ),
    ] = None,
    threshold: Annotated[
        float | None,
        typer.Option(
            help="minimum return that counts as a pass. Default: the task's maximum",
            rich_help_panel=REAL,
        ),
    ] = None,
    price_in: Annotated[
        float | None,
        typer.Option(min=0, help="price per million input tokens", rich_help_panel=REAL),
    ] = None,
    price_out: Annotated[
        float | None,
        typer.Option(min=0, help="price per million output tokens", rich_help_panel=REAL),
    ] = None,
    concurrency: Annotated[
        int | None,
        typer.Option(
            min=1, help="maximum concurrent episodes of the model. Default: 8", rich_help_panel=REAL
        ),
    ] = None,
    on: Annotated[
        str | None,
        typer.Option(
            help="cluster to play on: ray from one of its machines, otherwise ray://HOST:10001",
            rich_help_panel=REAL,
        ),
    ] = None,
    temperature: Annotated[
        float | None,
        typer.Option(help="sampling temperature. Default: the server's", rich_help_panel=REAL),
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option(help="maximum tokens per message", rich_help_panel=REAL)
    ] = None,
    resume: Annotated[
        bool,
        typer.Option("--resume", help="continue where the model stopped", rich_help_panel=REAL),
    ] = False,
    fresh: Annotated[
        bool,
        typer.Option(
            "--fresh", help="start over with the model, keeping the old file", rich_help_panel=REAL
        ),
    ] = False,
    fail_on: FailOn = None,
    form: Format = None,
    save: Save = None,
    known_in: KnownIn = None,
    grow: Grow = None,
    as_json: Json = False,
    verbose: Annotated[
        bool,
        typer.Option(
            "--verbose", "-v", help="list each task, each lazy player and the checks that passed"
        ),
    ] = False,
) -> None:
    """Play policies from oracle to random, and report whether a model can learn from the rewards."""
    from skill_tools.cli.progress import show_progress
    from skill_tools.learnability.text import tell_study
    from skill_tools.report.formats import TEXT
    from skill_tools.report.outcome import report_study

    place = agreed(folder)
    told = gate.read_options(as_json, form, fail_on, save, known_in, grow, played=False)
    asked: dict[str, Any] = {"base_url": base_url, "framework": framework, "episodes": episodes}
    asked |= {"tokens": token_budget, "narrow": narrow, "threshold": threshold, "fresh": fresh}
    asked |= {"concurrency": concurrency, "prices": _prices(price_in, price_out)}
    asked |= {"temperature": temperature, "max_tokens": max_tokens, "resume": resume, "on": on}
    if model is None and any(value not in (None, False) for value in asked.values()):
        raise SkillToolsError(
            "every option for a real model needs --model\n    fix: name a model with --model"
        )
    asked |= {"split": split, "tasks": tasks, "samples": samples}
    numbers = _sample(place, model, asked, quiet=told.form != TEXT) if model else None
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
        from skill_tools.pipeline.studies.sampling import add_to_study

        found = add_to_study(place, found, numbers)
    for line in (
        [*tell_study(found, verbose=verbose), *_tell_where(place)] if told.form == TEXT else ()
    ):
        show_line(line)
    report, data = report_study(found, str(place)), found.model_dump_json(indent=2)
    gate.tell(report, told, verbose=verbose, data=data)


def _prices(read: float | None, written: float | None) -> Prices | None:
    from skill_tools.learnability.sampled import Prices

    if (read is None) != (written is None):
        raise SkillToolsError(
            "--price-in and --price-out belong together\n    fix: give both; one of them can be 0"
        )
    return None if read is None or written is None else Prices(prompt=read, completion=written)


def _sample(place: Path, model: str, asked: dict[str, Any], *, quiet: bool) -> ModelStudy:
    """What a model earned; told as soon as it is known, before anything else is played."""
    from skill_tools.cli.progress import show_progress
    from skill_tools.learnability.levers import tell_model
    from skill_tools.pipeline.studies.sampling import sample_model
    from skill_tools.report.storage.runs import study_file

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
    from skill_tools.report.storage.runs import PAGE_FILE, STUDY_FILE, runs_of

    runs = runs_of(folder)
    yield f"Saved the study to {runs / STUDY_FILE}. See the curves: {(runs / PAGE_FILE).as_uri()}"
