"""The report: what holds for an environment, for a terminal, a program, and a reader."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from statistics import fmean
from typing import Any

from pydantic import BaseModel
from rich.console import Console
from rich.table import Table
from rich.text import Text

from skill_tools.checks import Finding
from skill_tools.frameworks import FRAMEWORKS
from skill_tools.play.evidence import Evidence
from skill_tools.play.trajectory import Trajectory
from skill_tools.render.text_actions import write
from skill_tools.spec.model import EnvSpec

SHOWN_POLICIES = ("oracle", "random", "noop", "malformed")


class PolicyScore(BaseModel):
    """Mean return and ends of one policy in one variant; None where no episode has a score."""

    policy: str
    episodes: int
    failed: int
    mean_return: float | None
    ends: dict[str, int]


class VariantSummary(BaseModel):
    """How one variant (or the bare domain) was played."""

    framework: str
    versions: dict[str, str] = {}
    scores: list[PolicyScore] = []
    broken: str = ""


class Report(BaseModel):
    """Everything that was found; ``ok`` when no check failed."""

    environment: str
    title: str
    folder: str
    ok: bool
    seconds: float
    split: str | None
    tasks: int
    not_played: str
    varies: list[str] = []
    variants: list[VariantSummary]
    findings: list[dict[str, str]]
    counts: dict[str, int]


def make(evidence: Evidence, findings: Sequence[Finding]) -> Report:
    """Summarise evidence and findings."""
    failed = any(finding.status == "fail" for finding in findings)
    return Report(
        environment=evidence.declaration.name,
        title=evidence.declaration.title or evidence.declaration.name,
        folder=str(evidence.folder or ""),
        ok=not failed,
        seconds=round(evidence.seconds, 2),
        split=evidence.tasks.split if evidence.tasks else None,
        tasks=len(evidence.tasks.tasks) if evidence.tasks else 0,
        not_played=_not_played(evidence),
        varies=evidence.declaration.varies,
        variants=_variants(evidence),
        findings=[vars(finding) for finding in findings],
        counts=dict(Counter(f.status for f in {(f.check, f.status): f for f in findings}.values())),
    )


def _not_played(evidence: Evidence) -> str:
    """What a green report says nothing about."""
    if not evidence.tasks:
        return ""
    left = {**evidence.tasks.sizes}
    left[evidence.tasks.split] -= len(evidence.tasks.tasks)
    return ", ".join(f"{size} tasks of {split}" for split, size in left.items() if size)


def _variants(evidence: Evidence) -> list[VariantSummary]:
    found = [
        VariantSummary(
            framework=name,
            versions=next(iter(next(iter(by_policy.values())).values())).versions,
            scores=[_score(policy, list(by.values())) for policy, by in by_policy.items()],
        )
        for name, by_policy in evidence.played.items()
    ]
    return found + [
        VariantSummary(framework=name, broken=reason) for name, reason in evidence.broken.items()
    ]


def _score(policy: str, trajectories: list[Trajectory]) -> PolicyScore:
    totals = [t.total for t in trajectories if t.total is not None]
    return PolicyScore(
        policy=policy,
        episodes=len(trajectories),
        failed=len(trajectories) - len(totals),
        mean_return=fmean(totals) if totals else None,
        ends=dict(Counter(t.end for t in trajectories)),
    )


def print_report(report: Report, console: Console, *, verbose: bool = False) -> None:
    """Print the report: a table of variants, then what failed and what was skipped."""
    if report.variants:
        console.print(_table(report))
    following = [*report.findings[1:], {"check": ""}]
    for finding, after in zip(report.findings, following, strict=True):
        if finding["status"] == "fail":
            line = Text.assemble(
                ("FAIL ", "bold red"), f"{finding['check']} {finding['name']}: {finding['message']}"
            )
            console.print(line)
            if after["check"] != finding["check"]:
                console.print(Text(f"     fix: {finding['fix']}"), style="dim")
        elif verbose or (finding["status"] == "skip" and report.variants):
            style = "green" if finding["status"] == "pass" else "yellow"
            text = f"{finding['status']:4} {finding['check']} {finding['name']}"
            why = f" ({finding['message']})" if finding["message"] else ""
            console.print(Text(text + why, style=style))
    counts = ", ".join(f"{n} {_COUNTED[status]}" for status, n in sorted(report.counts.items()))
    verdict = (
        Text("green", style="bold green") if report.ok else Text("not green", style="bold red")
    )
    console.print(Text.assemble(f"{report.title}: ", verdict, f" ({counts})"))
    if report.not_played:
        console.print(Text(f"Not played: {report.not_played}"), style="dim")
    if report.varies and report.variants:
        console.print(Text(_not_compared(report)), style="dim")


def _not_compared(report: Report) -> str:
    return f"Observations are compared without: {', '.join(report.varies)}"


_COUNTED = {"pass": "checks passed", "fail": "failed", "skip": "skipped"}


def _table(report: Report) -> Table:
    table = Table(title=f"{report.title}: mean return on {report.tasks} tasks of {report.split}")
    table.add_column("variant")
    for policy in SHOWN_POLICIES:
        table.add_column(policy, justify="right")
    table.add_column("episodes", justify="right")
    table.add_column("failed", justify="right")
    for variant in report.variants:
        if variant.broken:
            table.add_row(variant.framework, *["-"] * (len(SHOWN_POLICIES) + 1), "did not run")
            continue
        scores = {score.policy: score for score in variant.scores}
        means = [_mean(scores.get(policy)) for policy in SHOWN_POLICIES]
        episodes = sum(score.episodes for score in variant.scores)
        failed = sum(score.failed for score in variant.scores)
        versions = " ".join(variant.versions.values())
        name = f"{variant.framework} {versions}" if versions else "bare domain"
        table.add_row(name, *means, str(episodes), str(failed))
    return table


def _mean(score: PolicyScore | None) -> str:
    return "-" if score is None or score.mean_return is None else f"{score.mean_return:.3f}"


def as_json(report: Report) -> str:
    """The report as JSON text."""
    return report.model_dump_json(indent=2)


def as_markdown(report: Report, evidence: Evidence) -> str:
    """The report for a reader, with one of the oracle's episodes written out."""
    lines = [f"# {report.title}: {'green' if report.ok else 'not green'}", ""]
    lines += [evidence.declaration.description, "", "## Variants", ""]
    lines += ["| variant | versions | policy | episodes | failed | mean return | ends |"]
    lines += ["|---|---|---|---|---|---|---|"]
    for variant in report.variants:
        versions = ", ".join(f"{n} {v}" for n, v in variant.versions.items())
        if variant.broken:
            lines.append(f"| {variant.framework} | | did not run | | | | |")
        for score in variant.scores:
            ends = ", ".join(f"{end} {number}" for end, number in score.ends.items())
            mean = "" if score.mean_return is None else f"{score.mean_return:.3f}"
            cells = (variant.framework, versions, score.policy, score.episodes, score.failed, mean)
            lines.append("| " + " | ".join(map(str, (*cells, ends))) + " |")
    if report.not_played:
        lines += ["", f"Not played: {report.not_played}."]
    if report.varies:
        lines += ["", f"{_not_compared(report)}."]
    lines += ["", "## Checks", "", "| check | status | message |", "|---|---|---|"]
    for finding in report.findings:
        message = finding["message"].replace("|", "\\|").replace("\n", "<br>")
        lines.append(f"| {finding['check']} {finding['name']} | {finding['status']} | {message} |")
    # A variant's, where one was played: its prompt is what a model is shown.
    played = [*evidence.rollouts.values(), evidence.reference or {}]
    oracle = next((by_label for by in played if (by_label := by.get("oracle"))), {})
    if oracle:
        # Rollouts are written down as they end, in any order.
        first = min(oracle.values(), key=lambda trajectory: trajectory.index or 0)
        lines += ["", *_episode(first, evidence.spec)]
    return "\n".join(lines) + "\n"


