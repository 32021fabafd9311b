"""The command that predicts whether a model can learn from an environment."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

import skill_tools
from skill_tools.cli import gate
from skill_tools.cli.episodes import agreed
from skill_tools.cli.gate import GateFlags
from skill_tools.cli.lookup import show_line
from skill_tools.cli.options import Cluster, Folder, Only, Split, grouped
from skill_tools.errors import SkillToolsError
from skill_tools.rollouts.options import RolloutOptions, SamplePlan

if TYPE_CHECKING:
    from skill_tools.learnability.sampled import ModelStudy

app = typer.Typer()
errors = Console(stderr=True, soft_wrap=True)
REQUESTS = Only(
    {
        "base_url": "",
        "concurrency": "maximum concurrent episodes of the model. Default: 8",
        "temperature": "",
        "max_tokens": "",
    }
)
"""Options of a rollout that also apply to a model's study."""


@app.command()
@grouped
def learnability(
    folder: Folder,
    split: Split = None,
    num_tasks: Annotated[
        int, typer.Option(min=1, help="number of tasks to play, spread over the levels")
    ] = 24,
    samples: Annotated[
        int, typer.Option(min=2, help="episodes per task and skill level: the size of a group")
    ] = 8,
    seconds: Annotated[
        float | None,
        typer.Option(min=1, help="maximum seconds. Default: 50, or 150 for a slow domain"),
    ] = None,
    blind_threshold: Annotated[
        float | None,
        typer.Option(
            min=0.01,
            max=1,
            help="fail if a blind player earns more than this share of the oracle's return",
        ),
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="real model that also plays; its episodes are kept in runs/")
    ] = None,
    framework: Annotated[
        str | None,
        typer.Option(
            "--framework",
            "-f",
            help="framework that the model plays. Default: the first rendered",
        ),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="continue where the model stopped")
    ] = False,
    cluster: Cluster = None,
    *,
    options: Annotated[RolloutOptions, REQUESTS],
    plan: SamplePlan,
    flags: GateFlags,
    verbose: Annotated[
        bool,
        typer.Option(
            "--verbose", "-v", help="list each task, each blind player and the checks that passed"
        ),
    ] = False,
) -> None:
    """Play policies from oracle to random, and report whether a model can learn from the rewards."""
    from skill_tools.learnability.levers import tell_model
    from skill_tools.learnability.text import tell_study
    from skill_tools.report.formats import TEXT
    from skill_tools.report.outcome import report_study
    from skill_tools.report.storage.runs import study_file
    from skill_tools.report.terminal import show_progress

    place = agreed(folder)
    told = flags.read(played=False)
    ours = (options, plan) != (RolloutOptions(), SamplePlan())
    numbers: ModelStudy | None = None
    if model:
        options = replace(options, split=split, samples=samples)
        plan = replace(plan, num_tasks=num_tasks)
        with show_progress(errors) as progress:
            path, numbers = skill_tools.sample_model(
                *(place, framework, model, options, plan),
                resume=study_file(place, model) if resume else None,
                cluster=cluster,
                progress=progress,
            )
        if told.form == TEXT:  # as soon as it is known
            for line in [*tell_model(numbers), f"trajectories: {path}", ""]:
                show_line(line)
    elif ours or framework or resume or cluster:
        raise SkillToolsError(
            "every option for a real model needs --model\n    fix: name a model with --model"
        )
    with show_progress(errors) as progress:
        found = skill_tools.study(
            place,
            split=split,
            num_tasks=num_tasks,
            samples=samples,
            seconds=seconds,
            blind_threshold=blind_threshold,
            progress=progress,
        )
    if numbers:
        from skill_tools.pipeline.studies.sampling import add_to_study

        found = add_to_study(place, found, numbers)
    if told.form == TEXT:
        for line in [*tell_study(found, verbose=verbose), *_tell_where(place)]:
            show_line(line)
    report, data = report_study(found, str(place)), found.model_dump_json(indent=2)
    gate.tell(report, told, verbose=verbose, data=data)


def _tell_where(folder: Path) -> Iterator[str]:
    """Yield lines that say where the study is saved and where to see its curves."""
    from skill_tools.report.storage.runs import PAGE_FILE, STUDY_FILE, runs_of

    runs = runs_of(folder)
    yield f"Saved the study to {runs / STUDY_FILE}. See the curves: {(runs / PAGE_FILE).as_uri()}"
