"""ISO011: answers in files that the agent's programs can read."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from skill_tools.checks.check import BEFORE, check, warn
from skill_tools.checks.needs import PROBED
from skill_tools.evidence.evidence import Attempt, Evidence
from skill_tools.evidence.markers import ASKED, MARK

_HIT = re.compile(rf"^{MARK} (\w+) (\d+) (\S.*?)$", re.MULTILINE)
SMALL = 120
"""Bytes of a file that holds little but an answer."""


@check(
    "ISO011",
    "answer-in-files",
    fix="keep answers, and whatever is made from them, out of the folder that the agent's programs see",
    needs=[PROBED],
    after=BEFORE,
)
def answer_in_files(evidence: Evidence) -> Iterator[str]:
    """No file that the agent's programs can read holds the answer, plain or in disguise.

    A policy that lists all files finds it, and never does the work.
    """
    snoops = evidence.probed.attempts.get("snoop", [])
    found: dict[str, dict[str, tuple[str, int]]] = defaultdict(dict)
    asked: dict[str, set[str]] = defaultdict(set)
    for each in snoops:
        for step in each.trajectory.steps:
            for how, size, path in _HIT.findall(step.text):
                if how == ASKED:
                    asked[path].add(each.of)
                else:
                    found[path].setdefault(each.of, (how, int(size)))
    tasks = {each.of for each in snoops}
    for path, by_task in found.items():
        how, size = next(iter(by_task.values()))
        if len(by_task) < 2 or len(by_task) * 2 < len(tasks):
            continue
        label = next(iter(by_task))
        message = (
            f"{path} holds the answer, {how}, in {len(by_task)} of {len(tasks)} tasks, as {label}"
        )
        name = path.rpartition("/")[2]
        if len(asked[path] & by_task.keys()) * 2 >= len(by_task):
            yield f"{message}, and the question"
            continue
        if any(name in _opening(each) for each in snoops):
            continue  # the agent is told to read it
        if name.startswith(".") or how != "plain":
            yield message
        elif size <= SMALL or (len(by_task) == len(tasks) and len(tasks) > 2):
            yield warn(message)


def _opening(each: Attempt) -> str:
    return "\n".join(str(message.get("content")) for message in each.trajectory.prompt)


CHECKS = (answer_in_files,)
