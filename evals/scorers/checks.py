"""Our own checks, run again on what lies there; what a folder says of itself counts nothing."""

from __future__ import annotations

from pathlib import Path

import skill_tools
from evals.attempt import Attempt
from evals.case import Case
from evals.expectation import Expectation

TASKS = 3


def score(case: Case, attempt: Attempt) -> list[Expectation]:
    """One expectation per finding that failed, or one that all passed; unscored without a spec."""
    folder = spec_folder(Path(attempt.folder))
    if not case.asks.checks:
        return [_one("all", None, "this case asks for what our checks do not judge")]
    if folder is None:
        return [_one("all", None, "no env.yaml: it was not made with our tools")]
    try:
        outcome = skill_tools.check(folder, play=True, count=TASKS)
    except skill_tools.SkillToolsError as error:
        return [_one("readable", False, str(error)[:1500])]
    failed = {finding.check: finding for finding in outcome.failures}
    if not failed:
        return [_one("all", True, "")]
    return [
        _one(check, False, f"{finding.name}: {finding.message}"[:1500])
        for check, finding in failed.items()
    ]


def spec_folder(folder: Path) -> Path | None:
    """The folder of the one environment that has a spec; the nearest to the top."""
    specs = sorted(folder.rglob("env.yaml"), key=lambda path: (len(path.parts), str(path)))
    return specs[0].parent if specs else None


def _one(name: str, held: bool | None, found: str) -> Expectation:
    return Expectation(scorer="checks", name=name, held=held, found=found)
