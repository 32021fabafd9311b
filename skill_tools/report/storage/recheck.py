"""Judge stored evidence again with the current checks."""

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
    """Check the evidence of the last build, validation or audit again, without playing or running anything.

    ``folder`` is an environment, or the output of an audit. The report states the date and version of the
    evidence. A warning is logged if the author's files have changed since then. The episodes that findings show
    are stored for ``replay``. Raises SkillToolsError if no evidence is stored.
    """
    place = find_environment(folder)
    saved = read_evidence(place)
    found = combine([outcome.judge(each) for each in saved.evidence])
    report = found.report.model_copy(update={"seen": _seen(saved.origin, found.report.seen)})
    if changed := changed_sources(found.evidence):
        _log.warning(
            "warning: %s changed since it was played on %s: `skill-tools validate %s` plays the current version",
            ", ".join(changed),
            f"{saved.at:%Y-%m-%d}",
            place,
        )
    judged = Outcome(report, found.evidence, found.splits, found.shown)
    return judged if found.evidence.folder is None else keep_episodes(judged)


def _seen(origin: str, further: str) -> str:
    return f"{origin}, judged again{'; ' if further else ''}{further}"
