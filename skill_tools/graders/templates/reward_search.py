"""Find right replies that no column holds: the grader is a grey box, whose constants are the dictionary and whose
rewards are the guide."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, permutations
from typing import Any

from skill_tools.evidence.grading.graded import CLOSE
from skill_tools.graders.grader_client import Grader, GradeRequest, spread
from skill_tools.graders.templates.answer_templates import BARE, SLOT, Template, frames_of
from skill_tools.graders.templates.question import NONSENSE, Question, kind_of
from skill_tools.graders.templates.row_values import RowValue, row_values
from skill_tools.graders.templates.template_search import LOOKED, Framed

FIRST = 2
"""Number of tasks for the first attempts."""
FRAMES = 5
"""Maximum templates to try, the likeliest."""
MOST = 500
"""Maximum replies to a task."""
PARTS = 4
"""Maximum ways to join with each other."""
KEPT = 12
"""Maximum ways of making a reply to try on more tasks, those with the highest rewards."""
MOSTLY = 0.6
"""Share of the tasks that a way must be rewarded on."""
BEGINNING = 60
"""Characters by which a text shows that it repeats the question."""
WORD = re.compile(r"[A-Za-z][\w /+-]{0,29}")
MOST_WORDS = 30
"""Maximum words of the grader to try as answers."""
BLANKS = re.compile(r"\\s[*+?]?|\[ \\t\][*+?]?|\^|\$|\(\?\w\)|\\b|\\A|\\Z")
"""Matches parts of a regular expression that need no letter."""
GROUP = re.compile(r"\((?:\?P<\w+>)?(?!\?)[^()]*(?:\([^()]*\)[^()]*)*\)")
"""Matches a group, which may have groups in it."""


@dataclass(frozen=True)
class GreyBox:
    """The rows by task, and the texts in a grader's code."""

    rows: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    constants: tuple[str, ...] = ()

    def frames(self, questions: Sequence[Question]) -> list[Template]:
        """Return the templates to try: those in the code that the prompt has too, those in the prompt, and others."""
        prompt = questions[0].prompt
        own = list(dict.fromkeys(filter(None, map(_frame, self.constants))))
        named = [
            each for each in own if all(p.strip() in prompt for p in each.template.split(SLOT))
        ]
        others = frames_of(questions)
        said = [each for each in others if each.said]
        rest = [each for each in own if each not in named]
        found = {each.template: each for each in (*named, *said, BARE, *rest, *others)}
        return list(found.values())[:FRAMES]

    @property
    def words(self) -> list[str]:
        """The constants that may be an answer, such as a label."""
        return [each for each in self.constants if WORD.fullmatch(each)][:MOST_WORDS]


def _frame(constant: str) -> Template | None:
    """Return the template that a constant shows: a tag, a label, or a pattern with a group."""
    if tag := re.fullmatch(r"<(\w{1,20})>", constant):
        return Template(f"in <{tag[1]}> tags", f"<{tag[1]}>{SLOT}</{tag[1]}>", said=True)
    if "\n" in constant.strip("\n") or len(constant) > 200:
        return None
    group = GROUP.search(constant)
    before, after = (
        (constant[: group.start()], constant[group.end() :]) if group else (constant, "")
    )
    text = [
        re.sub(r"\\(\W)", r"\1", BLANKS.sub("", each).replace("\\n", "\n"))
        for each in (before, after)
    ]
    label = group is None and re.fullmatch(r"[A-Z][\w ]{0,30}: ?", text[0])
    if not (group or label) or not text[0].strip() or re.search(r"[\\\[\](){}*+?|]", "".join(text)):
        return None
    gap = " " if text[0].endswith(":") else ""
    return Template(f"after {text[0].strip()}", f"{text[0]}{gap}{SLOT}{text[1]}", said=True)


