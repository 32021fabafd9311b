"""Lists that are not the right one: with an item more, fewer, changed, at another place or as often as it is not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from skill_tools.evidence.grading.graded import VACUOUS
from skill_tools.graders.perturbations.probe import Guess, Must
from skill_tools.graders.templates.answer_templates import Template
from skill_tools.graders.templates.question import Question, items_of, write_items

STRANGE = "zqxv"
"""An item that no right answer has."""
STEPS = (" > ", "→", "->", " → ")
"""Marks between items that stand in an order."""
LABELLED = re.compile(r"\s*(?:\d{1,3}[.):]|[^:\n]{1,30}:)\s*\S")
"""A line that says itself which item it has."""
WAY = re.compile(
    r"(?i)\b(?:path|route|ladder|tour|walk|chain|way|journey)\b.{0,40}\b(?:from|between|to)\b"
)
"""How a prompt asks for a list in which each item leads to the next."""
COUNTED = re.compile(
    r"(?i)\bas (?:often|many times)\b|\bmultiplicit|\btwice\b|\beach time\b|\brepeat(?:ed|s)? (?:as|if)"
)
"""How a prompt says that an item may come several times."""
Written = tuple[str, Must, str, list[Any]]


def other_lists(question: Question, others: Sequence[str], frame: Template) -> Iterator[Guess]:
    """Lists that are wrong where ``question`` has a list as its right answer; ``others`` are those of other tasks."""
    items, between = items_of(question.gold)
    if question.is_open:
        for probe, how, made in _of_any(question, items):
            yield Guess(f"{VACUOUS}.{probe}", "wrong", how, frame.hold(write_items(made, between)))
        return
    found = [items_of(each)[0] for each in others]
    for probe, must, how, made in _lists(question, items, found, between):
        if made != items:
            yield Guess(probe, must, how, frame.hold(write_items(made, between)))


def _of_any(question: Question, items: list[Any]) -> Iterator[tuple[str, str, list[Any]]]:
    """Lists that are right to hardly any question, where several lists are right."""
    texts = len(items) > 1 and all(isinstance(each, str) for each in items)
    if texts and not question.given_away:
        yield "strange", "as many words without meaning", [STRANGE] * len(items)
        yield (
            "between",
            "with words without meaning between its ends",
            [items[0], STRANGE, items[-1]],
        )
        if WAY.search(question.prompt) and len(items) > 2:
            yield "ends", "its ends alone", [items[0], items[-1]]


def other_lines(question: Question, others: Sequence[str], frame: Template) -> Iterator[Guess]:
    """The same for an answer of several lines, each of which is an item."""
    lines = question.gold.split("\n")
    if len(lines) < 2 or question.is_open:
        return
    found = [each.split("\n") for each in others]
    for probe, must, how, made in _lists(question, lines, found, "\n"):
        if made != lines and probe != "union":
            yield Guess(f"lines.{probe}", must, how, frame.hold("\n".join(made)))
    mirrored = "\n".join(each[::-1] for each in lines)
    if mirrored != question.gold:
        how = "each of its lines the other way round"
        yield Guess("lines.mirrored", "wrong", how, frame.hold(mirrored))
    kept = [_with_label(each) for each in lines]
    if kept[0] != kept[-1]:
        yield Guess(
            "lines.values",
            "wrong",
            "its labels, and other values but the first",
            frame.hold("\n".join([lines[0], *kept[1:]])),
        )


def _with_label(line: str) -> str:
    """A line with another value after its label, or another line."""
    label, mark, _ = line.partition(":")
    return f"{label}{mark} {STRANGE}" if mark else STRANGE


def _lists(
    question: Question, items: list[Any], others: Sequence[list[Any]], between: str
) -> Iterator[Written]:
    foreign = _foreign(items, others)
    if len(items) > 1:
        yield "first", "wrong", "its first item alone", items[:1]
        yield from _in_other_order(question, items, between)
    more = [*map(str, items), *(str(each) for other in others for each in other)]
    if len(more) > len(items) or question.options:
        letters = [letter for letter, _ in question.options]
        offered = letters if {*map(str, items)} <= {*letters} else []
        union = list(dict.fromkeys([*more, *offered]))
        yield "union", "wrong", "all items of all answers", union
    if not items:
        return
    if len(items) > 2:
        yield "all-but-last", "wrong", "all but its last item", items[:-1]
        yield "all-but-first", "wrong", "all but its first item", items[1:]
        half = len(items) // 2
        yield (
            "all-but-middle",
            "wrong",
            "without an item in its middle",
            items[:half] + items[half + 1 :],
        )
    yield "more", "wrong", "with an item more", [*items, foreign]
    yield "more-first", "wrong", "with an item more before it", [foreign, *items]
    yield "other-last", "wrong", "with another last item", [*items[:-1], foreign]
    yield "other-first", "wrong", "with another first item", [foreign, *items[1:]]
    yield "others", "wrong", "as many items, none of which is right", [foreign] * len(items)
    yield "strange", "wrong", "as many words without meaning", [STRANGE] * len(items)
    yield from _under_labels(items)
    yield from _as_often(question, items, others)


def _under_labels(items: list[Any]) -> Iterator[Written]:
    """With the values of two labels exchanged, such as of ``x = 1`` and ``y = 2``."""
    parts = [re.fullmatch(r"(.{1,40}?\s?[=:]\s?)(\S.{0,80})", str(each)) for each in items]
    found = [each for each in parts if each]
    if len(found) == len(items) > 1 and found[0][2] != found[-1][2]:
        made = [f"{found[0][1]}{found[-1][2]}", *items[1:-1], f"{found[-1][1]}{found[0][2]}"]
        yield "exchanged", "wrong", "with the values of two labels exchanged", made


def _in_other_order(question: Question, items: list[Any], between: str) -> Iterator[Written]:
    says = question.says
    if "any_order" in says or not ("ordered" in says or between in STEPS):
        return
    if between == "\n" and all(LABELLED.match(str(each)) for each in items):
        return
    yield "backwards", "wrong", "its items the other way round", items[::-1]
    at = next((n for n in range(len(items) - 1) if items[n] != items[n + 1]), None)
    if at is not None and len(items) > 2:
        swapped = [*items[:at], items[at + 1], items[at], *items[at + 2 :]]
        yield "swapped", "wrong", "with two of its items exchanged", swapped
        ends = [items[0], *items[1:-1][::-1], items[-1]]
        yield "turned", "wrong", "with all between its ends the other way round", ends


def _as_often(
    question: Question, items: list[Any], others: Sequence[list[Any]]
) -> Iterator[Written]:
    """Items more or less often than in the right answer: wrong where how often an item comes tells something."""
    repeats = any(_repeats(each) for each in (items, *others)) or COUNTED.search(question.prompt)
    must: Must = "wrong" if repeats else "doubtful"
    if _repeats(items):
        once = list({str(each): each for each in items}.values())
        yield "once", "wrong", "each of its items once", once
    yield "again", must, "with one of its items once more", [*items, items[0]]
    yield "doubled", "doubtful", "each of its items twice", [*items, *items]


def _repeats(items: Sequence[Any]) -> bool:
    return len({str(each) for each in items}) < len(items)


def _foreign(items: Sequence[Any], others: Sequence[Sequence[Any]]) -> Any:
    """An item of another answer that is none of this one, of the same type; else a word without meaning."""
    own = {str(each).casefold() for each in items}
    kinds = {type(each) for each in items}
    found = (
        x for other in others for x in other if str(x).casefold() not in own and type(x) in kinds
    )
    first = next(found, None)
    if first is not None:
        return first
    numbers = all(isinstance(each, int | float) and not isinstance(each, bool) for each in items)
    return max(items) + 7 if numbers and items else STRANGE
