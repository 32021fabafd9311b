"""A complete audit, which detects, plays and judges a target, and stores the result if requested."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from skill_tools.audit.audit import ask_validation, collect_audit
from skill_tools.audit.grading.real_models import SAMPLES, TASKS, RealModel
from skill_tools.audit.options import AuditOptions
from skill_tools.audit.repros.repro_trial import prepare_folder
from skill_tools.audit.solutions import read_solutions
from skill_tools.audit.target import Target, target_of
from skill_tools.errors import SkillToolsError
from skill_tools.evidence import saved
from skill_tools.evidence.trajectory import write
from skill_tools.files import write_whole
from skill_tools.pipeline.repros import add_repros
from skill_tools.pipeline.reviews.foreign_review import review_target
from skill_tools.report.formats.rfc008 import make_validation
from skill_tools.report.markdown import write_markdown
from skill_tools.report.outcome import Outcome, judge
from skill_tools.report.page.contents import Contents
from skill_tools.report.page.page import write_page
from skill_tools.report.storage.runs import PAGE_FILE
from skill_tools.runtime.progress import Progress, silent


def audit(
    target: str | Path,
    framework: str | None = None,
    options: AuditOptions | None = None,
    *,
    progress: Progress = silent,
) -> Outcome:
    """Play an environment that skill-tools did not render, and check the evidence.

    ``target`` is the address of a server, a folder that is served or imported in its own venv, or an id that
    ``options.imports`` and ``requirements`` register with a framework. If a real model is named, it answers the
    questions and its replies are scored (key: ROLLOUT_API_KEY). Another model can judge instead of a stand-in
    (key: JUDGE_API_KEY). The environment's code runs with your rights; if the code hangs, lies or breaks, the
    verdict reports this.

    Raises SkillToolsError for an invalid target, and InstallError if its venv cannot be made.
    """
    asked = options or AuditOptions()
    found = target_of(target, framework, asked)
    found = replace(
        found,
        judge=_real(
            *(asked.judge_model, asked.judge_url, "judge_", "JUDGE_API_KEY", asked.judge_requests)
        ),
        player=_real(asked.model, asked.model_url, "model_", "ROLLOUT_API_KEY", SAMPLES * TASKS),
    )
    solved = read_solutions(asked.solutions) if asked.solutions else {}
    if asked.repro:
        prepare_folder(asked.repro)
    evidence = collect_audit(
        found,
        solved,
        count=asked.num_tasks,
        seconds=asked.seconds,
        call_seconds=asked.call_seconds,
        reward_range=asked.reward_range,
        progress=progress,
    )
    if asked.claims and evidence.audit.audited and not evidence.audit.audited.broken:
        review, _ = review_target(found, asked.claims, asked, progress)
        evidence = replace(evidence, review=review)
    outcome = judge(evidence)
    if asked.repro:
        outcome = add_repros(outcome, found, solved, asked.repro, progress)
    if asked.output_dir:
        _keep(asked.output_dir, outcome, found)
    return outcome


def _real(
    model: str | None, url: str | None, what: str, variable: str, requests: int
) -> RealModel | None:
    """Return the real model; None if no model is named. Raises SkillToolsError if a name or address is missing."""
    if not model and not url:
        return None
    if not model or not url:
        flag = what.replace("_", "-")
        named = "--model" if what == "model_" else f"--{flag}model"
        raise SkillToolsError(
            f"a real model needs both a name and an address\n    fix: give {named} and --{flag}url"
        )
    return RealModel(model, url, variable, requests)


def read_arguments(written: Sequence[str]) -> dict[str, Any]:
    """Parse an environment's arguments from ``key=value``; values that are not valid JSON become text.

    Raises SkillToolsError for an argument without a key.
    """
    arguments: dict[str, Any] = {}
    for each in written:
        key, sign, value = each.partition("=")
        if not sign or not key.isidentifier():
            raise SkillToolsError(
                f"{each!r} is not an argument of an environment\n    fix: write --arg key=value"
            )
        try:
            arguments[key] = json.loads(value)
        except ValueError:
            arguments[key] = value
    return arguments


def _keep(folder: Path, outcome: Outcome, target: Target) -> None:
    """Write the report, the trajectories, the evidence and, for OpenEnv, the RFC 008 report."""
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / "report.md", write_markdown(outcome.report, outcome.evidence))
    write_whole(folder / "report.json", outcome.report.model_dump_json(indent=2) + "\n")
    saved.write(folder / saved.EVIDENCE_FILE, outcome.seen)
    for name, played in outcome.evidence.variants.rollouts.items():
        write(folder / f"{name}.jsonl", (t for by in played.values() for t in by.values()))
    contents = Contents(outcome.report.title, outcome.report, outcome.seen)
    write_whole(folder / PAGE_FILE, write_page(contents))
    if target.framework.name == "openenv":
        made = json.dumps(
            make_validation(outcome, target.folder, partial(ask_validation, target)), indent=2
        )
        write_whole(folder / "rfc008.json", made + "\n")
