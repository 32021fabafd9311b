"""What was played and kept, judged again by the checks as they are now."""

from __future__ import annotations

import logging
from pathlib import Path

from skill_tools.evidence.saved import changed_sources
from skill_tools.files import find_environment
from skill_tools.report import outcome
from skill_tools.report.outcome import Outcome, combine, keep_episodes
from skill_tools.report.storage.runs import read_evidence

_log = logging.getLogger("skill_tools")


def judge(folder: Path | str) -> Outcome:
    """Check what the last build, validation or audit saw again; nothing is played, or run.

    ``folder`` is an environment, or the output of an audit. The report says of which day and version
    the evidence is; a warning is logged where the author's files have changed since. The episodes
    that findings show are kept for ``replay``. Raises SkillToolsError where no evidence is kept.
    """
    place = find_environment(folder)
    saved = read_evidence(place)
    found = combine([outcome.judge(each) for each in saved.evidence])
    report = found.report.model_copy(update={"seen": _seen(saved.origin, found.report.seen)})
    if changed := changed_sources(found.evidence):
        _log.warning(
            "warning: %s changed since it was played on %s: `skill-tools validate %s` plays the present version",
            ", ".join(changed),
            f"{saved.at:%Y-%m-%d}",
            place,
        )
    judged = Outcome(report, found.evidence, found.splits, found.shown)
    return judged if found.evidence.folder is None else keep_episodes(judged)


def _seen(origin: str, further: str) -> str:
    return f"{origin}, judged again{'; ' if further else ''}{further}"
