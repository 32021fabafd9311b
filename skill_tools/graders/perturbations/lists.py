"""Operators for lists, which add, remove, change, move or repeat an item."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from skill_tools.evidence.grading.graded import VACUOUS, Expectation
from skill_tools.graders.arithmetic import DASHES, plain
from skill_tools.graders.perturbations.operators import NAN, Guess, Operator, perturb
from skill_tools.graders.templates.answer_templates import Template
from skill_tools.graders.templates.question import (
    ARROWS,
    NONSENSE,
    Listed,
    Question,
    is_number,
    items_of,
    value_of,
)

LABELED = re.compile(r"\s*(?:\d{1,3}[.):]|[^:\n]{1,30}:)\s*\S")
"""Matches a line that states which item it holds."""
ROWS = re.compile(r"(?m)^\|.*\|$(?:\n^\|.*\|$)+")
"""Matches the rows of a table in Markdown."""
LINE_LABEL = re.compile(r"[*_ ]*[^\W\d_][\w ]{0,30}:")
"""Matches the label of a line."""
LABEL = re.compile(r"(.{1,40}?\s?[=:]\s?)(\S.{0,80})")
"""An item with a label, such as ``x = 1``."""
WAY = re.compile(
    r"(?i)\b(?:path|route|ladder|tour|walk|chain|way|journey)\b.{0,40}\b(?:from|between|to)\b"
)
"""Matches a prompt that asks for a list in which each item leads to the next."""
COUNTED = re.compile(
    r"(?i)\bas (?:often|many times)\b|\bmultiplicit|\btwice\b|\beach time\b|\brepeat(?:ed|s)? (?:as|if)"
)
"""Matches a prompt that allows repeated items."""
ONCE = re.compile(r"(?i)\bcounts? (?:only )?once\b|\bat most once\b|\bonly once\b")
"""Matches a prompt to which repeated items are one."""


@dataclass(frozen=True)
class Items:
    """A right answer that is a list, in its written form, with the lists of other tasks."""

    question: Question
    written: Listed
    others: Sequence[list[Any]]

    @property
    def items(self) -> list[Any]:
        """Return the items of the list."""
        return self.written.items

    @property
    def ordered(self) -> bool:
        """Return whether the prompt asks for an order that labels, such as numbers, do not already show."""
        says = self.question.says
        between = self.written.between
        if "any_order" in says or not (
            "ordered" in says or between.strip() in map(str.strip, ARROWS)
        ):
            return False
        return between != "\n" or not all(LABELED.match(str(each)) for each in self.items)

    @property
    def foreign(self) -> Any:
        """Return an item for a wrong list: an item of another answer, a larger number, or a meaningless word."""
        own = {plain(str(each)).casefold() for each in self.items}
        kinds = {type(each) for each in self.items}
        for each in (item for other in self.others for item in other):
            if plain(str(each)).casefold() not in own and type(each) in kinds:
                return each
        numbers = kinds <= {int, float} and self.items
        return max(self.items) + 7 if numbers else NONSENSE

    @property
    def numeric(self) -> bool:
        """Return whether all items are numbers."""
        return len(self.items) > 1 and all(is_number(str(each)) for each in self.items)

    @property
    def repeats(self) -> bool:
        """Return whether the number of occurrences of an item matters."""
        several = any(repeated(each) for each in (self.items, *self.others))
        prompt = self.question.prompt
        return several or bool(COUNTED.search(prompt) and not ONCE.search(prompt))

    @property
    def complete(self) -> bool:
        """Return whether the prompt asks for all items, or states their number, as in *all 7 names*."""
        return "every" in self.question.says or self.question.states(len(self.items))


PRECISE = re.compile(r"(?i)\bprecision\b|\bF1\b|\bshare of (?:your|the reply)")
"""Matches a prompt whose score also depends on how many of the given items are right."""
INTERVAL = re.compile(r"(?i)\b(?:interval|range|lower (?:end|bound)|between)\b")


def repeated(items: Sequence[Any]) -> bool:
    """Return whether an item occurs more than once."""
    return len({str(each) for each in items}) < len(items)


def _union(l: Items) -> list[Any] | None:
    letters = [letter for letter, _ in l.question.options]
    offered = letters if {*map(str, l.items)} <= {*letters} else []
    more = [*map(str, l.items), *(str(each) for other in l.others for each in other), *offered]
    if len({_ascii(each) for each in more}) == len({_ascii(each) for each in l.items}):
        return None  # all are right, perhaps in several spellings
    return list(dict.fromkeys(more))


def _alike(l: Items) -> list[str] | None:
    """Return all codes of the items' form in a text of the row or in the prompt, if the items are codes."""
    form: Callable[[Any], str] = lambda code: re.sub(
        r"\d", "9", re.sub(r"[A-Za-z]", "a", str(code))
    )
    forms, prompt = {form(each) for each in l.items}, l.question.prompt
    texts = (value for _, value in l.question.row if value in prompt != value)
    codes = re.findall(r"[^\s\"“”.,:;!?()]+", max(texts, key=len, default=prompt))
    found = [each for each in dict.fromkeys(codes) if form(each) in forms]
    return found if all("a" in each and "9" in each for each in forms) else None


