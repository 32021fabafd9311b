"""OBS: whether an agent must look at the pictures that it is shown."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from skill_tools.checks.check import Hit, Place, check, skip
from skill_tools.checks.needs import PICTURES, PROBED, REFERENCE, TOOLS, probe
from skill_tools.checks.reading.episodes import named
from skill_tools.evidence.calls import decided, point_of, whole_numbers
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.trajectory import Trajectory, return_of

LEAST = 3
"""Minimum tasks with the answer in words, and minimum distinct numbers, to rule out chance."""
MUCH = 0.5
"""Minimum share of tasks with the answer in words: in some tasks, words may be the point."""
SAME = 6
"""Minimum tasks in which one number follows from another, to rule out chance."""
RISING = 5
"""Minimum tasks for an order that chance gives once in 120, for each of the two axes."""


@check(
    "OBS007",
    "picture-not-needed",
    fix="remove from the text whatever the picture should show, such as positions",
    needs=[REFERENCE, PICTURES],
    after=["ISO005", "ISO006"],
    trusts="runs",
    level="warn",
)
def picture_not_needed(evidence: Evidence) -> Iterator[Hit]:
    """If pictures are shown, no text contains the position or number that the rewarded call needs.

    Otherwise a model reads the value in the text, or learns that the text is always off by one. The model then
    never learns to look at the picture.
    """
    oracle = (evidence.reference.episodes or {}).get("oracle", {})
    answers: dict[str, tuple[Trajectory, str]] = {}
    clicked: set[str] = set()
    seen: set[str] = set()
    for each in evidence.pictured:
        given = decided(oracle[each.label]) if each.label in oracle else {}
        seen.add(each.label)
        if not (place := _place(given)):
            continue
        clicked.add(each.label)
        if each.label not in answers and (text := _says(each, place)):
            answers[each.label] = each, f"{named(each)}: {text!r} contains the position in {given}"
    if len(answers) >= max(LEAST, len(oracle) * MUCH):
        shown, message = next(iter(answers.values()))
        message += f" ({len(answers)} of {len(oracle)} tasks)"
        yield Hit(message, shown, Place(task=shown.label))
    elif rising := _rising(oracle.values()):
        shown, message = rising
        message += ": across tasks, these numbers rise with the positions of the clicks"
        yield Hit(message, shown, Place(task=shown.label))
    elif told := _told_in_numbers([oracle[label] for label in sorted(seen & oracle.keys())]):
        shown, message = told
        yield Hit(message, shown, Place(task=shown.label))
    elif len(clicked) < LEAST and len(seen & oracle.keys()) < SAME:
        yield skip(
            f"too few tasks show a picture: fewer than {LEAST} are decided by a position in the picture, "
            f"and the oracle played fewer than {SAME}"
        )


Slot = tuple[str, int, int, int]
"""The position of a number: its tool or the opening, the tool's call, the count of numbers there, and its index."""


def _told_in_numbers(solved: Sequence[Trajectory]) -> tuple[Trajectory, str] | None:
    """Return a solution, and how the number in its deciding call follows from a shown text.

    The number must follow by the same addition or subtraction in every solution. Otherwise the result is None.
    """
    counted = [each for each in solved if len(whole_numbers(decided(each))) == 1]
    answers = [next(iter(whole_numbers(decided(each)).values())) for each in counted]
    if len(counted) < SAME or len(set(answers)) < LEAST:
        return None
    told = [_numbers_told(each) for each in counted]
    for slot in sorted(set.intersection(*map(set, told))):
        for sign in (1, -1):
            apart = {a - sign * found[slot] for a, found in zip(answers, told, strict=True)}
            if len(apart) == 1:
                (more,) = apart
                where = slot[0] if slot[0] == "the opening" else f"the reply of {slot[0]}()"
                rule = f"{'' if sign > 0 else '-'}{told[0][slot]}{f' {more:+d}' if more else ''}"
                message = (
                    f"{named(counted[0])}: {decided(counted[0])} follows from a number in "
                    f"{where} ({rule}), by the same rule in all {len(counted)} tasks that show a picture and "
                    "are decided by a number"
                )
                return counted[0], message
    return None


