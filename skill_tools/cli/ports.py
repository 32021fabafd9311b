"""The commands for existing environments: import an environment, and compare an environment with its original."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from skill_tools.cli.lookup import show
from skill_tools.cli.options import Folder, Json, grouped
from skill_tools.ports.options import CompareOptions, ImportOptions

if TYPE_CHECKING:
    from skill_tools.evidence.certificate import Certificate
    from skill_tools.pipeline.ports import ComparedEpisode
    from skill_tools.ports.sides import PlayedScript

app = typer.Typer()
Kind = Annotated[
    str | None,
    typer.Option("--framework", "-f", help="framework of the target, if it cannot be detected"),
]
Arguments = Annotated[
    list[str] | None,
    typer.Option("--arg", help="loading argument, as key=value; repeatable"),
]
SHOWN = 160
"""Characters of an observation in a list of steps."""


@app.command("import")
@grouped
def import_environment(
    target: Annotated[
        str,
        typer.Argument(
            help="address (token: SKILL_TOOLS_TOKEN), folder, id, command of an MCP server, or file.py:function"
        ),
    ],
    folder: Annotated[Path, typer.Argument(help="folder to create")],
    framework: Kind = None,
    arguments: Arguments = None,
    *,
    options: ImportOptions,
    as_json: Json = False,
) -> None:
    """Write an environment that wraps one of your existing environments. This runs the original's code."""
    from skill_tools.pipeline.audits import read_arguments
    from skill_tools.pipeline.ports import import_environment as run
    from skill_tools.report.terminal import show_progress

    options = replace(options, arguments=read_arguments(arguments or ()))
    with show_progress(Console(stderr=True, soft_wrap=True)) as progress:
        made = run(target, folder, framework, options, progress=progress)
    plays = "is kept for comparison" if options.rewrite else "runs inside the new environment"
    lines = [
        f"wrote {made.folder}: {made.tasks} tasks; the original ({made.framework}) {plays}",
        f"solved: {made.solved} of {made.tasks} tasks have an episode that earns more than doing nothing",
        *(f"decide: {each}" for each in made.limits),
        f"next: edit the CHANGE marks, then run: skill-tools build {made.folder}",
        f"and compare it with the original: skill-tools compare {made.folder}",
    ]
    show({**vars(made), "folder": str(made.folder)}, lines, as_json)


@app.command()
@grouped
def compare(
    folder: Folder,
    other: Annotated[
        str | None,
        typer.Argument(
            help="another folder with env.yaml, or any target of `audit`. Default: the original of an import"
        ),
    ] = None,
    framework: Kind = None,
    arguments: Arguments = None,
    episode: Annotated[
        str | None, typer.Option(help="replay only this script of port.json, on both environments")
    ] = None,
    *,
    options: CompareOptions,
    as_json: Json = False,
) -> None:
    """Play the same actions on an environment and on its original, and write a certificate."""
    from skill_tools.pipeline.audits import read_arguments
    from skill_tools.pipeline.ports import compare as run
    from skill_tools.pipeline.ports import compare_episode
    from skill_tools.report.terminal import show_progress

    options = replace(options, arguments=read_arguments(arguments or ()))
    with show_progress(Console(stderr=True, soft_wrap=True)) as progress:
        if episode:
            both = compare_episode(folder, episode, other, framework, options, progress=progress)
            _show_episode(both, as_json)
            raise typer.Exit(int(both.difference is not None))
        found = run(folder, other, framework, options, progress=progress)
    certificate = found.certificate
    data = certificate.model_dump(mode="json", exclude={"kept"})
    lines = [*_summary(certificate, folder), f"wrote {found.file}"]
    show({**data, "verdict": certificate.verdict}, lines, as_json)
    if certificate.verdict != "equal":
        raise typer.Exit(1)


def _summary(seen: Certificate, folder: Path) -> list[str]:
    """Return the lines that summarize a certificate."""
    lines = [
        f"{seen.ours} and {seen.theirs}: {seen.verdict}",
        f"{seen.agreed} of {seen.actions} actions agree, in {seen.episodes} episodes",
    ]
    kinds = [f"{name} {same} of {all_}" for name, (all_, same) in sorted(seen.by_policy.items())]
    lines += [f"by script: {', '.join(kinds)}"] if kinds else []
    lines += [f"tools: {seen.tools_differ}"] if seen.tools_differ else []
    lines += [seen.unstable] if seen.unstable else []
    for each in seen.disagreements[:5]:
        lines += [f"DIFF {each.words}"]
    if seen.disagreements:
        key = seen.disagreements[0].script.key
        lines.append(f"see: skill-tools compare {folder} --episode {key}")
    return lines + [f"not compared: {each}" for each in seen.not_compared]


def _show_episode(both: ComparedEpisode, as_json: bool) -> None:
    lines = [f"{both.script.key}: split {both.script.split}, task {both.script.index}"]
    for number, (tool, arguments) in enumerate(both.script.calls, 1):
        lines.append(f"{number}. {tool}({arguments})")
        lines += [
            f"   {name:8} {_step(played, number)}"
            for name, played in (("ours", both.ours), ("original", both.theirs))
        ]
    lines.append(f"DIFF {both.difference.words}" if both.difference else "no difference")
    data = {
        "script": both.script.model_dump(mode="json"),
        **{
            name: {
                "opening": played.opening,
                "steps": [each.model_dump() for each in played.steps],
                "end": played.end,
                "return": played.total,
                "failure": played.failure,
            }
            for name, played in (("ours", both.ours), ("original", both.theirs))
        },
        "difference": both.difference.words if both.difference else None,
    }
    show(data, lines, as_json)


def _step(played: PlayedScript, number: int) -> str:
    if number > len(played.steps):
        return f"(not played: {played.failure or played.end})"
    step = played.steps[number - 1]
    text = " ".join(step.observation.split())
    text = text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
    ends = ", done" if step.done else ""
    wrong = f", {step.error}" if step.error else ""
    return f"reward {step.reward:g}{ends}{wrong}: {text}"
