"""The results of the job tools, with progress and outcome, one page at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import Field

from skill_tools.mcp.answer_size import clip, page
from skill_tools.mcp.jobs import Job
from skill_tools.mcp.pages import Data, Page, State


class JobState(Page):
    """The state of work that continues in the background, and its result."""

    job: str = Field(description="id for get_job")
    kind: str
    env_path: str
    state: State
    seconds: float
    progress: list[str] = Field([], description="its last lines")
    error: str = ""
    report: Data | None = Field(
        None,
        description="of a finished validation: ok, verdict (sound, not sound, not judged), title, split, "
        "tasks, variants (framework, "
        "versions, scores by policy, broken: why it did not run; on the first page), counts of "
        "checks by status, findings (failed, warnings, notes, then skipped ones by reason; "
        "paged), not_played, report_file (the whole report), page_file (the same for the user's "
        "browser: every episode with its pictures)",
    )
    episodes: list[Data] | None = Field(
        None,
        description="of a finished rollout: label, prompt, steps (tool, arguments, observation, "
        "reward, done, error; paged), first_step (position of the first one shown), end, return, "
        "failure",
    )
    study: Data | None = Field(
        None,
        description="of a finished study: verdict and because, findings (failed, warnings, notes; each with "
        "its check and fix; paged), advice, curves (per level the mean return by share of random "
        "calls), lazy (returns of blind players), page_file",
    )


def show_job(job: Job, offset: int, limit: int) -> JobState:
    """Return a job's current state, with a page of its findings or steps."""
    report, episodes = job.result.get("report"), job.result.get("episodes")
    study = job.result.get("study")
    found = report or study
    rows = found["findings"] if found else _apart(episodes or [])
    then = _next(job)

    def make(items: Sequence[Any], more: int | None) -> JobState:
        shown = report and {**report, "findings": list(items)}
        return JobState(
            job=job.name,
            kind=job.verb,
            env_path=str(job.folder),
            state=job.state,
            seconds=round(job.seconds, 1),
            progress=[clip(line, 300) for line in job.progress if job.state != "done"],
            error=job.error,
            report=shown and {**shown, "variants": shown["variants"] if not offset else []},
            episodes=None if episodes is None else _together(items),
            study=study and {**study, "findings": list(items)},
            total=len(rows),
            next_offset=more,
            next=f"{then} More: get_job with offset={more}." if more else then,
        )

    return page(rows, offset, limit, make)


_AGAIN = {
    "validate": "validate_env",
    "rollout": "run_smoke_rollout",
    "check": "check_spec",
    "study": "study_env",
}


def _next(job: Job) -> str:
    if job.running:
        return f"Not done yet: call get_job with job={job.name!r}."
    if job.state == "failed":
        return f"Nothing was judged. Fix the error, then call {_AGAIN[job.verb]} again."
    if job.state == "cancelled":
        return f"Call {_AGAIN[job.verb]} again to start again."
    report, study = job.result.get("report"), job.result.get("study")
    if study:
        return (
            f"Tell the user the verdict ({study['verdict']}) and the advice, make the changes that the fixes name "
            "with their consent, then study_env again. page_file has the plots."
        )
    if report is None:
        if any(episode["end"] == "failed" for episode in job.result.get("episodes", [])):
            return "An episode failed, so it has no score: fix its `failure`, then run the rollout again."
        return (
            "Read the observations: can a model act on them, does the reward come at the right step, "
            "is the answer kept secret? Then validate_env."
        )
    if report["ok"]:
        left = report["not_played"]
        left = f" Tell the user which parts were not played: {left}." if left else ""
        if needs := report.get("unjudged"):
            return f"No check failed, but the environment is not judged yet: it needs {needs[0]}.{left}"
        return (
            "All checks hold. Read an episode with show_episode, as a model sees it, with its pictures; "
            f"the user reads all of them in {report['page_file']}. Before training: study_env.{left}"
        )
    first = report["findings"][0]
    if first["check"].startswith("REN"):
        return f"Not green. First {first['fix']}: call render_env, then validate_env."
    return (
        f"Not green. Start with {first['check']} (explain_check says why it matters), change the "
        "author's files or env.yaml, render_env if env.yaml changed, then validate_env again."
    )


def _apart(episodes: Sequence[Data]) -> list[tuple[Data, int]]:
    """Return every step as (episode, position), with one entry for an episode without steps."""
    return [(each, number) for each in episodes for number in range(max(1, len(each["steps"])))]


def _together(items: Sequence[tuple[Data, int]]) -> list[Data]:
    """Return the episodes of these steps, with only these steps; only an episode's first step has the prompt."""
    shown: list[Data] = []
    for episode, number in items:
        if not shown or number == 0:
            head = {**episode, "first_step": number, "steps": []}
            shown.append(head if number == 0 else {**head, "prompt": []})
        shown[-1]["steps"] += episode["steps"][number : number + 1]
    return shown