def _episode(trajectory: Trajectory, spec: EnvSpec | None) -> list[str]:
    known = FRAMEWORKS.get(trajectory.framework)
    where = f" in {known.title}" if known else ""
    lines = [f"## The oracle on {trajectory.label}{where}", ""]
    for message in trajectory.prompt:
        lines += [f"**{message['role']}**", "", *_fenced(_content(message["content"])), ""]
    for number, step in enumerate(trajectory.steps, 1):
        if spec and known and known.actions == "text":
            lines += [
                f"**step {number}**",
                "",
                *_fenced(write(spec, step.tool, step.arguments)),
                "",
            ]
        else:
            call = f"{step.tool}({json.dumps(step.arguments, ensure_ascii=False)})"
            lines += [f"**step {number}**: `{call}`", ""]
        lines += [*_fenced(step.text), ""]
        error = f", {step.error}" if step.error else ""
        lines += [f"reward {step.reward:g}, done {str(step.done).lower()}{error}", ""]
    lines.append(f"End: {trajectory.end}, return {trajectory.total}")
    return lines


def _content(content: Any) -> str:
    return content if isinstance(content, str) else json.dumps(content)


def _fenced(text: str) -> list[str]:
    longest = max((len(run) for run in text.split() if set(run) == {"`"}), default=2)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}text", text, fence]