def _numbers_told(each: Trajectory) -> dict[Slot, int]:
    """Return the numbers shown before the deciding call, by position. Leave out numbers that the agent had used."""
    texts, said = [("the opening", 0, each.question)], set[int]()
    found: dict[Slot, int] = {}
    made: Counter[str] = Counter()
    last = decided(each)
    for step in each.steps:
        if step.arguments == last:
            break
        texts.append((step.tool, made[step.tool], step.text))
        made[step.tool] += 1
        said |= set(whole_numbers(step.arguments).values())
    for tool, nth, text in texts:
        numbers = [int(number[:9]) for number in re.findall(r"\d+", text)]
        for at, number in enumerate(numbers):
            if number not in said:
                found[tool, nth, len(numbers), at] = number
    return found


def _rising(solved: Iterable[Trajectory]) -> tuple[Trajectory, str] | None:
    """Return a solution and its text if the numbers in all solutions' texts rise with the targets' x and y."""
    found: list[tuple[tuple[int, int], list[int], Trajectory, str]] = []
    for each in solved:
        paid = next((n for n, step in enumerate(each.steps) if step.reward > 0), 0)
        point = point_of(each.steps[paid].arguments) if each.steps else None
        numbers, text = _said_of_first(each, paid)
        if point and numbers:
            found.append((point, numbers, each, f"{named(each)}: {text!r}"))
    if len(found) < RISING:
        return None
    count = min(len(numbers) for _, numbers, *_ in found)
    across, down = (
        any(
            _in_order([(point[axis], numbers[at]) for point, numbers, *_ in found])
            for at in range(count)
        )
        for axis in (0, 1)
    )
    return found[0][2:] if across and down else None


def _said_of_first(each: Trajectory, paid: int) -> tuple[list[int], str]:
    """Return the numbers in a shown text, and the text itself.

    The text comes before step ``paid`` and repeats two neighboring words of the opening.
    """
    shown = "\n".join(step.text for step in each.steps[:paid])
    words = re.findall(r"[a-z]+", each.question.lower())
    for one, other in pairwise(words):
        for said in re.finditer(rf"\b{one} {other}\b[^;\n]{{0,60}}", shown.lower()):
            if len(numbers := re.findall(r"\d+", said[0])) > 1:
                return [int(number) for number in numbers], said[0]
    return [], ""


def _in_order(pairs: list[tuple[int, int]]) -> bool:
    """Return whether the pairs' second numbers rise with the first numbers.

    The result is False if there are too few different second numbers.
    """
    order = [number for _, number in sorted(pairs)]
    return order == sorted(order) and len(set(order)) >= LEAST


def _place(given: Any) -> list[int]:
    """Return the whole numbers in a call's arguments, or [] if there are fewer than two numbers."""
    numbers = list(whole_numbers(given).values())
    return numbers if len(numbers) > 1 else []


def _says(trajectory: Trajectory, place: list[int]) -> str:
    """Return the first shown text that contains the numbers of a position close together, or "".

    Texts count only until the agent makes a call with these numbers, because later texts may repeat the numbers.
    """
    near = r"\D{1,12}".join(rf"(?<!\d){number}(?!\d)" for number in place)
    shown = [trajectory.opening]
    for step in trajectory.steps:
        if _place(step.arguments) == place:
            break
        shown.append(step.text)
    found = next(filter(None, (re.search(rf".{{0,30}}{near}", text) for text in shown)), None)
    return found[0] if found else ""


