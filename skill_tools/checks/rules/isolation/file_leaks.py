"""ISO011: answers in files that the agent's programs can read."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from skill_tools.checks.check import Hit, Place, check, skip, warn
from skill_tools.checks.needs import PROBED, probe
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.markers import ASKED, MARK
from skill_tools.evidence.probed import Attempt

_HIT = re.compile(rf"^{MARK} (\w+) (\d+) (\S.*?)$", re.MULTILINE)
SMALL = 120
"""Maximum bytes of a file that contains little but an answer."""


class _Found(NamedTuple):
    how: str
    size: int
    attempt: Attempt


@check(
    "ISO011",
    "answer-in-files",
    fix="keep answers, and everything derived from them, out of the folder that the agent's programs can read",
    needs=[probe("snoop")],
)
def answer_in_files(evidence: Evidence) -> Iterator[Hit]:
    """No file that the agent's programs can read contains the answer in plain or disguised form.

    A policy that lists all files finds the answer, and never does the work.
    """
    snoops = PROBED.of(evidence).attempts["snoop"]
    found: dict[str, dict[str, _Found]] = defaultdict(dict)
    asked: dict[str, set[str]] = defaultdict(set)
    for each in snoops:
        for step in each.trajectory.steps:
            for how, size, path in _HIT.findall(step.text):
                if how == ASKED:
                    asked[path].add(each.of)
                else:
                    found[path].setdefault(each.of, _Found(how, int(size), each))
    if not any(MARK in step.text for each in snoops for step in each.trajectory.steps):
        yield skip("no tool ran the program that reads all files")
    tasks = {each.of for each in snoops}
    for path, by_task in found.items():
        how, size, shows = next(iter(by_task.values()))
        if len(by_task) < 2 or len(by_task) * 2 < len(tasks):
            continue
        message = (
            f"{path} holds the answer, {how}, in {len(by_task)} of {len(tasks)} tasks, such as "
            f"{shows.of}"
        )
        place = Place(task=shows.of, file=path)
        name = path.rpartition("/")[2]
        if len(asked[path] & by_task.keys()) * 2 >= len(by_task):
            yield Hit(f"{message}, and the question", shows.trajectory, place)
            continue
        if any(name in each.trajectory.opening for each in snoops):
            continue  # the agent is instructed to read it
        if name.startswith(".") or how != "plain":
            yield Hit(message, shows.trajectory, place)
        elif size <= SMALL or (len(by_task) == len(tasks) and len(tasks) > 2):
            yield warn(message, shows.trajectory, place)


CHECKS = (answer_in_files,)
