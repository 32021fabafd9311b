"""WOR009 and 010: the text's promises about the sandbox, its limits and its lasting state."""

from __future__ import annotations

import re
from collections.abc import Iterator

from skill_tools.checks.check import Hit, Place, check, skip
from skill_tools.checks.needs import PROBED, PROMPT, TOOLS, probe
from skill_tools.checks.reading.sentences import sentences
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.markers import MARK, promised_seconds
from skill_tools.evidence.probed import Attempt

_LAST = re.compile(
    r"(?:\bso (?:do|does|are|is) )?(?:all )?(?:the |your )?"
    r"\b(?:variables?|cd|working directory|state)\b[^.;:\n]{0,60}",
    re.IGNORECASE,
)


_STAYS = re.compile(
    r"^so |\b(?:stay|persist|kept|keep|remain|carr(?:y|ies|ied) over|survive)", re.IGNORECASE
)


_NOT = re.compile(r"\b(?:not|n't|never|no longer|lost|gone|reset)\b", re.IGNORECASE)


@check(
    "WOR009",
    "limit-contradicts",
    fix="use the same number in the description and in the sandbox's limits",
    needs=[probe("sleep"), TOOLS, PROMPT],
)
def limit_contradicts(evidence: Evidence) -> Iterator[Hit]:
    """Programs may run for as long as the text says.

    A model plans its computations by the stated limit.
    """
    began = False
    for each in PROBED.of(evidence).attempts["sleep"]:
        for step in each.trajectory.steps:
            began = began or f"{MARK} begins" in step.text
            if f"{MARK} begins" in step.text and f"{MARK} ends" not in step.text:
                tool = next((t for t in TOOLS.of(evidence) if t["name"] == step.tool), {})
                said = promised_seconds(
                    f"{tool.get('description', '')} {evidence.declaration.prompt}"
                )
                message = (
                    f"the text allows {said} seconds, but {step.tool} stopped a program that "
                    f"takes {each.change['seconds']:g}: {step.text[-160:]}"
                )
                yield Hit(message, each.trajectory, Place(task=each.of, tool=step.tool))
    if not began:
        yield skip("no tool ran the sleep program that this check uses")


@check(
    "WOR010",
    "lasting-state-contradicts",
    fix="state what persists from call to call: files, variables, the working folder",
    needs=[probe("variables"), TOOLS, PROMPT],
)
def lasting_state_contradicts(evidence: Evidence) -> Iterator[Hit]:
    """State persists between calls as the text says.

    If the text says that variables persist, a model sets a variable in one call and uses it in the next call.
    """
    compared = False
    for each in PROBED.of(evidence).attempts["variables"]:
        tool = next((t for t in TOOLS.of(evidence) if t["name"] == each.change["tool"]), {})
        promised = sentences(PROMPT.of(evidence))
        named = " ".join(sentence for sentence in promised if each.change["tool"] in sentence)
        said = _said_to_stay(f"{named}\n{tool.get('description', '')}")
        stays = _stayed(each)
        if None in (said, stays):
            continue
        compared = True
        if said != stays:
            told = "stay" if said else "do not stay"
            message = (
                f"the text says that variables {told} from call to call, "
                f"but they {'do' if stays else 'do not'}"
            )
            yield Hit(message, each.trajectory, Place(task=each.of, tool=each.change["tool"]))
    if not compared:
        yield skip("no text says whether variables persist, or no shell set a variable")


def _said_to_stay(text: str) -> bool | None:
    """Return whether a text says that variables persist, or None if the text says nothing or contradicts itself."""
    said = set()
    for found in _LAST.finditer(text):
        if "variable" in found[0].lower() or "cd" in found[0].lower():
            negated = bool(_NOT.search(found[0]))
            if negated or _STAYS.search(found[0]):
                said.add(not negated)
    return said.pop() if len(said) == 1 else None


def _stayed(each: Attempt) -> bool | None:
    """Return whether a bash variable persisted until the next call, or None if bash did not reply."""
    shown = " ".join(step.text for step in each.trajectory.steps)
    found = re.search(rf"{MARK} (kept|none) ", shown)
    return None if found is None else found[1] == "kept"


CHECKS = (
    limit_contradicts,
    lasting_state_contradicts,
)