def _ascii(item: Any) -> str:
    return str(item).translate(DASHES).casefold()


def _under_labels(l: Items) -> list[Any] | None:
    """Return the items with the values of the first and last "label: value" items swapped; None if impossible."""
    found = [each for item in l.items if (each := LABEL.fullmatch(str(item)))]
    if not len(found) == len(l.items) > 1 or found[0][2] == found[-1][2]:
        return None
    return [f"{found[0][1]}{found[-1][2]}", *l.items[1:-1], f"{found[-1][1]}{found[0][2]}"]


def _swapped(l: Items) -> list[Any] | None:
    pairs = range(len(l.items) - 1) if l.ordered and len(l.items) > 2 else range(0)
    at = next((n for n in pairs if l.items[n] != l.items[n + 1]), None)
    if at is None:
        return None
    return [*l.items[:at], l.items[at + 1], l.items[at], *l.items[at + 2 :]]


def _without(l: Items, at: int) -> list[Any] | None:
    return l.items[:at] + l.items[at + 1 :] if len(l.items) > 2 else None


def _list(
    name: str,
    what: str,
    make: Callable[[Items], list[Any] | None],
    must: Expectation | Callable[[Items], Expectation] = "wrong",
) -> Operator[Items]:
    """Return an operator from ``make``, which returns a changed list; the list is written like the right list."""

    def write(l: Items) -> str | None:
        made = make(l)
        return l.written.write(made) if made is not None and made != l.items else None

    return Operator(name, what, write, must)


def _backwards(l: Items) -> list[Any] | None:
    """Return the items in reverse order if their order matters. Of several right lists, others may be right then."""
    # The parts of a pattern may stand in any order.
    sure = not l.question.is_open or ("sorted" in l.question.says and l.written.between != "|")
    return l.items[::-1] if l.ordered and len(l.items) > 1 and sure else None


def _widest(l: Items) -> list[Any] | None:
    """Return an interval with a negative lower end, if the right list is an interval between positive numbers."""
    ends = [value_of(str(each)) for each in l.items] if l.numeric and len(l.items) == 2 else [0.0]
    asked = INTERVAL.search(l.question.prompt)
    return ["-1", "9e99"] if asked and 0 < ends[0] <= ends[-1] else None


def _first_cells(l: Items) -> list[Any] | None:
    rows = [re.fullmatch(r"(\s*\|[^|\n]{1,200}\|).*", str(each)) for each in l.items]
    known = [each[1] for each in rows if each]
    return known if len(known) == len(l.items) > 1 else None


def _of_more(l: Items) -> Expectation:
    """Return the expectation for an extra item.

    It changes nothing if the score is the share of the right ones, or if only one line with a label counts.
    """
    labels = [
        found[0].strip("*_ ")
        for each in (l.foreign, *l.items)
        if (found := LINE_LABEL.match(str(each)))
    ]
    again = l.written.between == "\n" and labels[:1] and labels[0] in labels[1:]
    share = "share" in l.question.says and not PRECISE.search(l.question.prompt)
    return "doubtful" if share or again else "wrong"