def search_replies(questions: Sequence[Question], box: GreyBox, grade: Grader) -> Framed | None:
    """Return the questions with the replies that earn most, and their template; None if nothing is rewarded.

    The search submits everything on a few tasks, what raises the reward on more, and the best on all.
    """
    known = [each for each in questions if each.label in box.rows]
    if len(known) < FIRST:
        return None
    search = _Search(known, box, grade)
    kept = search.tried(spread(known, FIRST), dict.fromkeys(search.frames))
    if kept:
        kept = search.tried(spread(known, LOOKED), {**kept, **search.joined(kept)})
    kept = search.tried(known, kept) if kept else {}
    if not kept:
        return None
    (frame, _), (found, paid) = max(kept.items(), key=lambda each: (each[1][1], -len(each[0][1])))
    answered = [_answered(each, found[each.label]) for each in known if each.label in found]
    if len({each.gold for each in answered}) < min(2, len(answered)):
        return None  # the same reply for every task: form is rewarded
    return Framed(frame, answered, paid, whole=True, paid=paid)


Ways = dict[tuple[Template, str], tuple[dict[str, RowValue], float]]
"""The best values of a way in a template by task, and the mean gain."""


class _Search:
    def __init__(self, known: Sequence[Question], box: GreyBox, grade: Grader) -> None:
        self.grade = grade
        self.frames = box.frames(known)
        self.values = {
            each.label: list(
                _few(row_values(box.rows[each.label], each.prompt, box.words), each.prompt)
            )
            for each in known
        }

    def joined(self, kept: Ways) -> dict[tuple[Template, str], None]:
        """Add what two rewarded ways make together, one after the other, if neither earns all; return their names."""
        best = list(kept)[:PARTS]
        if max(gain for _, gain in kept.values()) >= 1 - CLOSE:
            return {}
        made: dict[tuple[Template, str], None] = {}
        for (frame, one), (other_frame, other) in permutations(best, 2):
            if frame != other_frame or one == other:
                continue
            way = f"{one}, then {other}"
            made[frame, way] = None
            for values in self.values.values():
                first, second = (
                    next((v for v in values if v.way == each), None) for each in (one, other)
                )
                if first and second:
                    values.append(RowValue(way, f"{first.text}\n{second.text}"))
        return made

    def tried(self, tasks: Sequence[Question], kept: Mapping[Any, Any]) -> Ways:
        """Return the ways that are rewarded on most of these tasks; ``kept`` are templates, or ways in templates."""
        plan: list[tuple[str, Template, RowValue]] = []
        for each in tasks:
            tries = (
                (each.label, frame, value)
                for frame in self.frames
                for value in self.values[each.label]
                if frame in kept or (frame, value.way) in kept
            )
            plan += islice(tries, MOST)
        empty = [(each.label, frame) for each in tasks for frame in self.frames]
        asks = [GradeRequest(label, frame.hold(NONSENSE)) for label, frame in empty]
        asks += [GradeRequest(label, frame.hold(value.text)) for label, frame, value in plan]
        earned = [each.paid or 0.0 for each in self.grade(asks)]
        floor = dict(zip(empty, earned, strict=False))
        best: dict[tuple[Template, str], dict[str, tuple[float, RowValue]]] = {}
        for (label, frame, value), paid in zip(plan, earned[len(empty) :], strict=True):
            gain = paid - floor[label, frame]
            here = best.setdefault((frame, value.way), {})
            if gain > max(CLOSE, here[label][0] if label in here else 0.0):
                here[label] = (gain, value)
        # Of a way that is rewarded on some tasks alone, the others have no known right answer.
        ways = {
            way: (
                {label: value for label, (_, value) in here.items()},
                sum(g for g, _ in here.values()) / len(tasks),
            )
            for way, here in best.items()
            if here and (len(tasks) <= FIRST or len(here) >= MOSTLY * len(tasks))
        }
        return dict(sorted(ways.items(), key=lambda each: -each[1][1])[:KEPT])


def _few(values: Iterable[RowValue], prompt: str) -> Iterator[RowValue]:
    """Yield each text of a way once, and none that repeats the question."""
    seen, asked = set(), prompt.strip()[:BEGINNING]
    for each in values:
        if each.text.strip() and asked not in each.text and (each.way, each.text) not in seen:
            seen.add((each.way, each.text))
            yield each


def _answered(question: Question, value: RowValue) -> Question:
    says = question.says | {"creative"} if value.is_open else question.says
    kind = kind_of(value.text, question.prompt, question.options)
    return replace(question, gold=value.text, kind=kind, also=(), says=says)
