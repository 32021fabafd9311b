"""DET006: files of a sandbox, compared with those of another place and time."""

from __future__ import annotations

import re
from collections.abc import Iterator

from skill_tools.checks.check import Hit, check, skip
from skill_tools.checks.needs import PROBED, probe
from skill_tools.checks.reading.probed import seen_in
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.markers import MARK
from skill_tools.evidence.trajectory import Trajectory


@check(
    "DET006",
    "files-differ-elsewhere",
    fix="make files from the task and the seed alone: times in UTC, numbers and names as they are",
    needs=[probe("fingerprint")],
)
def files_differ_elsewhere(evidence: Evidence) -> Iterator[Hit]:
    """The files of a task are the same in another time zone and with another language.

    Two machines would train on two environments.
    """
    probed = PROBED.of(evidence)
    found = probed.attempts.get("fingerprint", [])
    pairs = [(each, _sum(each.trajectory), _sum(each.compared)) for each in found]
    compared = [pair for pair in pairs if all(pair)]
    if not compared:
        cause = probed.unanswered.get("fingerprint")
        yield skip(f"no answer: {cause}" if cause else "no program told the sum of all files twice")
    for each, here, there in compared:
        if here != there:
            message = f"{here}, and {there} in another time zone and language"
            yield seen_in(each, f"{each.words}, on {each.of}: {message}")


def _sum(played: Trajectory | None) -> str:
    """What the last step says of all files, or ""."""
    steps = played.steps if played else []
    found = re.search(rf"{MARK} \d+ \d+", steps[-1].text) if steps else None
    return found[0] if found else ""


CHECKS = (files_differ_elsewhere,)