# fmt: off
NEVER_RIGHT: tuple[Operator[Items], ...] = (
    _list("backwards", "the items in reverse order", _backwards),
    _list(NAN, "NaN in place of each number", lambda l: [NAN] * len(l.items) if l.numeric else None),
    _list("widest", "an interval that contains everything", _widest),
    _list("cells", "each row of a table cut after its first cell", _first_cells),
)
"""Lists that are wrong whichever lists are right."""
INCOMPLETE: tuple[Operator[Items], ...] = (
    _list("first-half", "the first half of the items", lambda l: l.items[: len(l.items) // 2] if len(l.items) > 3 else None),
    _list("all-but-last", "all items but the last", lambda l: _without(l, len(l.items) - 1)),
    _list("first", "the first item alone", lambda l: l.items[:1] if len(l.items) > 1 else None),
    _list("filled", "the first item in place of all others", lambda l: None if l.question.is_open and l.repeats else [l.items[0]] * len(l.items)),
)
# fmt: on
"""Lists without all items. If the prompt asks for all items, they are wrong whichever lists are right."""
SURE_LISTS = (*NEVER_RIGHT, *INCOMPLETE)
"""Lists that are wrong for any question that asks for all items."""
UNION = _list("union", "all items of all answers", _union)
# fmt: off
LISTS: tuple[Operator[Items], ...] = (
    _list("swapped", "two items exchanged", _swapped),
    _list("turned", "all items between the first and the last in reverse order", lambda l: [l.items[0], *l.items[1:-1][::-1], l.items[-1]] if _swapped(l) else None),
    UNION,
    *SURE_LISTS,
    _list("all-but-first", "all items but the first", lambda l: _without(l, 0)),
    _list("all-but-middle", "an item in the middle removed", lambda l: _without(l, len(l.items) // 2)),
    _list("more", "an extra item at the end", lambda l: [*l.items, l.foreign], _of_more),
    _list("more-first", "an extra item at the start", lambda l: [l.foreign, *l.items], _of_more),
    _list("other-last", "the last item changed", lambda l: [*l.items[:-1], l.foreign]),
    _list("other-first", "the first item changed", lambda l: [l.foreign, *l.items[1:]]),
    _list("others", "the right number of items, all of them wrong", lambda l: [l.foreign] * len(l.items)),
    _list("strange", "the right number of meaningless words", lambda l: [NONSENSE] * len(l.items)),
    _list("alike", "all codes of this form in the prompt", _alike),
    _list("exchanged", "the values of two labels exchanged", _under_labels),
    _list("once", "each different item once", lambda l: list({str(each): each for each in l.items}.values())),
    _list("again", "one item repeated", lambda l: [*l.items, l.items[0]], lambda l: "wrong" if l.repeats else "doubtful"),
    _list("doubled", "each item twice", lambda l: [*l.items, *l.items], "doubtful"),
)
# fmt: on


def _words(l: Items, between: bool) -> list[Any] | None:
    """Return a list of words with nonsense in place of all items, or of the inner items if ``between`` is true.

    Return None for other lists.
    """
    texts = len(l.items) > 1 and all(isinstance(each, str) for each in l.items)
    if not texts or l.question.given_away:
        return None
    return [l.items[0], NONSENSE, l.items[-1]] if between else [NONSENSE] * len(l.items)


def _ends(l: Items) -> list[Any] | None:
    """Return only the first and last item, if the prompt asks for a path; otherwise None."""
    way = WAY.search(l.question.prompt) and len(l.items) > 2 and _words(l, True)
    return [l.items[0], l.items[-1]] if way else None


# fmt: off
OPEN_LISTS: tuple[Operator[Items], ...] = (
    _list("strange", "the right number of meaningless words", lambda l: _words(l, False)),
    _list("between", "the first and last words kept, with meaningless words between them", lambda l: _words(l, True)),
    _list("ends", "its ends alone", _ends),
)
# fmt: on
"""Lists that are wrong for almost every question, if several lists are right."""


LINES = tuple(each for each in LISTS if each is not UNION)
"""Lists that are wrong, as above, for an answer in which each line is an item."""


def other_lists(question: Question, others: Sequence[str], frame: Template) -> Iterator[Guess]:
    """Yield wrong lists, if the question's right answer is a list; ``others`` are the answers of other tasks."""
    written = items_of(question.gold)
    if question.is_open:
        subject = Items(question, written, ())
        yield from perturb(OPEN_LISTS, subject, frame.hold, f"{VACUOUS}.")
        yield from perturb(SURE_LISTS if subject.complete else NEVER_RIGHT, subject, frame.hold)
    elif written.items:
        subject = Items(question, written, [items_of(each).items for each in others])
        yield from perturb(LISTS, subject, frame.hold)


def _lines_of(gold: str) -> Listed:
    """Return the lines of an answer, or only the rows of the table in it."""
    if found := ROWS.search(gold):
        return Listed(found[0].split("\n"), "\n", gold[: found.start()], gold[found.end() :])
    return Listed(gold.split("\n"), "\n")


def other_lines(question: Question, others: Sequence[str], frame: Template) -> Iterator[Guess]:
    """Yield wrong lines, if the question's right answer has several lines."""
    lines = question.gold.split("\n")
    if len(lines) > 1 and not any(line.startswith("```") for line in lines):
        subject = Items(question, _lines_of(question.gold), [e.split("\n") for e in others])
        table = LINES if not question.is_open else SURE_LISTS if subject.complete else NEVER_RIGHT
        yield from perturb(table, subject, frame.hold, "lines.")
