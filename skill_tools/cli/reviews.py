"""Commands for readers who see only the prompts, for readers who see everything, and for judges of replies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

import skill_tools
from skill_tools.audit.options import AuditOptions
from skill_tools.cli import gate
from skill_tools.cli.episodes import agreed
from skill_tools.cli.gate import GateFlags
from skill_tools.cli.lookup import show
from skill_tools.cli.options import BaseUrl, Folder, Json, MaxTokens, Only, Verbose, grouped
from skill_tools.errors import SkillToolsError
from skill_tools.files import ANSWERS_FILE, CLAIMS_FILE, READINGS_FILE, SPEC_FILE

if TYPE_CHECKING:
    from skill_tools.pipeline.reviews.review import Reviewed
    from skill_tools.pipeline.studies.calibration import Calibration

app = typer.Typer()
OF_A_TARGET = dict.fromkeys(
    ("id", "dataset", "requirements", "imports", "reward_range", "call_seconds"), ""
)
"""The options of an audit that a review takes: those that say what the target is."""
MOST_TOLD = 10
"""Maximum number of a model's rejected readings for which the reason is reported."""


@app.command()
def blind_review(
    folder: Folder,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="file to write. Default: print the brief")
    ] = None,
    num_tasks: Annotated[
        int,
        typer.Option(min=1, max=12, help="number of tasks, from mixed levels and splits"),
    ] = 4,
    model: Annotated[
        str | None, typer.Option(help="model that reads the brief and writes readings.yaml")
    ] = None,
    base_url: BaseUrl = None,
    max_tokens: MaxTokens = None,
    as_json: Json = False,
) -> None:
    """Write a brief for a reader who sees the prompts and tools but no code. The reader then writes readings.yaml."""
    from skill_tools.pipeline.briefs import brief as write

    if model or base_url or max_tokens:
        _have_read(folder, output, num_tasks, (model, base_url), max_tokens, as_json)
        return
    text = write(agreed(folder), num_tasks, output)
    if output is None and not as_json:
        print(text, end="")
        return
    readings = folder / READINGS_FILE
    told = [
        f"wrote {output} ({len(text):,} characters)",
        "next: give the brief to an agent that has seen neither the code nor this conversation;",
        f"save its reply as {readings}, then run: skill-tools validate {folder}",
    ]
    data = {"brief": str(output) if output else text, "readings": str(readings)}
    show(data, told, as_json)


def _have_read(
    folder: Path,
    output: Path | None,
    count: int,
    server: tuple[str | None, str | None],
    max_tokens: int | None,
    as_json: bool,
) -> None:
    from skill_tools.pipeline.briefs import have_read

    model, base_url = server
    if not (model and base_url) or output:
        raise SkillToolsError(
            "a model that reads the brief needs --model and --base-url, and no --output: it writes readings.yaml\n"
            "    fix: run skill-tools blind-review DIR --model NAME --base-url URL"
        )
    found = have_read(agreed(folder), model, base_url, count, max_tokens)
    kinds = (("example", found.examples), ("contradiction", found.contradictions))
    counted = ", ".join(f"{count} {what}{'s' if count != 1 else ''}" for what, count in kinds)
    lines = [
        f"wrote {folder / READINGS_FILE}: {counted}",
        *(f"left out: {each}" for each in found.left_out[:MOST_TOLD]),
    ]
    if (more := len(found.left_out) - MOST_TOLD) > 0:
        lines.append(f"and {more} more were left out")
    lines.append(f"next: skill-tools validate {folder}")
    data: dict[str, object] = {"readings": str(folder / READINGS_FILE), "left_out": found.left_out}
    data |= {"examples": found.examples, "contradictions": found.contradictions}
    show(data, lines, as_json)


@app.command()
@grouped
def review(
    target: Annotated[str, typer.Argument(help="folder with env.yaml, or any target of `audit`")],
    brief: Annotated[Path | None, typer.Option(help="file to write the reader's brief to")] = None,
    claims: Annotated[
        Path | None, typer.Option(help="file of the reader's claims. Default: DIR/claims.yaml")
    ] = None,
    framework: Annotated[
        str | None,
        typer.Option("--framework", "-f", help="framework of the target, if it cannot be detected"),
    ] = None,
    arguments: Annotated[
        list[str] | None,
        typer.Option("--arg", help="loading argument, as key=value; repeatable"),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            help="model that reads the brief and, in a new conversation, answers the questions"
        ),
    ] = None,
    base_url: BaseUrl = None,
    max_tokens: MaxTokens = None,
    *,
    options: Annotated[AuditOptions, Only(OF_A_TARGET)],
    flags: GateFlags,
    verbose: Verbose = False,
) -> None:
    """Write the brief for a reader of the whole environment, or play the claims that a reader wrote.

    A claim names a cause and an experiment. Each experiment is played twice; confirmed claims fail the run.
    Questions for a second reader are written next to the claims. The second reader's answers are expected in
    answers.yaml.
    """
    from skill_tools.pipeline.audits import read_arguments
    from skill_tools.pipeline.reviews.review import review as play
    from skill_tools.pipeline.reviews.review import review_brief, review_with, write_brief_file
    from skill_tools.report.terminal import show_progress

    asked = flags.read(played=False)
    if bool(model) != bool(base_url) or (brief and (claims or model)):
        raise SkillToolsError(
            "--model needs --base-url, and --brief excludes both and --claims\n"
            "    fix: write the brief first, then test the claims, or let a model do both"
        )
    if (Path(target) / SPEC_FILE).is_file():
        agreed(Path(target))
    options = replace(options, arguments=read_arguments(arguments or ()))
    with show_progress(Console(stderr=True, soft_wrap=True)) as progress:
        if brief:
            text = review_brief(target, framework, options, progress=progress)
            write_brief_file(brief, text)
            show(*_brief_written(brief, text, target), asked.form == "json")
            return
        if model and base_url:
            found = review_with(
                *(target, model, base_url, options),
                framework=framework,
                folder=claims.parent if claims else None,
                max_tokens=max_tokens,
                progress=progress,
            )
        else:
            found = play(target, claims, options, framework=framework, progress=progress)
    for line in _left(found):
        Console(stderr=True, soft_wrap=True).print(line, markup=False, highlight=False)
    gate.tell(found.outcome.report, asked, verbose=verbose, target=target)


