"""The scorer that runs our own checks again on the solver's files. Reports in the folder do not count."""

from __future__ import annotations

from pathlib import Path

import skill_tools
from evals.attempt import Attempt
from evals.case import Case
from evals.expectation import Expectation

TASKS = 3


def score(case: Case, attempt: Attempt) -> list[Expectation]:
    """Return one expectation per failed check, or one expectation if all checks pass.

    The attempt is unscored if it has no spec.
    """
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
    """Return the folder of the env.yaml nearest to the top, or None if there is no env.yaml."""
    specs = sorted(folder.rglob("env.yaml"), key=lambda path: (len(path.parts), str(path)))
    return specs[0].parent if specs else None


def _one(name: str, held: bool | None, found: str) -> Expectation:
    return Expectation(scorer="checks", name=name, held=held, found=found)
