"""ISO and WOR: what an agent's programs find: answers in files, limits and lasting state as the words say."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from skill_tools.checks.check import check, warn
from skill_tools.checks.reading.sentences import sentences
from skill_tools.evidence.evidence import Evidence, Tried
from skill_tools.evidence.trajectory import Trajectory
from skill_tools.play.probes.sandbox import ASKED, MARK, promised_seconds

BEFORE = ["DET001", "ISO001", "EPI001"]
_HIT = re.compile(rf"^{MARK} (\w+) (\d+) (\S.*?)$", re.MULTILINE)
_LAST = re.compile(
    r"(?:\bso (?:do|does|are|is) )?(?:all )?(?:the |your )?"
    r"\b(?:variables?|cd|working directory|state)\b[^.;:\n]{0,60}",
    re.IGNORECASE,
)
_STAYS = re.compile(
    r"^so |\b(?:stay|persist|kept|keep|remain|carr(?:y|ies|ied) over|survive)", re.IGNORECASE
)
_NOT = re.compile(r"\b(?:not|n't|never|no longer|lost|gone|reset)\b", re.IGNORECASE)
SMALL = 120
"""Bytes of a file that holds little but an answer."""


@check(
    "ISO011",
    "answer-in-files",
    fix="keep answers, and whatever is made from them, out of the folder that the agent's programs see",
    needs=["explored"],
    after=BEFORE,
)
def answer_in_files(evidence: Evidence) -> Iterator[str]:
    """No file that the agent's programs can read holds the answer, plain or in disguise.

    A policy that lists all files finds it, and never does the work.
    """
    snoops = evidence.explored.tried.get("snoop", [])
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


def _opening(each: Tried) -> str:
    return "\n".join(str(message.get("content")) for message in each.trajectory.prompt)


@check(
    "WOR009",
    "limit-not-as-told",
    fix="let the description and the sandbox's limits have one number",
    needs=["explored", "tools", "prompt"],
    after=BEFORE,
)
def limit_not_as_told(evidence: Evidence) -> Iterator[str]:
    """A program runs as long as the words say before it is stopped.

    A model plans its computations by the limit that it is told.
    """
    for each in evidence.explored.tried.get("sleep", []):
        for step in each.trajectory.steps:
            if f"{MARK} begins" in step.text and f"{MARK} ends" not in step.text:
                tool = next((t for t in evidence.declaration.tools if t["name"] == step.tool), {})
                said = promised_seconds(
                    f"{tool.get('description', '')} {evidence.declaration.prompt}"
                )
                yield f"the words give {said} seconds, but {step.tool} did not let {each.what} pass: {step.text[-160:]}"


@check(
    "WOR010",
    "lasting-state-not-as-told",
    fix="say what really stays from call to call: files, variables, the folder",
    needs=["explored", "tools", "prompt"],
    after=BEFORE,
)
def lasting_state_not_as_told(evidence: Evidence) -> Iterator[str]:
    """What stays from one call to the next is what the words say.

    A model that sets a variable in one call uses it in the next.
    """
    for each in evidence.explored.tried.get("variables", []):
        tool = next((t for t in evidence.declaration.tools if t["name"] == each.what), {})
        told = sentences(evidence.declaration.prompt)
        named = " ".join(sentence for sentence in told if each.what in sentence)
        said = _said_to_stay(f"{named}\n{tool.get('description', '')}")
        stays = _stayed(each)
        if None not in (said, stays) and said != stays:
            told = "stay" if said else "do not stay"
            yield f"the words say that variables {told} from call to call, but they {'do' if stays else 'do not'}"


def _said_to_stay(text: str) -> bool | None:
    """What words say of variables; None if nothing, or both."""
    said = set()
    for found in _LAST.finditer(text):
        if "variable" in found[0].lower() or "cd" in found[0].lower():
            negated = bool(_NOT.search(found[0]))
            if negated or _STAYS.search(found[0]):
                said.add(not negated)
    return said.pop() if len(said) == 1 else None


def _stayed(each: Tried) -> bool | None:
    """Whether a variable of bash was there in the next call; None where no bash answered."""
    shown = " ".join(step.text for step in each.trajectory.steps)
    found = re.search(rf"{MARK} (kept|none) ", shown)
    return None if found is None else found[1] == "kept"


@check(
    "DET006",
    "files-differ-elsewhere",
    fix="make files from the task and the seed alone: times in UTC, numbers and names as they are",
    needs=["explored"],
    after=BEFORE,
)
def files_differ_elsewhere(evidence: Evidence) -> Iterator[str]:
    """The files of a task are the same in another time zone and with another language.

    Two machines would train on two environments.
    """
    for each in evidence.explored.tried.get("fingerprint", []):
        here, there = _sum(each.trajectory), _sum(each.beside)
        if here and there and here != there:
            yield f"{each.what}, on {each.of}: {here}, and {there} in another time zone and language"


def _sum(played: Trajectory | None) -> str:
    """What the last step says of all files, or ""."""
    steps = played.steps if played else []
    found = re.search(rf"{MARK} \d+ \d+", steps[-1].text) if steps else None
    return found[0] if found else ""


CHECKS = (
    answer_in_files,
    limit_not_as_told,
    lasting_state_not_as_told,
    files_differ_elsewhere,
)