@check(
    "OBS008",
    "shape-not-hit",
    fix="draw a shape and judge clicks on it by the same geometry",
    needs=[probe("same-shape")],
    after=["RES004", "OBS002", "OBS003"],
    level="warn",
)
def shape_not_hit(evidence: Evidence) -> Iterator[Hit]:
    """If a click on a shape is rewarded, a click near each of the shape's ends is rewarded too.

    Otherwise the drawn shape differs from the shape in the rules: it is upside down, too large, or displaced.
    """
    found = PROBED.of(evidence).attempts["same-shape"]
    made = [each for each in found if each.trajectory.steps and not each.trajectory.failure]
    missed = [each for each in made if each.trajectory.steps[-1].reward <= 0]
    if not made:
        yield skip("every additional click on a shape failed with an error")
    if len({each.of for each in missed}) > 1:
        shown, of = missed[0].trajectory, missed[0].of
        message = (
            f"{missed[0].words}, on {of}: it earned nothing, on the same shape as the oracle's click "
            f"({len(missed)} of {len(found)})"
        )
        yield Hit(message, shown, Place(task=of, tool=shown.steps[-1].tool))


_COSTS = re.compile(
    r"\b(?:every|each|any|a) (?:tool )?(?:call|action|look|move)\b[^.]{0,50}\b(?:turn|costs?|counts?|uses?|spends?)\b"
    r"|\blook\w*[^.]{0,60}\b(?:costs?|counts?|uses?|spends?|turns?)\b",
    re.IGNORECASE,
)
"""Words that state that a look costs something or uses up a turn."""


@check(
    "OBS004",
    "look-shows-the-old",
    fix="draw and describe the current world each time the agent looks",
    needs=[probe("look-between")],
    level="warn",
)
def look_shows_the_old(evidence: Evidence) -> Iterator[Hit]:
    """A look after a rewarded call shows a different picture than a look before the call.

    Otherwise a model that looks concludes that nothing has happened.
    """
    stale: list[Hit] = []
    fresh = 0
    for each in PROBED.of(evidence).attempts["look-between"]:
        pictures = [_picture_of(step.text) for step in each.trajectory.steps if not step.error]
        kept = [picture for picture in pictures if picture]
        paid = sum(step.reward > 0 for step in each.trajectory.steps[:-1])
        if len(kept) > 1 and paid:
            fresh += len(set(kept)) > 1
            if len(set(kept)) == 1:
                message = f"{each.words}, on {each.of}: the picture stays the same although {paid} calls earned reward"
                stale.append(Hit(message, each.trajectory, Place(task=each.of)))
    if len(stale) > 1 and not fresh:
        yield stale[-1]
    elif not stale and not fresh:
        yield skip("no policy looked at a picture before and after a call that earned reward")


@check(
    "OBS006",
    "looking-costs",
    fix="make a look cost only its turn, or state its cost in the tool's description",
    needs=[probe("look-first"), TOOLS],
)
def looking_costs(evidence: Evidence) -> Iterator[Hit]:
    """Looking does not use up moves or lower the return, unless the text states this cost.

    Otherwise a model that looks before it acts, as it should, is at a disadvantage.
    """
    described = " ".join(str(tool.get("description", "")) for tool in TOOLS.of(evidence))
    if _COSTS.search(f"{evidence.declaration.prompt or ''} {described}"):
        yield skip("the text states the cost of looking")
        return
    pairs = [
        (each, each.compared)
        for each in PROBED.of(evidence).attempts["look-first"]
        if each.compared and None not in (each.trajectory.total, each.compared.total)
    ]
    ended = [pair for pair in pairs if pair[0].trajectory.end == "terminated"]
    if not ended:
        yield skip("no solution ended after additional looks")
    lost = [pair for pair in ended if return_of(pair[0].trajectory) < return_of(pair[1]) - 1e-9]
    if len(lost) > 1:
        each, without = lost[0]
        message = (
            f"{each.words}, on {each.of}: with additional looks the solution returned "
            f"{each.trajectory.total:g} instead of {without.total:g}"
        )
        yield Hit(message, each.trajectory, Place(task=each.of))


def _picture_of(text: str) -> str:
    found = re.search(r"\[image (\w+)\]", text)
    return found[1] if found else ""


CHECKS = (
    picture_not_needed,
    shape_not_hit,
    look_shows_the_old,
    looking_costs,
)
