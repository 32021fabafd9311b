"""EPI006 to 011: tasks that do not open, calls that break an episode, and refused calls."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from operator import itemgetter
from typing import Any

from skill_tools.checks.check import Hit, Place, check, place_of, skip, warn
from skill_tools.checks.needs import PROBED, REFERENCE, TRIED, probe
from skill_tools.checks.reading.episodes import answered, cause, named, shortened
from skill_tools.checks.reading.probed import top_of
from skill_tools.checks.reading.variation import comparable
from skill_tools.evidence.calls import show_calls
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.probed import Attempt
from skill_tools.evidence.probes import PROBES
from skill_tools.evidence.trajectory import Step, Trajectory

REFUSALS = ("refusal-inserted", "refusal-removed")
"""Probes of refused calls: one inserted into an episode, and one removed."""


@check(
    "EPI006",
    "task-cannot-be-opened",
    fix="fix the task, or the domain's __init__ and observe()",
    needs=[PROBED],
    after=["ISO010"],
)
def task_cannot_be_opened(evidence: Evidence) -> Iterator[Hit]:
    """Every task of every split opens.

    A task that raises an exception leaves a gap in each batch that contains the task.
    """
    probed = PROBED.of(evidence)
    opened, why = probed.opened, probed.unanswered.get("survey")
    for each in opened:
        if each.error:
            yield Hit(f"{each.task}: {each.error}", place=Place(task=each.task))
    if why:
        yield Hit(why)
    elif not opened:
        yield skip(PROBES["survey"].absent)


MODELS_AT_FAULT = frozenset({"nonsense", "endless"})
"""Probes in which a model inside is at fault: nonsense of a judge has no score, and MOD013 reports the rest."""


@check(
    "EPI007",
    "edge-breaks-episode",
    fix="raise InvalidAction for impossible calls, or narrow the parameter's schema; make sure every loop ends",
    needs=[TRIED],
    after=["RES004"],
)
def edge_breaks_episode(evidence: Evidence) -> Iterator[Hit]:
    """No call of a probe breaks an episode, hangs, or ends the process.

    Models send the empty string, the largest number and letters of every script, in any order and repeatedly.
    """
    for each in _by_cause(PROBED.of(evidence).attempts):
        played = each.trajectory
        last = played.steps[-1] if played.steps else None
        message = f"{_tried(each)}, on {each.of}: {cause(played)}"
        yield Hit(message, played, place_of(played, last))
    for why, probes in _unanswered(evidence).items():
        message = f"{why} (not examined: {', '.join(probes)})"
        # Probes of the whole domain are slow if programs wait for a processor.
        slow = evidence.declaration.runs_programs and AS_A_WHOLE.issuperset(probes)
        yield warn(message) if slow else Hit(message)


def _tried(each: Attempt) -> str:
    """Return the name of an attempt's probe, the purpose of the probe and, if recorded, the change in this attempt."""
    what = PROBES[each.probe].tries if each.probe in PROBES else each.probe
    return f"{each.probe} ({what})" + (f": {each.words}" if each.words else "")


def _by_cause(attempts: Mapping[str, list[Attempt]]) -> list[Attempt]:
    """Return the failed attempts, beginning with one attempt per cause, so that a frequent cause does not crowd out
    the other causes."""
    agents = (several for name, several in attempts.items() if name not in MODELS_AT_FAULT)
    failed = [each for several in agents for each in several if each.trajectory.end == "failed"]
    seen: Counter[str] = Counter()
    ranked = []
    for each in failed:
        why = cause(each.trajectory)
        ranked.append((seen[why], each))
        seen[why] += 1
    return [each for _, each in sorted(ranked, key=itemgetter(0))]


def _unanswered(evidence: Evidence) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for name, why in PROBED.of(evidence).unanswered.items():
        if name not in REPORTED_BY_OTHERS:
            found[why].append(name)
    return found


REPORTED_BY_OTHERS = ("survey", "soak", "coverage")
"""Probes that EPI006 and RES002 report, and a probe that is slow because it traces every line."""
AS_A_WHOLE = {"seeds", "answer_key", "random_play", "lost_sandbox", "status"}
"""Probes without single attempts, which may take long."""


@check(
    "EPI008",
    "refusal-changes-world",
    fix="raise InvalidAction before changing anything. If the n-th refusal should end the episode, write `refusals: "
    "free, max_refusals: n` under `episode` and do not set `done`. If only some mistakes should cost something, "
    "make them legal calls without reward, and state the cost in the prompt. If every refusal costs something by "
    "design, list the finding under `exceptions`, and add examples that show what a refusal does not change",
    needs=[PROBED],
    after=["REW007"],
)
def refusal_changes_world(evidence: Evidence) -> Iterator[Hit]:
    """A refused call does not change the rest of the episode.

    The reply says that the call was refused, so the agent continues as if nothing had happened.
    """
    found = [*_ended_by_refusals(evidence), *_changed_by_refusals(evidence)]
    yield from found
    if not found and (why := probe(*REFUSALS).unmet(evidence)):
        yield skip(why)


def _ended_by_refusals(evidence: Evidence) -> Iterator[Hit]:
    for each in evidence.every_bare:
        for number, step in enumerate(each.steps, 1):
            if step.error == "invalid_action" and step.done and each.end == "terminated":
                what = f"step {number}, {_call(step)}, was refused and ended the episode"
                yield Hit(f"{named(each)}: {what}", each, place_of(each, step))
                break


def _changed_by_refusals(evidence: Evidence) -> Iterator[Hit]:
    for kind in REFUSALS:
        for each in PROBED.of(evidence).attempts.get(kind, []):
            refused, without = with_and_without(each)
            yield from _changed(refused, without, each.change["place"], evidence)