def _brief_written(brief: Path, text: str, target: str) -> tuple[dict[str, object], list[str]]:
    data: dict[str, object] = {"brief": str(brief), "characters": len(text)}
    ours = (Path(target) / SPEC_FILE).is_file()
    place = (Path(target) if ours else brief.parent) / CLAIMS_FILE
    return data, [
        f"wrote {brief} ({len(text):,} characters)",
        "next: give the brief to an agent that did not write the environment or see this conversation;",
        f"save its reply as {place}, then run: skill-tools review {target} --claims {place}",
    ]


def _left(found: Reviewed) -> Iterator[str]:
    yield from (f"left out: {each}" for each in found.left_out[:MOST_TOLD])
    if found.questions_file:
        yield (
            f"wrote {found.questions_file}: give it to another fresh agent, and save its reply next to it as "
            f"{ANSWERS_FILE}; until then, findings that depend on the answers are doubtful"
        )


@app.command()
def calibrate(
    folder: Folder,
    gold: Annotated[
        Path | None, typer.Option(help="labeled replies. Default: gold.jsonl in the folder")
    ] = None,
    role: Annotated[
        str | None, typer.Option(help="judge to measure. Default: the only declared judge")
    ] = None,
    repeats: Annotated[int, typer.Option(min=1, help="ratings of each reply")] = 3,
    limit: Annotated[int | None, typer.Option(min=1, help="use only the first replies")] = None,
    model: Annotated[
        str | None, typer.Option(help="model that judges. Default: NAME_ROLE_MODEL, or a stand-in")
    ] = None,
    base_url: Annotated[
        str | None,
        typer.Option(help="OpenAI-compatible endpoint of the model (key: NAME_ROLE_API_KEY)"),
    ] = None,
    as_json: Json = False,
) -> None:
    """Measure how well a judge agrees with people, on replies that people labeled."""
    from skill_tools.report.terminal import show_progress

    with show_progress(Console(stderr=True, soft_wrap=True)) as progress:
        found = skill_tools.calibrate(
            *(agreed(folder), gold, role),
            repeats=repeats,
            limit=limit,
            model=model,
            base_url=base_url,
            progress=progress,
        )
    show({**asdict(found), "advice": found.advice}, _calibrated(found), as_json)


def _calibrated(found: Calibration) -> Iterator[Any]:
    from rich.table import Table

    yield f"{found.environment}: {found.role} ({found.judge}) on {found.replies} labeled replies"
    if not found.rates:
        yield "The judge has no rubric: each reply was played as an episode, and the return is its score."
    table = Table("", "value (95 %)", "n")
    rows = {"accuracy": found.overall.accuracy, "kappa": found.overall.kappa}
    for name, each in found.criteria.items():
        rows |= {f"{name}: accuracy": each.accuracy, f"{name}: kappa": each.kappa}
    rows |= {
        "absolute error": found.absolute_error,
        "signed error (above 0: too kind)": found.signed_error,
        "correlation of error and length": found.length,
        "change if the reply is repeated three times": found.repeated,
        "same score each time": found.consistent,
        "pairs in which the order decides": found.order_decides,
        "comparisons won by the first place": found.prefers_first,
    }
    for name, value in rows.items():
        table.add_row(name, str(value) if value.n else "not measured", str(value.n))
    yield table
    for cause, count in found.failures.items():
        yield f"no verdict ({count} of {found.ratings} ratings): {cause[:300]}"
    for cause, count in found.uncompared.items():
        yield f"no comparison ({count}): {cause[:300]}"
    cost = found.cost
    price = "" if cost.dollars is None else f", ${cost.dollars:.6f}"
    yield (
        f"one rating: {cost.requests:.1f} requests, {cost.input_tokens:.0f} tokens in, "
        f"{cost.output_tokens:.0f} out{price}"
    )
    yield from found.advice
