"""The report as Markdown for readers, with one complete episode of the oracle."""

from __future__ import annotations

import json
from collections.abc import Iterator

from rl_env_harness.blocks import said

from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.grading.requests import replies_at
from skill_tools.evidence.images.kept_pictures import name_picture
from skill_tools.evidence.trajectory import Trajectory
from skill_tools.frameworks import FRAMEWORKS
from skill_tools.render.text_actions import write
from skill_tools.report.further import further
from skill_tools.report.model import Report, VariantSummary


def write_markdown(report: Report, evidence: Evidence, pictures: str = "") -> str:
    """Write the report as Markdown. Its episode comes from a variant if a variant was played.

    Args:
        pictures: The prefix of the picture folder in links, such as "../".
    """
    lines = [f"# {report.title}: {report.word}", ""]
    lines += [
        line
        for each in report.lacking
        for line in (f"To be judged, the environment needs {each}.", "")
    ]
    lines += [evidence.declaration.description, "", "## Variants", ""]
    lines += ["| variant | versions | split | policy | episodes | failed | mean return | ends |"]
    lines += ["|---|---|---|---|---|---|---|---|"]
    for variant in report.variants:
        lines += _rows(variant)
    lines += _metrics(report)
    for name, told in further(report):
        lines += ["", f"{name}: {told}."]
    lines += ["", "## Checks", "", "| check | status | message |", "|---|---|---|"]
    for finding in report.findings:
        message = finding.message.replace("|", "\\|").replace("\n", "<br>")
        message += f"<br>`{finding.replay}`" if finding.replay else ""
        message += f"<br>repro: `{finding.repro}`" if finding.repro else ""
        lines.append(f"| {finding.check} {finding.name} | {finding.status} | {message} |")
    if shown := written_out(evidence):
        lines += ["", *_episode(shown, evidence, pictures)]
    return "\n".join(lines) + "\n"


def written_out(evidence: Evidence) -> Trajectory | None:
    """Return the oracle's episode that the report shows step by step, or None if the oracle played no episode."""
    # Prefer a variant's episode: its prompt is what a model sees.
    played = [*evidence.variants.rollouts.values(), evidence.reference.episodes or {}]
    oracle = next((by_label for by in played if (by_label := by.get("oracle"))), {})
    # Rollouts are recorded as they end, in any order.
    return min(oracle.values(), key=lambda trajectory: trajectory.index or 0, default=None)


def _rows(variant: VariantSummary) -> Iterator[str]:
    versions = ", ".join(f"{n} {v}" for n, v in variant.versions.items())
    if variant.broken:
        yield f"| {variant.framework} | | {variant.split} | did not run | | | | |"
    for score in variant.scores:
        ends = ", ".join(f"{end} {number}" for end, number in score.ends.items())
        cells = [variant.framework, versions, variant.split, score.policy]
        counts = [score.episodes, score.failed, score.text, ends]
        yield "| " + " | ".join(map(str, (*cells, *counts))) + " |"


def _metrics(report: Report) -> list[str]:
    """Return a table of mean metrics, or an empty list if no episode has metrics."""
    found = [(each, score) for each in report.variants for score in each.scores if score.metrics]
    names = list(dict.fromkeys(name for _, score in found for name in score.metrics))
    heads = ["variant", "split", "policy", *names]
    lines = ["", f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"] if found else []
    for variant, score in found:
        cells = [variant.framework, str(variant.split), score.policy]
        cells += [f"{score.metrics[name]:.3f}" if name in score.metrics else "" for name in names]
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def _episode(trajectory: Trajectory, evidence: Evidence, pictures: str) -> list[str]:
    known = FRAMEWORKS.get(trajectory.framework)
    where = f" in {known.title}" if known else ""
    lines = [f"## The oracle on {trajectory.label}{where}", ""]
    for message in trajectory.prompt:
        lines += [f"**{message['role']}**", "", *_fenced(said(message, "[an image]")), ""]
    shown = [(number, str(block["data"])) for number, block in trajectory.pictures()]
    lines += _pictures(shown, 0, pictures)
    for number, step in enumerate(trajectory.steps, 1):
        if evidence.spec and known and known.actions == "text":
            text = write(evidence.spec, step.tool, step.arguments)
            lines += [f"**step {number}**", "", *_fenced(text), ""]
        else:
            call = f"{step.tool}({json.dumps(step.arguments, ensure_ascii=False)})"
            lines += [f"**step {number}**: `{call}`", ""]
        lines += [*_fenced(step.text), "", *_pictures(shown, number, pictures)]
        if asked := replies_at(trajectory, number - 1):
            lines += ["models inside:", "", *_fenced("\n".join(asked)), ""]
        error = f", {step.error}" if step.error else ""
        lines += [f"reward {step.reward:g}, done {str(step.done).lower()}{error}", ""]
    metrics = "".join(f", {name} {value:g}" for name, value in (trajectory.metrics or {}).items())
    lines.append(f"End: {trajectory.end}, return {trajectory.total}{metrics}")
    return lines


def _pictures(shown: list[tuple[int, str]], number: int, above: str) -> list[str]:
    """Return links to the stored pictures of a step. Step 0 is the opening."""
    images = [data for at, data in shown if at == number]
    names = [name for image in images if (name := name_picture(image))]
    return [line for name in names for line in (f"![step {number}]({above}{name})", "")]


def _fenced(text: str) -> list[str]:
    longest = max((len(run) for run in text.split() if set(run) == {"`"}), default=2)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}text", text, fence]
