"""What a job came to, as the MCP tools tell it: long texts clipped, the rest a page at a time."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from skill_tools.server import answers
from skill_tools.server.answers import spoken
from skill_tools.server.fitting import LONG, SHORT, clip, page, size
from skill_tools.server.jobs import Job

MOST_STEPS = 5000
"""Steps of a rollout that are kept to be read."""
_AGAIN = {"validate": "validate_env", "rollout": "run_smoke_rollout", "check": "check_spec"}


def findings_of(report: Any, statuses: Sequence[str]) -> list[dict[str, Any]]:
    """The findings of these statuses, in their order."""
    chosen = [f for status in statuses for f in report.findings if f["status"] == status]
    return [
        {
            **finding,
            "message": spoken(clip(finding["message"], LONG)),
            "fix": spoken(clip(finding["fix"], SHORT)),
        }
        for finding in chosen
    ]


def report_of(report: Any, report_file: Path) -> dict[str, Any]:
    """A report in short; every variant has the policies in the order of the first."""
    first = [score.policy for variant in report.variants[:1] for score in variant.scores]
    order = {policy: position for position, policy in enumerate(first)}
    variants = [
        {
            "framework": variant.framework,
            "versions": variant.versions,
            "returns": {
                score.policy: _rounded(score.mean_return)
                for score in sorted(variant.scores, key=lambda s: order.get(s.policy, len(order)))
            },
            "episodes": sum(score.episodes for score in variant.scores),
            "failed": sum(score.failed for score in variant.scores),
            "broken": spoken(clip(variant.broken, SHORT, end=True)),
        }
        for variant in report.variants
    ]
    return {
        "ok": report.ok,
        "title": clip(report.title, SHORT),
        "split": report.split,
        "tasks": report.tasks,
        "variants": variants,
        "counts": report.counts,
        "findings": findings_of(report, ("fail", "skip")),
        "not_played": clip(report.not_played, SHORT),
        "report_file": str(report_file),
    }


def episodes_of(played: Sequence[Any]) -> list[dict[str, Any]]:
    """Trajectories in short; images are a note."""
    left, episodes = MOST_STEPS, []
    for trajectory in played:
        failure = trajectory.failure
        episodes.append(
            {
                "label": trajectory.label,
                "end": trajectory.end,
                "return": _rounded(trajectory.total),
                "failure": clip(f"{failure.kind}: {failure.message}", LONG) if failure else "",
                "steps": [_step(step) for step in trajectory.steps[:left]],
            }
        )
        left = max(0, left - len(trajectory.steps))
    return episodes


def told(job: Job, offset: int, limit: int) -> answers.Job:
    """A job as it is now."""
    report, episodes = job.result.get("report"), job.result.get("episodes")
    then = _next(job)

    def make(items: Sequence[Any], more: int | None) -> answers.Job:
        return answers.Job(
            job=job.name,
            kind=job.verb,
            env_path=str(job.folder),
            state=job.state,
            seconds=round(job.seconds, 1),
            progress=[]
            if job.state == "done"
            else [clip(line, 300) for line in list(job.progress)],
            error=job.error,
            report=answers.Report(**{**report, "findings": list(items)}) if report else None,
            episodes=_together(items) if episodes is not None else None,
            total=len(everything),
            next_offset=more,
            next=f"{then} More: get_job with offset={more}." if more else then,
        )

    everything = report["findings"] if report else _apart(episodes or [])
    return page(everything, offset, limit, make)


def checked(job: Job, offset: int, limit: int) -> answers.SpecCheck:
    """What looking at the author's files came to."""
    found = [answers.Finding(**finding) for finding in job.result.get("findings", [])]
    problems = [answers.Problem(where="domain", what=job.error)] if job.state == "failed" else []
    if job.running:
        then = (
            "The domain is still being imported, which should take well under a second: look for "
            "an endless loop or slow work at import. Call check_spec again to wait on."
        )
    elif problems or found:
        then = "Fix what is listed in env.yaml and the author's files, then call check_spec again."
    elif job.state == "cancelled":
        then = "The check was ended; call check_spec again."
    else:
        then = "Call render_env to write the variants, then validate_env to play them."
    return spec_check(
        problems,
        found,
        environment=job.result.get("environment"),
        # While it is not over nothing is known to be right.
        ok=job.state == "done" and not found,
        domain_checked=job.state in ("done", "failed"),
        then=then,
        offset=offset,
        limit=limit,
    )


