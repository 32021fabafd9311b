"""WOR: whether turns, attempts and bounds match the texts, and whether all tools are needed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from skill_tools.checks.check import Hit, Place, check, note, skip, warn
from skill_tools.checks.needs import MAX_TURNS, REFERENCE, TOOLS, probe
from skill_tools.checks.reading.episodes import named, shortened
from skill_tools.checks.reading.probed import top_of
from skill_tools.checks.rules.words.schemas import NUMBERS, as_number
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.trajectory import Step, Trajectory
from skill_tools.spec.model import MESSAGE

_NUMBER = rf"(?P<number>\d+|{'|'.join(NUMBERS)})"
_PROMISE = re.compile(
    rf"\b(?:you (?:have|get)|within|at most|up to|no more than|in|after|only|limit(?:ed)? (?:of|to)|maximum of)"
    rf"\s+(?:only |exactly |at most |up to |a total of )*{_NUMBER}\s+"
    r"(?P<unit>(?:tool |more )?(?:turns?|calls?|steps?|actions?|messages?|moves?|guess(?:es)?|tries|attempts?|clicks?"
    r"|questions?|digs?|queries|shots?))\b"
    r"(?!\s+(?:more|fewer|less) than\b|\s+to spare\b"
    r"|\s+(?:per|(?:(?:in|for|on) )?(?:each|every)) (?!episode|game|task))"
    r"(?:\s+(?:left|remain\w*|in all|in total|altogether)?)?",
    re.IGNORECASE,
)
_TIMES = re.compile(
    rf"\b(?:can|may|must)\s+(?P<unit>[a-z]+)\s+(?:only |at most |up to )*{_NUMBER}\s+times\b",
    re.IGNORECASE,
)
TURNS = ("turn", "call", "step", "action", "message")
"""Words for any turn of an episode, whatever tool it calls."""
_OUTSIDE = re.compile(r"\b(range|between|bounds?|outside|must be|from .* to)\b", re.IGNORECASE)
_LEFT = re.compile(
    rf"\b(?:(?P<before>\d+|{'|'.join(NUMBERS)}) (?:[a-z]+ ){{1,2}}(?:left|remain\w*)"
    rf"|(?:[a-z]+ ){{1,2}}(?:left|remaining): (?P<after>\d+))\b",
    re.IGNORECASE,
)


@check(
    "WOR005",
    "promised-moves",
    fix="use the same number in the prompt, the domain and episode.max_turns",
    needs=[REFERENCE, MAX_TURNS],
    after=["EPI008"],
)
def promised_moves(evidence: Evidence) -> Iterator[Hit]:
    """An episode has exactly as many turns as the prompt promises.

    A model plans with the number in its prompt.
    """
    reported: set[str] = set()
    promised = False
    several = [
        trajectory
        for policy, by_label in REFERENCE.of(evidence).items()
        for trajectory in (by_label.values() if policy in ("random", "noop", "oracle") else ())
    ]
    for trajectory in several:
        opening = trajectory.opening
        for found in _most_by_unit((*_PROMISE.finditer(opening), *_TIMES.finditer(opening))):
            if MAX_TURNS.of(evidence) == 1 and not found["unit"].startswith(("turn", "message")):
                continue  # of these, the only reply may have several
            promised = True
            hit = _broken_promise(evidence, found, trajectory)
            if hit and hit.message not in reported:
                reported.add(hit.message)
                yield hit
    if not promised:
        yield skip("no opening promises a number of turns or attempts")


def _most_by_unit(found: Iterable[re.Match[str]]) -> Iterable[re.Match[str]]:
    """Return the promise with the largest number for each unit, such as "moves".

    Smaller numbers concern only a part of the episode, as in `two moves to spare`.
    """
    most: dict[str, re.Match[str]] = {}
    for each in found:
        unit = each["unit"].lower().rstrip("s")
        if unit not in most or as_number(each["number"]) > as_number(most[unit]["number"]):
            most[unit] = each
    return most.values()


def _broken_promise(evidence: Evidence, found: re.Match[str], trajectory: Trajectory) -> Hit | None:
    number, unit = as_number(found["number"]), found["unit"].lower().removeprefix("more ")
    limit, what = MAX_TURNS.of(evidence), " ".join(found[0].split())
    label = trajectory.label
    place = Place(task=label)
    if number < 1:
        return None
    generic = unit.removeprefix("tool ").rstrip("s") in TURNS
    if number > limit:
        message = f"the prompt says {what!r}, but an episode ends after {limit} turns"
        return Hit(message, trajectory, place)
    if generic:
        return None
    stem = re.sub(r"(?:es|ies|s)$", "", unit)[:5]
    tools = [tool for tool in evidence.declaration.parameters if stem and stem in tool]
    with_values = [tool for tool, values in evidence.declaration.parameters.items() if values]
    if not tools and len(with_values) == 1 and with_values != [MESSAGE]:
        tools = with_values  # a message may be anything, but a call of the only tool is what the unit names
    if not tools:
        return None
    place = Place(task=label, tool=tools[0])
    ends: list[tuple[int, Trajectory]] = []
    for each in _episodes(evidence, label):
        accepted = [step for step in each.steps if not step.error]
        counts = [step for step in accepted if step.tool in tools]
        if len(counts) > number:
            message = f"the prompt says {what!r}, but {named(each)} has {len(counts)} of them"
            return Hit(message, each, place)
        if _lost(evidence, each) and len(counts) == len(accepted):
            ends.append((len(counts), each))
    if (
        len(ends) >= 3
        and len({count for count, _ in ends}) == 1
        and number > ends[0][0] >= number / 2
    ):
        count, each = ends[0]
        message = f"the prompt says {what!r}, but {named(each)} ended after {count} of them"
        return Hit(message, each, place)
    others = _elsewhere(evidence, label, tools)
    if others and number + len(others) > limit:
        message = (
            f"the prompt says {what!r}, but if {', '.join(others)} also cost turns, as in the oracle's "
            f"episode, the limit of {limit} turns comes first: does the prompt mention all of them?"
        )
        return warn(message, REFERENCE.of(evidence)["oracle"][label], place)
    return None


def _elsewhere(evidence: Evidence, label: str, tools: Sequence[str]) -> list[str]:
    """Return the tools that the oracle called on a task and that are not in ``tools``. Leave out refused calls."""
    solved = (evidence.reference.episodes or {}).get("oracle", {}).get(label)
    steps = solved.steps if solved else []
    return [step.tool for step in steps if not step.error and step.tool not in tools]


def _episodes(evidence: Evidence, label: str) -> Iterator[Trajectory]:
    for by_label in (evidence.reference.episodes or {}).values():
        if label in by_label:
            yield by_label[label]
    for several in (evidence.probed.attempts if evidence.probed else {}).values():
        yield from (each.trajectory for each in several if each.of == label)


def _lost(evidence: Evidence, each: Trajectory) -> bool:
    there = each.end == "terminated" and each.total is not None
    return there and each.total != top_of(evidence, each)


@check(
    "WOR006",
    "tool-never-needed",
    fix="remove the tool, or use it in a solution of the oracle or in an example",
    needs=[REFERENCE, TOOLS],
    after=["REW002"],
    level="note",
)
def tool_never_needed(evidence: Evidence) -> Iterator[Hit]:
    """Every tool is called in some solution or worked example.

    A useless tool distracts the model. A useful tool that no solution calls belongs to an untested rule.
    """
    used = {s.tool for t in REFERENCE.of(evidence).get("oracle", {}).values() for s in t.steps}
    shown = {step.tool for each in evidence.reference.examples_replay or () for step in each.steps}
    left = [tool for tool in evidence.declaration.parameters if tool not in used | shown]
    if not used:
        yield skip("the oracle called no tool")
    elif left:
        place = Place(tool=left[0] if len(left) == 1 else "")
        yield note(f"the oracle never calls {', '.join(left)}", place=place)


@check(
    "WOR007",
    "allowed-call-refused",
    fix="narrow the schema to what the rules accept, or accept what the schema allows",
    needs=[probe("edge"), TOOLS],
    after=["WOR002"],
)
def allowed_call_refused(evidence: Evidence) -> Iterator[Hit]:
    """The domain accepts a whole number that equals a bound in the parameter's schema.

    Otherwise the schema and the rules differ by one. For example, the agent cannot play the last column.
    """
    played = [*evidence.every_bare, *(evidence.reference.examples_replay or ())]
    taken: set[tuple[str, str, Any]] = set()
    refused: dict[tuple[str, str, Any], list[tuple[Step, Trajectory]]] = {}
    for step, shown in ((step, each) for each in played for step in each.steps):
        for name, value in (step.arguments if isinstance(step.arguments, dict) else {}).items():
            schema = evidence.declaration.parameters.get(step.tool, {}).get(name, {})
            bounds = (schema.get("minimum"), schema.get("maximum"))
            if schema.get("type") != "integer" or value not in bounds:
                continue
            if step.error is None:
                taken.add((step.tool, name, value))
            elif step.error == "invalid_action" and _OUTSIDE.search(step.text):
                refused.setdefault((step.tool, name, value), []).append((step, shown))
    if not taken and not refused:
        yield skip(
            "no call had a whole number at a bound of its schema, or the rules did not judge the call"
        )
    for key, several in refused.items():
        if key in taken:
            continue
        tool, name, value = key
        if not (several := [pair for pair in several if not _of_another(pair[0], name)]):
            continue
        first, shown = several[0]
        said = f"{tool}({name}={value}) is at its schema's bound and was refused: {shortened(first.text)}"
        place = Place(shown.label, tool, name)
        if len(evidence.declaration.parameters[tool]) == 1:
            yield Hit(said, shown, place)
            continue
        said += f"; the call was {first.arguments}"
        # One argument may bound another: a box's left edge must be left of its right edge.
        sure = len({str(step.arguments) for step, _ in several}) > 2
        yield Hit(said, shown, place, None if sure else "warn")


def _of_another(step: Step, name: str) -> bool:
    """Return whether a refusal names another argument of the call, or its value, but not this one."""
    words = set(re.findall(r"\d+|[a-z]+", step.text.lower()))
    stems = {each.rstrip("s") for each in words}
    named = [n for n, v in step.arguments.items() if str(v) in words or n.rstrip("s") in stems]
    return bool(named) and name not in named


@check(
    "WOR008",
    "wrong-count-left",
    fix="decrement the counter before you build the text, and count the same things that the rules count",
    needs=[REFERENCE],
    after=["EPI008", "WOR005"],
)
def wrong_count_left(evidence: Evidence) -> Iterator[Hit]:
    """If an observation states how many attempts are left, the number is right.

    If the number is one too high, a model plans with an attempt that it does not have.
    """
    low = evidence.declaration.reward_range[0] if evidence.declaration.reward_range else 0.0
    wrong: list[Hit] = []
    cut: list[Hit] = []
    counts: set[int] = set()
    counted = False
    for each in evidence.every_bare:
        steps = [step for step in each.steps if step.error != "episode_over"]
        if each.total is None or len(steps) < 2 or any(step.error for step in steps):
            continue
        if each.end == "truncated" and len({step.tool for step in steps}) == 1:
            left, said = _stated_left(evidence, steps[-1].text, steps[-1].tool)
            counted = counted or bool(said)
            if left:
                message = f"{named(each)}: the turn limit came right after the text {said!r}"
                cut.append(Hit(message, each, Place(task=each.label, tool=steps[-1].tool)))
            continue
        if each.end != "terminated" or each.total > max(low, 0.0) + 1e-9:
            continue  # only in a lost game are no attempts left
        left, said = _stated_left(evidence, steps[-2].text, steps[-1].tool)
        if said:
            counts.add(left)
        if left > 1:
            message = f"{named(each)}: the text says {said!r} before the last of {len(steps)} steps"
            wrong.append(Hit(message, each, Place(task=each.label, tool=steps[-1].tool)))
    # Games that end with several counts left end for another reason: no one is left to bargain with.
    found = [*cut, *(wrong if len(counts) == 1 else ())]
    if len(found) > 2:
        yield found[0]
    elif not counted and not counts:
        yield skip("no lost or truncated episode states how many calls are left")


def _stated_left(evidence: Evidence, text: str, tool: str) -> tuple[int, str]:
    """Return the number of remaining calls of a tool that a text states, and the words that state the number.

    Returns 0 and "" if no words state a number. Words that match another tool's name better, such as
    `closer looks`, are about the other tool.
    """
    found = next(reversed(list(_LEFT.finditer(text))), None)
    stems = _stems(found[0]) if found else []
    fits = {name: sum(stem in name for stem in stems) for name in evidence.declaration.parameters}
    if found is None or not fits.get(tool) or fits[tool] < max(fits.values()):
        return 0, ""
    return as_number(found["before"] or found["after"]), found[0]


def _stems(text: str) -> list[str]:
    return [word.lower()[:3] for word in re.findall(r"[A-Za-z]{3,}", text)]


CHECKS = (promised_moves, tool_never_needed, allowed_call_refused, wrong_count_left)
