"""Scripts with which the scripted model of a session writes the solutions of a case."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import Any

from evals.agents.clients import Client
from evals.agents.desk import Desk
from evals.agents.model_apis import Call, Say
from evals.agents.scripted_model import Script, ScriptedModel
from evals.case import Case
from evals.rollouts.folders import files
from evals.solvers.scripted import leaves_out, reference_of

SKILL = "rl-env-from-description"
Plays = Callable[[Desk, ScriptedModel], Script]
"""A function that returns the model's script, given the agent's desk and the scripted model."""
AUTHORS = {".py", ".yaml", ".txt", ".json", ".jsonl", ""}


def of(case: Case, client: Client, workspace: Path, skills: Path | None, ours: bool) -> Plays:
    """Return the script that writes a case's solution.

    With our skills, the script writes the author's solution, which our server renders. Otherwise it writes
    the handwritten solution.
    """

    def script(desk: Desk, model: ScriptedModel) -> Script:
        if skills and not ours:
            theirs = min(path.parent.name for path in skills.glob("*/SKILL.md"))
            yield client.load_skill(theirs, desk)
        if ours and case.asks.kind == "build":
            yield from with_ours(case, client, desk)
            return
        name = "reference" if ours else "handwritten"
        if case.asks.kind == "answer":
            yield Say((case.folder / name / "answer.md").read_text("utf-8"))
            return
        folder = case.folder / "handwritten"
        for path in files(folder):
            if text := path.read_text("utf-8"):
                yield from played(client.write_calls(workspace / path.relative_to(folder), text))
        yield Say("The environment is written.")

    return script


def with_ours(case: Case, client: Client, desk: Desk) -> Script:
    """Follow our skill: write the author's files, check, render, validate, and report the verdict."""
    yield client.load_skill(SKILL, desk)
    yield from written(case, client, desk)
    there: dict[str, Any] = {"env_path": str(desk.project / case.name)}
    answer((yield Call("check_spec", {**there, "approve": True})))
    yield Call("render_env", {**there, "frameworks": case.asks.frameworks})
    wanted = {**there, "tasks": 2, "frameworks": case.asks.frameworks[:1]}
    job = yield from finished((yield Call("validate_env", wanted)))
    verdict = "green" if job["report"]["ok"] else "not green"
    yield Say(f"{case.name} is built; what was played is {verdict}.")


def literal(case: Case, client: Client) -> Plays:
    """Return a script that follows the skill's text step by step, and does nothing that the text does not say."""

    def script(desk: Desk, model: ScriptedModel) -> Script:
        yield client.load_skill(SKILL, desk)
        # Some clients put the skill into the result, some beside it.
        text = model.requests[-1].text
        there = {"env_path": str(desk.project / case.name)}
        declines = re.search(r"Not this skill: training", text)
        if case.asks.kind == "answer":
            said = (case.folder / "reference" / "answer.md").read_text("utf-8")
            yield Say(said if declines else "The environment is built.")
            return
        if re.search(r"\*\*Write the four files\*\*", text):
            yield from written(case, client, desk)
        if re.search(r"\*\*`check_spec`\*\* until it is ok", text):
            yield Call("check_spec", {**there, "approve": True})
        if re.search(r"\*\*`render_env`\*\*\.", text):
            yield Call("render_env", {**there, "frameworks": case.asks.frameworks})
        yield Say(f"{case.name} is built.")

    return script


def written(case: Case, client: Client, desk: Desk) -> Script:
    """Write the author's files of the case's solution."""
    folder, source = desk.project / case.name, reference_of(case)
    left_out = leaves_out(case)(str(source), [path.name for path in source.iterdir()])
    for path in files(source):
        if path.suffix in AUTHORS and path.relative_to(source).parts[0] not in left_out:
            text = path.read_text("utf-8")
            yield from played(client.write_calls(folder / path.relative_to(source), text))


def played(calls: Sequence[Call]) -> Script:
    """Make several calls one after the other, whatever their results are."""
    for call in calls:  # noqa: UP028 - a list is sent no results
        yield call


def loading(skill: str | None, client: Client) -> Plays:
    """Return a script that loads one skill, or no skill, and stops."""

    def script(desk: Desk, model: ScriptedModel) -> Script:
        if skill:
            yield client.load_skill(skill, desk)
        yield Say("That is as far as the script goes.")

    return script


def finished(text: str) -> Generator[Call, str, dict[str, Any]]:
    """Poll a job until it is over. Return the job."""
    job = answer(text)
    while job["state"] == "running":
        job = answer((yield Call("get_job", {"job": job["job"]})))
    if job["state"] != "done":
        raise RuntimeError(f"a job ended as {job['state']}: {job}")
    return job


def answer(text: str) -> dict[str, Any]:
    """Return the structured data of a tool result from the text that a client shows to its model."""
    start = text.find("{")
    if start < 0:
        raise RuntimeError(f"no structure in {text[:2000]}")
    found, _ = json.JSONDecoder().raw_decode(text, start)
    # Some clients show the whole result of the protocol.
    structure: dict[str, Any] = found.get("structuredContent", found)
    return structure