def spec_check(
    problems: Sequence[answers.Problem],
    findings: Sequence[answers.Finding],
    *,
    ok: bool,
    then: str,
    offset: int,
    limit: int,
    environment: str | None = None,
    domain_checked: bool = False,
) -> answers.SpecCheck:
    """Problems first, then findings, a page at a time."""
    everything = [*problems, *findings]

    def make(items: Sequence[Any], more: int | None) -> answers.SpecCheck:
        return answers.SpecCheck(
            ok=ok,
            environment=environment,
            problems=[item for item in items if isinstance(item, answers.Problem)],
            findings=[item for item in items if isinstance(item, answers.Finding)],
            domain_checked=domain_checked,
            total=len(everything),
            next_offset=more,
            next=f"{then} More: call it with offset={more}." if more else then,
        )

    return page(everything, offset, limit, make)


def _next(job: Job) -> str:
    verb = _AGAIN[job.verb]
    if job.running:
        return f"Not done yet: call get_job with job={job.name!r}."
    if job.state == "failed":
        return f"Nothing was judged. Fix the error, then call {verb} again."
    if job.state == "cancelled":
        return f"Call {verb} again to start anew."
    report = job.result.get("report")
    if report is None:
        return _next_of_rollout(job.result.get("episodes", []))
    if report["ok"]:
        left = f" Tell the user what was not played: {report['not_played']}." * bool(
            report["not_played"]
        )
        return (
            f"All checks hold. Read an episode in {report['report_file']} (or run_smoke_rollout) "
            f"as a model would see it.{left}"
        )
    first = report["findings"][0]
    if first["check"].startswith("REN"):
        return f"Not green. First {first['fix']}; then call validate_env again."
    return (
        f"Not green. Start with {first['check']} (explain_check says why it matters), change the "
        "author's files or env.yaml, render_env if env.yaml changed, then validate_env again."
    )


def _next_of_rollout(episodes: Sequence[dict[str, Any]]) -> str:
    if any(episode["end"] == "failed" for episode in episodes):
        return "An episode failed, so it has no score: fix its `failure`, then run it again."
    return (
        "Read the observations: could a model act on them, does the reward come when it should, "
        "does nothing give the answer away? Then validate_env."
    )


def _apart(episodes: Sequence[dict[str, Any]]) -> list[tuple[dict[str, Any], int]]:
    """Every step as (its episode, its position); one entry for an episode without steps."""
    return [
        (episode, number) for episode in episodes for number in range(max(1, len(episode["steps"])))
    ]


def _together(items: Sequence[tuple[dict[str, Any], int]]) -> list[answers.Episode]:
    """The episodes of these steps, with no other steps."""
    shown: list[answers.Episode] = []
    for episode, number in items:
        if not shown or number == 0:
            head = {**episode, "first_step": number, "steps": []}
            shown.append(answers.Episode(**head))
        shown[-1].steps += [answers.Step(**step) for step in episode["steps"][number : number + 1]]
    return shown


def _step(step: Any) -> dict[str, Any]:
    arguments = step.arguments
    if size(arguments) > LONG or not _is_json(arguments):
        arguments = clip(json.dumps(arguments), LONG)
    return {
        "tool": clip(step.tool, SHORT),
        "arguments": arguments,
        "observation": clip(step.text, LONG),
        "reward": _rounded(step.reward),
        "done": step.done,
        "error": step.error and clip(step.error, SHORT),
    }


def _is_json(value: Any) -> bool:
    try:
        json.dumps(value, allow_nan=False, ensure_ascii=False).encode()
    except ValueError:
        return False
    return True


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
