"""DET006: files of a sandbox, compared with those of another place and time."""

from __future__ import annotations

import re
from collections.abc import Iterator

from skill_tools.checks.check import BEFORE, check
from skill_tools.checks.needs import PROBED
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.markers import MARK
from skill_tools.evidence.trajectory import Trajectory


@check(
    "DET006",
    "files-differ-elsewhere",
    fix="make files from the task and the seed alone: times in UTC, numbers and names as they are",
    needs=[PROBED],
    after=BEFORE,
)
def files_differ_elsewhere(evidence: Evidence) -> Iterator[str]:
    """The files of a task are the same in another time zone and with another language.

    Two machines would train on two environments.
    """
    for each in evidence.probed.attempts.get("fingerprint", []):
        here, there = _sum(each.trajectory), _sum(each.compared)
        if here and there and here != there:
            yield f"{each.words}, on {each.of}: {here}, and {there} in another time zone and language"


def _sum(played: Trajectory | None) -> str:
    """What the last step says of all files, or ""."""
    steps = played.steps if played else []
    found = re.search(rf"{MARK} \d+ \d+", steps[-1].text) if steps else None
    return found[0] if found else ""


CHECKS = (files_differ_elsewhere,)
