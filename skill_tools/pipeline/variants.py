"""Functions that play the variants on each split that was played on the bare domain, and store the results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from skill_tools import checks
from skill_tools.errors import SkillToolsError
from skill_tools.evidence.evidence import Evidence
from skill_tools.pipeline.bare_runs import BareRuns
from skill_tools.pipeline.collection import collect_evidence
from skill_tools.pipeline.datasets.task_rows import with_rows
from skill_tools.render.choice import Choice
from skill_tools.report.outcome import Outcome, judge_and_keep
from skill_tools.report.page.kept import keep_pages
from skill_tools.report.storage.runs import read_evidence
from skill_tools.runtime.progress import Progress, of_split


def play_variants(
    choice: Choice,
    folder: Path,
    runs: Sequence[BareRuns],
    *,
    most: int | None,
    may_spare: bool,
    earlier: Mapping[str, Evidence],
    progress: Progress,
) -> Outcome:
    """Play the variants with the playbook of each bare run, and store the results.

    Args:
        choice: The spec and the variants to play.
        folder: The environment's folder.
        runs: The bare runs, one per split.
        most: Maximum number of tasks per split.
        may_spare: Whether to play fewer tasks if an episode is expensive.
        earlier: Evidence by split whose episodes are reused if nothing has changed since.
        progress: Called with progress messages.
    """
    seen = []
    for bare in runs:
        split = bare.playbook.tasks.split
        say = of_split(split, progress) if len(runs) > 1 else progress
        few = bare.affordable if may_spare and most is None else None
        found = collect_evidence(
            *(choice.spec, folder, bare, choice.frameworks),
            most=few or most,
            earlier=earlier.get(split),
            progress=say,
        )
        if few:
            found = replace(found, variants=replace(found.variants, minutes=bare.minutes))
        seen.append(with_rows(found, len(choice.spec.tools)))
    outcome = judge_and_keep(seen)
    keep_pages(outcome)
    return outcome


def read_earlier(folder: Path) -> dict[str, Evidence]:
    """Return the last evidence by split, without variants that have a failure or a warning.

    Such variants are always replayed, so that a report does not repeat a chance failure that no longer occurs. The
    result is empty if no readable evidence is stored.
    """
    try:
        saved = read_evidence(folder).evidence
    except SkillToolsError:
        return {}
    return {
        each.reference.tasks.split: _undoubted(each)
        for each in saved
        if each.reference.tasks and each.variants.origins
    }


def _undoubted(evidence: Evidence) -> Evidence:
    reported = (each for each in checks.run(evidence) if each.status in ("fail", "warn"))
    doubted = {name for each in reported for name in each.frameworks}
    kept = {name: by for name, by in evidence.variants.origins.items() if name not in doubted}
    return replace(evidence, variants=replace(evidence.variants, origins=kept))
