"""EPI006 to 011: bounds of parameters, calls that are refused, calls that do not return."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from skill_tools.checks.check import BEFORE, check, warn
from skill_tools.checks.needs import PROBED, REFERENCE
from skill_tools.checks.reading.episodes import named, shortened
from skill_tools.checks.reading.variation import comparable
from skill_tools.evidence.evidence import Attempt, Evidence, show_calls
from skill_tools.evidence.trajectory import Step, Trajectory

REFUSALS = ("refusal-inserted", "refusal-removed")
"""What was tried of refused calls: one put into an episode, and one left out of it."""


@check(
    "EPI006",
    "task-cannot-be-opened",
    fix="mend the task or the domain's __init__ and observe()",
    needs=[PROBED],
    after=[*BEFORE, "ISO010"],
)
def task_cannot_be_opened(evidence: Evidence) -> Iterator[str]:
    """Every task of every split opens.

    One that raises is a hole in each batch that draws it.
    """
    for each in evidence.probed.opened:
        if each["error"]:
            yield f"{each['split']}/{each['index']}: {each['error']}"
    if cause := evidence.probed.unanswered.get("survey"):
        yield cause


@check(
    "EPI007",
    "edge-breaks-episode",
    fix="raise InvalidAction for what cannot be played, or narrow the parameter's schema",
    needs=[PROBED],
    after=[*BEFORE, "RES004"],
)
def edge_breaks_episode(evidence: Evidence) -> Iterator[str]:
    """No call that the schema allows breaks an episode or hangs, at any bound of any parameter.

    Models send the empty string, the greatest number and letters of every script.
    """
    for kind in (
        "edge",
        "wrong",
        "wrong-after",
        "constant",
        "copy",
        "luck",
        "cross",
        "repeat",
        "refusal",
    ):
        for each in evidence.probed.attempts.get(kind, []):
            if each.trajectory.end == "failed":
                why = each.trajectory.failure.message if each.trajectory.failure else "it failed"
                yield f"{each.words}, on {each.of}: {why}"
    for part in ("trials", "edges", "refusals"):
        if cause := evidence.probed.unanswered.get(part):
            yield cause


@check(
    "EPI008",
    "refusal-changes-world",
    fix="raise InvalidAction before anything is changed; if refusals are to cost something, count them "
    "in the world as a legal call that earns nothing, and say so in the prompt",
    needs=[PROBED],
    after=[*BEFORE, "REW007"],
)
def refusal_changes_world(evidence: Evidence) -> Iterator[str]:
    """A refused call changes nothing: all that follows is as if it had not been made.

    The text calls it refused, and the agent goes on as if nothing had happened.
    """
    for each in evidence.every_bare:
        for number, step in enumerate(each.steps, 1):
            if step.error == "invalid_action" and step.done and each.end == "terminated":
                yield f"{named(each)}: step {number}, {_call(step)}, was refused and ended the episode"
                break
    for kind in REFUSALS:
        for each in evidence.probed.attempts.get(kind, []):
            refused, without = with_and_without(each)
            yield from _changed(refused, without, each.change["place"], evidence.declaration.varies)


@check(
    "EPI009",
    "world-goes-on",
    fix="raise InvalidAction in every tool once done is set",
    needs=[PROBED],
    after=[*BEFORE, "EPI003"],
    level="warn",
)
def world_goes_on(evidence: Evidence) -> Iterator[str]:
    """The domain itself takes no call after the end that changes the return or the end.

    Every variant guards against it; a trainer that uses the domain alone does not.
    """
    for several in evidence.probed.attempts.values():
        for each in several:
            if each.after:
                yield f"after the end of {each.of}, {each.after}"
                return


def with_and_without(each: Attempt) -> tuple[Trajectory | None, Trajectory | None]:
    """An episode with a refused call in it, and the same one without, of one kind of REFUSALS."""
    pair = (each.trajectory, each.compared)
    return pair if each.probe == REFUSALS[0] else pair[::-1]


def before_step(without: Trajectory, place: int) -> str:
    """How a message names an episode in which a refused call was inserted at ``place``."""
    return f"before step {place + 1} of {without.label} was refused"


def _changed(
    refused: Trajectory | None, without: Trajectory | None, place: int, varies: list[str]
) -> Iterator[str]:
    """What is not as without the refused call: the first difference that counts, or in a text."""
    if refused is None or without is None or len(refused.steps) <= place:
        return
    step = refused.steps[place]
    if step.error != "invalid_action" or step.done or "failed" in (refused.end, without.end):
        return
    what = f"{_call(step)} {before_step(without, place)}, and then"
    rest = [*refused.steps[:place], *refused.steps[place + 1 :]]
    text = ""
    for number, (one, other) in enumerate(zip(rest, without.steps, strict=False), 1):
        if refused.end == "truncated" and one.done != other.done:
            return  # the refused call was a turn
        if (one.error, one.done) != (other.error, other.done):
            yield f"{what} step {number} was {_outcome(one)} and not {_outcome(other)}"
            return
        if abs(one.reward - other.reward) > 1e-9:
            yield f"{what} step {number} paid {one.reward:g} and not {other.reward:g}"
            return
        if not text and _text(one, varies) != _text(other, varies):
            text = f"{what} step {number} shows something else"
    if len(rest) == len(without.steps) and refused.total != without.total:
        yield f"{what} the return was {refused.total:g} and not {without.total:g}"
    elif text:
        yield warn(text)


def _outcome(step: Step) -> str:
    return step.error or ("the last" if step.done else "played")


def _call(step: Step) -> str:
    return show_calls([(step.tool, step.arguments)])


def _text(step: Step, varies: list[str]) -> Any:
    # What stands for a picture differs between what was played and what was tried.
    return comparable(
        [
            b
            for b in step.observation
            if b["type"] == "text" and not b["text"].startswith("[image ")
        ],
        varies,
    )


@check(
    "EPI010",
    "solution-refused",
    fix="widen the schema or the rule to what solves the task, or let the oracle keep to them",
    needs=[REFERENCE],
    after=["DET001", "ISO001", "ISO010", "WOR002", "WOR005"],
)
def solution_refused(evidence: Evidence) -> Iterator[str]:
    """No call of the oracle's is refused.

    What solves a task must be allowed: by the tool's schema, and by the rules.
    """
    high = evidence.declaration.reward_range[1] if evidence.declaration.reward_range else None
    for trajectory in (evidence.reference or {}).get("oracle", {}).values():
        if high is not None and trajectory.total is not None and trajectory.total >= high - 1e-9:
            continue  # it went on, and was paid
        for number, step in enumerate(trajectory.steps, 1):
            if step.error in ("invalid_arguments", "invalid_action"):
                yield f"{named(trajectory)}: step {number}, {_call(step)}, is refused: {shortened(step.text)}"
                break
    for each in evidence.probed.solved if evidence.probed else ():
        if each.get("refused") and high is not None and (each["return"] or 0.0) < high - 1e-9:
            yield f"the oracle on {each['split']}/{each['index']}: {each['refused']}"


@check(
    "EPI011",
    "unlisted-accepted",
    fix="look the whole text up in a set of the items, not in the file's text",
    needs=[PROBED],
    after=[*BEFORE, "EPI008"],
    level="warn",
)
def unlisted_accepted(evidence: Evidence) -> Iterator[str]:
    """Where only items of a list are accepted, a part of one and the seam of two are not.

    `word in text` finds what `word in text.split()` does not.
    """
    tried = evidence.probed.attempts
    for each in tried.get("unlisted-other", []):
        if _accepted(each):
            return  # the list decides nothing
    for kind, what in (("part", "a part of an item"), ("across", "the seam of two items")):
        several = tried.get(f"unlisted-{kind}", []) if tried.get("unlisted-other") else []
        taken = [each for each in several if _accepted(each)]
        if len(taken) > 1 and len(taken) * 2 >= len(several):
            step = taken[0].trajectory.steps[-1]
            yield f"{_call(step)}, on {taken[0].of}, is accepted: {what} of a list that is none of its items"


def _accepted(each: Attempt) -> bool:
    return bool(each.trajectory.steps) and not each.trajectory.steps[-1].error


CHECKS = (
    task_cannot_be_opened,
    edge_breaks_episode,
    refusal_changes_world,
    world_goes_on,
    solution_refused,
    unlisted_accepted,
)
