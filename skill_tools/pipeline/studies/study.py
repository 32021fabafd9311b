"""A judgment on whether a model can learn from an environment, with players of known skill instead of a model."""

from __future__ import annotations

from pathlib import Path

from skill_tools.errors import SkillToolsError
from skill_tools.evidence.declaration import Declaration
from skill_tools.evidence.evidence import Evidence
from skill_tools.files import find_environment
from skill_tools.frameworks import rules
from skill_tools.learnability.model import Study
from skill_tools.learnability.summary import make_study
from skill_tools.pipeline.former_keywords import also_known_as
from skill_tools.probes.players.noisy_oracle import play_ladder
from skill_tools.report.page.kept import renew_pages
from skill_tools.report.storage.runs import keep_study
from skill_tools.runtime.progress import Progress, silent

TASKS = 24
"""Number of tasks: eight for each of three levels."""
SAMPLES = 8
"""Samples per task and skill level: a usual group size."""
SECONDS = 50.0
"""Default time limit in seconds, so that a study takes less than a minute."""
SLOWLY = 150.0
"""Time limit in seconds if the domain waits for programs: an episode may take a second or more."""


@also_known_as(tasks="num_tasks", bound="blind_threshold")
def study(
    folder: Path | str,
    *,
    split: str | None = None,
    num_tasks: int = TASKS,
    samples: int = SAMPLES,
    seconds: float | None = None,
    blind_threshold: float | None = None,
    progress: Progress = silent,
) -> Study:
    """Play policies from the oracle to random play, and judge whether a model could learn to improve.

    ``num_tasks`` of a split (default: the first) are spread over its levels, with ``samples`` episodes per task and
    skill level. If the ``seconds`` (50, or 150 for a domain that waits) do not suffice, the study plays fewer episodes
    and reports this. A blind player is a finding if it reaches the share ``blind_threshold`` of the oracle's return;
    the default is the share of ``bounds`` in env.yaml, or 0.7. The findings are those of the LRN checks. The result is
    saved in runs/study.json and shown on the page of the last report.

    Raises SpecError for an invalid env.yaml. Raises DomainError if the author's code never ends or no episode has a
    return, and SkillToolsError for an invalid number.
    """
    folder = find_environment(folder)
    _refuse(num_tasks, samples, seconds, blind_threshold)
    spec = rules.load(folder)
    limit = seconds or (SLOWLY if spec.blocking else SECONDS)
    seen = play_ladder(
        *(spec, folder),
        split=split,
        tasks=num_tasks,
        samples=samples,
        seconds=limit,
        progress=progress,
    )
    seen = seen.model_copy(update={"bound": blind_threshold})
    found = make_study(Evidence(Declaration.of(spec), spec, folder, studied=seen))
    keep_study(folder, found)
    renew_pages(folder)
    return found


def _refuse(num_tasks: int, samples: int, seconds: float | None, threshold: float | None) -> None:
    """Raise SkillToolsError for the first invalid number."""
    wrong = (
        ("num_tasks", num_tasks, "at least 1", num_tasks < 1),
        ("samples", samples, "at least 2, because one sample has no variance", samples < 2),
        ("seconds", seconds, "more than 0", seconds is not None and seconds <= 0),
        (
            "blind_threshold",
            threshold,
            "between 0 and 1",
            threshold is not None and not 0 < threshold <= 1,
        ),
    )
    for name, value, wanted, bad in wrong:
        if bad:
            raise SkillToolsError(f"{name} is {value}\n    fix: give a number {wanted}")