@check(
    "EPI009",
    "world-goes-on",
    fix="raise InvalidAction in every tool once done is set",
    needs=[PROBED],
    after=["EPI003"],
    level="warn",
)
def world_goes_on(evidence: Evidence) -> Iterator[Hit]:
    """After the end of an episode, the domain itself accepts no call that changes the return or the ending.

    Every variant refuses calls after the end, but a trainer may use the bare domain without a variant.
    """
    tried = [each for several in PROBED.of(evidence).attempts.values() for each in several]
    for each in tried:
        if each.after:
            message = f"after the end of {each.of}, {each.after}"
            yield Hit(message, each.trajectory, place_of(each.trajectory))
            return
    if not any(each.trajectory.end == "terminated" for each in tried):
        yield skip(TRIED.unmet(evidence) or "the world ended no episode of this probe")


def with_and_without(each: Attempt) -> tuple[Trajectory | None, Trajectory | None]:
    """Return an episode with a refused call and the same episode without that call."""
    pair = (each.trajectory, each.compared)
    return pair if each.probe == REFUSALS[0] else pair[::-1]


def before_step(without: Trajectory, place: int) -> str:
    """Return a clause such as "before step 3 of words/train/0 was refused", for a call inserted at ``place``."""
    return f"before step {place + 1} of {without.label} was refused"


def _changed(
    refused: Trajectory | None, without: Trajectory | None, place: int, evidence: Evidence
) -> Iterator[Hit]:
    """Yield the first difference that a refused call made, compared with the same episode without that call."""
    if refused is None or without is None or len(refused.steps) <= place:
        return
    step = refused.steps[place]
    if step.error != "invalid_action" or step.done or "failed" in (refused.end, without.end):
        return
    where = place_of(refused, step)
    what = f"{_call(step)} {before_step(without, place)}, and then"
    rest = [*refused.steps[:place], *refused.steps[place + 1 :]]
    text = ""
    for number, (one, other) in enumerate(zip(rest, without.steps, strict=False), 1):
        if refused.end == "truncated" and one.done != other.done:
            return  # the refused call was a turn
        if (one.error, one.done) != (other.error, other.done):
            now = f"step {number} was {_outcome(one)} instead of {_outcome(other)}"
            yield Hit(f"{what} {now}", refused, where)
            return
        if abs(one.reward - other.reward) > 1e-9:
            now = f"step {number} earned {one.reward:g} instead of {other.reward:g}"
            yield Hit(f"{what} {now}", refused, where)
            return
        if not text and _text(one, evidence) != _text(other, evidence):
            text = f"{what} step {number} shows a different observation"
    if len(rest) == len(without.steps) and refused.total != without.total:
        now = f"the return was {refused.total:g} instead of {without.total:g}"
        yield Hit(f"{what} {now}", refused, where)
    elif text:
        yield warn(text, refused, where)


def _outcome(step: Step) -> str:
    return step.error or ("the last" if step.done else "played")


def _call(step: Step) -> str:
    return show_calls([(step.tool, step.arguments)])


def _text(step: Step, evidence: Evidence) -> Any:
    # A picture's placeholder differs between policies and probes.
    shown = [each for each in answered(step, evidence) if not each.startswith("[image ")]
    return comparable(shown, evidence.declaration.varies)


@check(
    "EPI010",
    "solution-refused",
    fix="widen the schema or the rule to allow the solution, or make the oracle respect the schema and the rule",
    needs=[REFERENCE],
    plays=["oracle"],
    after=["ISO010", "WOR002", "WOR005"],
    trusts="runs",
)
def solution_refused(evidence: Evidence) -> Iterator[Hit]:
    """The domain refuses no call of the oracle.

    The tool's schema and the rules must allow the calls that solve a task.
    """
    for trajectory in (evidence.reference.episodes or {}).get("oracle", {}).values():
        high = top_of(evidence, trajectory)
        if high is not None and trajectory.total is not None and trajectory.total >= high - 1e-9:
            continue  # it continued and was rewarded
        for number, step in enumerate(trajectory.steps, 1):
            if step.error in ("invalid_arguments", "invalid_action"):
                what = f"step {number}, {_call(step)}, is refused: {shortened(step.text)}"
                yield Hit(f"{named(trajectory)}: {what}", trajectory, place_of(trajectory, step))
                break
    for each in evidence.probed.solved if evidence.probed else ():
        declared = evidence.declaration.reward_range
        high = declared[1] if each.best is None and declared else each.best
        if each.refused and high is not None and (each.total or 0.0) < high - 1e-9:
            yield Hit(f"the oracle on {each.task}: {each.refused}", place=Place(task=each.task))


@check(
    "EPI011",
    "unlisted-accepted",
    fix="look up the whole word in a set of items, instead of searching for it in the text of the file",
    needs=[probe("unlisted-other"), probe("unlisted-part", "unlisted-across")],
    after=["EPI008"],
    level="warn",
)
def unlisted_accepted(evidence: Evidence) -> Iterator[Hit]:
    """If only items of a list are accepted, fragments and concatenations of items are refused.

    `word in text` is also true for parts of words, unlike `word in text.split()`.
    """
    tried = PROBED.of(evidence).attempts
    if any(map(_accepted, tried["unlisted-other"])):
        yield skip("words that are in no list are accepted, so the list decides nothing")
        return
    for kind, what in (("part", "a part of an item"), ("across", "text where two items meet")):
        several = tried.get(f"unlisted-{kind}", [])
        taken = [each for each in several if _accepted(each)]
        if len(taken) > 1 and len(taken) * 2 >= len(several):
            shown = taken[0].trajectory
            step = shown.steps[-1]
            message = f"{_call(step)}, on {taken[0].of}, is accepted: {what} of a list, but not one of its items"
            yield Hit(message, shown, place_of(shown, step))


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
