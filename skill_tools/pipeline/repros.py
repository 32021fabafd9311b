"""Repros of an audit's findings, which are scripts for the maintainer of the environment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from skill_tools.audit.audit import CALL_SECONDS, as_lines
from skill_tools.audit.driver import DriverSession
from skill_tools.audit.repros.repro import Defect
from skill_tools.audit.repros.repro_replies import argument_of
from skill_tools.audit.repros.repro_script import Written
from skill_tools.audit.repros.repro_trial import TriedRepro, try_repros
from skill_tools.audit.scripts import Call
from skill_tools.audit.target import Target
from skill_tools.audit.target_venv import target_venv
from skill_tools.checks import Finding
from skill_tools.checks.own import every_check
from skill_tools.graders.datasets.files import rows_of
from skill_tools.report.outcome import Outcome
from skill_tools.runtime.progress import Progress, silent

MOST_ROWS = 1_000
"""Maximum number of data set rows that scripts may use: an audit plays at most as many."""


def add_repros(
    outcome: Outcome,
    target: Target,
    solutions: Mapping[tuple[Any, ...], list[Call]],
    folder: Path,
    progress: Progress = silent,
) -> Outcome:
    """Write a script to ``folder`` for each finding that a script can reproduce.

    Return the outcome with these scripts, and with the reason for each finding without a script.
    """
    audited = outcome.evidence.audit.audited
    findings = outcome.report.findings
    asked = [n for n, each in enumerate(findings) if each.status in ("fail", "warn")]
    if audited is None or audited.broken or not asked:
        return outcome
    rows = (
        list(islice((row for _, row in rows_of([target.tasks])), MOST_ROWS)) if target.tasks else []
    )
    argument = argument_of(audited.found, solutions)
    defects = [_defect(findings[n]) for n in asked]
    with as_lines(target) as lined:
        venv = target_venv(lined, silent)
        driven = DriverSession(lined, venv, CALL_SECONDS, url=lined.url, found=audited.found)
        written = Written(driven, audited.found, rows)
        tried = try_repros(defects, outcome.evidence, written, argument, folder, progress)
    changed = list(findings)
    for number, each in zip(asked, tried, strict=True):
        if each.file:
            changed[number] = replace(findings[number], repro=str(each.file))
    without = [
        _without(findings[n], each) for n, each in zip(asked, tried, strict=True) if not each.file
    ]
    update = {"findings": changed, "no_repro": without}
    return replace(outcome, report=outcome.report.model_copy(update=update))


def _defect(finding: Finding) -> Defect:
    known = every_check().get(finding.check)
    return Defect(
        *(finding.check, finding.name, finding.message, known.shown_by if known else ""),
        *(finding.place.task, finding.shown),
    )


def _without(finding: Finding, tried: TriedRepro) -> str:
    return f"{finding.check} {finding.name}: {tried.why}"
