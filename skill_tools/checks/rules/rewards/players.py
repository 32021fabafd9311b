"""REW: the players in ceilings and floors, their attempts, and the attempts that are beyond the bound."""

from __future__ import annotations

import re

from skill_tools.checks.needs import PROBED, REWARD_RANGE, unanswered
from skill_tools.checks.reading.probed import (
    CLOSE,
    FEW,
    UNSCORED,
    _says,
    attempts,
    bests_of,
    low_of,
    task_of,
    too_few,
    tops,
    total,
)
from skill_tools.checks.rules.rewards.hacking import MUCH
from skill_tools.checks.tables.bounds import Bound
from skill_tools.evidence.calls import show_calls
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.probed import Attempt


def same_last_call(evidence: Evidence) -> list[Attempt]:
    """Return the attempts that make only the solution's last call, if that call is the same in all tasks."""
    found = attempts(evidence, "last")
    calls = {show_calls([(s.tool, s.arguments) for s in each.trajectory.steps]) for each in found}
    return found if len(calls) == 1 else []


def no_last_call(evidence: Evidence, _: list[Attempt]) -> str:
    """Return why ``same_last_call`` found nothing to judge."""
    found = attempts(evidence, "last")
    few = len(found) < FEW
    return too_few(found) if few else "the deciding call is not the same in all tasks"


def all_tried(evidence: Evidence) -> list[Attempt]:
    """Return the attempts of all probes."""
    return attempts(evidence, *PROBED.of(evidence).attempts)


def nothing_tried(evidence: Evidence, _: list[Attempt]) -> str:
    """Return why no attempt can be judged: no attempt has a return, or a probe died."""
    probed = PROBED.of(evidence)
    died = unanswered(evidence, *probed.unanswered)
    return UNSCORED if any(probed.attempts.values()) else died


def _alone(evidence: Evidence) -> set[str]:
    return {each.of for each in tops(evidence, attempts(evidence, "right"))}


def put_off(evidence: Evidence) -> list[Attempt]:
    """Return the attempts that make a sufficient last call (see ``_alone``) only at the last possible turn."""
    alone = _alone(evidence)
    return [each for each in attempts(evidence, "late") if each.of in alone]


def unpaid(evidence: Evidence, tried: list[Attempt]) -> list[Attempt]:
    """Return the attempts whose return is not higher than the return of doing nothing."""
    low = low_of(evidence)
    return [each for each in tried if total(each) <= low + CLOSE]


def late(evidence: Evidence) -> list[Attempt]:
    """Return the attempts that play a solution as late as possible, if the solution itself has a return."""
    oracle = (evidence.reference.episodes or {}).get("oracle", {})
    sooner = {label for label, each in oracle.items() if each.total is not None}
    return [each for each in attempts(evidence, "late") if each.of in sooner]


def sooner(evidence: Evidence, each: Attempt) -> float:
    """Return the return of the solution played without delay, for a delayed attempt from ``late``."""
    return (evidence.reference.episodes or {})["oracle"][each.of].total or 0.0


def after_changes(evidence: Evidence) -> list[Attempt]:
    """Return the attempts that give the right answer after a program changed files, if the answer alone is enough."""
    alone, tried = _alone(evidence), attempts(evidence, "tampered")
    return [each for each in tried if each.of in alone and _says(each, "changed")]


def not_top(evidence: Evidence, tried: list[Attempt]) -> list[Attempt]:
    """Return the attempts on tasks on which no attempt reached the maximum."""
    paid = {each.of for each in tops(evidence, tried)}
    return [each for each in tried if each.of not in paid]


def rich(evidence: Evidence, tried: list[Attempt]) -> list[Attempt]:
    """Return attempts that get most of the task's maximum from several calls, but not from any single call."""
    low, bests, rich = low_of(evidence), bests_of(evidence), []
    for each in tried:
        most = bests.get(task_of(each.trajectory), REWARD_RANGE.of(evidence)[1]) - low
        paid = [step.reward for step in each.trajectory.steps if step.reward > CLOSE]
        if total(each) - low >= MUCH * most and len(paid) > 1 and max(paid) < MUCH * most:
            rich.append(each)
    return rich


_EXACT = re.compile(
    r"\b(?:exact (?:text|match|words?)|(?:is|be|matche?s?) exact(?:ly)?|exactly as|(?:one|no"
    r"|without) (?:spaces?|blanks?)"
    r"|to the letter|whitespace|commas? and (?:a |one )?(?:space|blank)s?)\b",
    re.IGNORECASE,
)
"""Words that ask for exact spelling, so that whitespace may make an answer wrong."""
WHERE = {
    "before": "whitespace before the answer",
    "after": "whitespace after the answer",
    "none": "no space after the commas in the answer",
}
"""Where whitespace was added to an answer or removed from it: the probe's name, and in words."""
BLANKS = 3
"""Minimum tasks lost by whitespace: fewer may be lost for another reason."""
LISTS = 1
"""Minimum tasks lost by a list without spaces: the prompt asks for a list, so one is enough."""
_LISTED = re.compile(r"\b(?:commas?|comma-separated)\b", re.IGNORECASE)


def blank(where: str) -> Bound:
    """Return a bound for answers with changed whitespace at the place ``where``.

    These answers need not be rewarded if the text demands an exact answer.
    """
    listed = where == "none"

    def players(evidence: Evidence) -> list[Attempt]:
        words = f"{evidence.declaration.prompt or ''} {evidence.declaration.tools}"
        found = [] if _EXACT.search(words) else attempts(evidence, f"blank-{where}")
        return [each for each in found if not listed or _asks_for_a_list(evidence, each)]

    return Bound(
        players,
        f"{WHERE[where]}: {{how}}, with {{text!r}} ({{of}} tasks)",
        beyond=not_top,
        on=1.0,
        enough=LISTS if listed else BLANKS,
        few=_no_blanks,
        at_call=True,
    )


def _no_blanks(evidence: Evidence, _: list[Attempt]) -> str:
    words = f"{evidence.declaration.prompt or ''} {evidence.declaration.tools}"
    told = "the prompt tells the agent to write it exactly"
    few = f"answers with added or removed whitespace have a return on fewer than {BLANKS} tasks"
    return told if _EXACT.search(words) else few


def _asks_for_a_list(evidence: Evidence, each: Attempt) -> bool:
    """Return whether the task's own message or the parameter's schema mentions commas."""
    tool = each.trajectory.steps[-1].tool
    words = str(evidence.declaration.parameters.get(tool, ""))
    return bool(_LISTED.search(f"{words} {each.trajectory.question}"))
