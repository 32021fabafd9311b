"""The small change to a grader's code after which it judges misjudged replies rightly, and all others as before."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from skill_tools.evidence.grading.explanations import Repair
from skill_tools.evidence.grading.graded import CLOSE, Graded, GradedReply
from skill_tools.evidence.grading.shares import Share
from skill_tools.evidence.grading.underpaid import underpaid
from skill_tools.graders.decisions import Tracer
from skill_tools.graders.grader_client import Grade, Grader, GradeRequest, spread
from skill_tools.graders.nearby_replies import nearby, words_of
from skill_tools.graders.programs.mutants import Mutant, every_mutant
from skill_tools.graders.repairs import edit_functions
from skill_tools.graders.repairs.code_edits import RAISES, edits_of

SECONDS = 12.0
"""Seconds after which no further kind of misjudged reply gets edits."""
MOST_KINDS = 8
"""Maximum kinds of misjudged replies to look for an edit for."""
FEW = 5
"""Number of well-judged replies on which all edits are tried first."""
MOST = 900
"""Maximum edits to try on one misjudged reply."""
SURVIVORS = 40
"""Maximum edits that change this reply's verdict to try on other replies."""
MISJUDGED = 8
"""Maximum misjudged replies of one kind to score again."""
GUARDS = 14
"""Maximum right replies of each kind whose verdict an edit must keep."""
WRONG = 60
"""Maximum wrong replies whose verdict an edit must keep: a condition that is always true rewards few of them."""
NEAR = 4
"""Number of rewarded right replies that are changed at random for replies that must stay refused."""
NEARBY = 12
"""Number of changes to each of them."""
OTHERS = 2
"""Number of other tasks' right replies for each task, which stay wrong."""
OPERATORS = (
    *(
        RAISES,
        "usual",
        "comparison",
        "constant",
        "call",
        "function",
        "arithmetic",
        "name",
        "argument",
    ),
    *("boolean", "negation", "condition", "swapped", "order", "index", "bound"),
)
"""Kinds of edits, the likeliest mistakes of an author first. Other kinds come last: they only switch code off."""
FUNCTIONS = Path(edit_functions.__file__).read_text("utf-8")


@dataclass(frozen=True)
class GraderCode:
    """The text of the file with a grader. ``file`` is its path in the grader's folder."""

    file: str
    text: str


class _Misjudged(NamedTuple):
    """Replies of one kind that should be rewarded in full, or should not be."""

    replies: list[GradedReply]
    deserve: bool

    @property
    def shortest(self) -> GradedReply:
        return min(self.replies, key=lambda each: (len(each.reply), each.task))


class _Guard(NamedTuple):
    """A reply whose verdict an edit must keep."""

    task: str
    reply: str
    rewarded: bool


def code_repairs(graded: Graded, trace: Tracer, code: GraderCode, grade: Grader) -> list[Repair]:
    """Return for each kind of misjudged reply the likeliest edit of the code that corrects its verdict."""
    until = monotonic() + SECONDS
    # A program takes much longer than a text. Edited graders begin anew, which alone corrects a kept state.
    if graded.kind == "code" or graded.changed or not graded.best:
        return []
    search = _Search(graded, trace, code, grade)
    found: list[Repair] = []
    tried = 0
    for kinds in _kinds(graded):
        left = [kind for kind in kinds if kind.replies]
        while left and tried < MOST_KINDS and monotonic() < until:
            tried += 1
            first, *left = left
            if edit := search.edit_for(first):
                found += search.repairs(*edit, [first, *left])
                done = {(each.task, each.reply) for each in found}
                left = [e for e in left if (e.shortest.task, e.shortest.reply) not in done]
    return found


def _kinds(graded: Graded) -> Iterator[list[_Misjudged]]:
    """Yield the right answers that earn too little, then the kinds of refused replies, then those of rewarded ones."""
    explained = graded.respellings or any(e.must == "instead" and e.paid for e in graded.replies)
    yield [] if explained else [_Misjudged(underpaid(graded), deserve=True)]
    refused = [graded.refused(way.replies) for way in graded.ways("equivalent")]
    paid = [graded.paid_in_full(way.replies) for way in graded.ways("wrong")]
    for several, deserve in ((refused, True), (paid, False)):
        known = [[each for each in replies if not each.broke] for replies in several]
        yield [_Misjudged(each, deserve) for each in sorted(known, key=len, reverse=True)]


@dataclass(frozen=True)
class _Search:
    """A search for edits of a grader's code."""

    graded: Graded
    trace: Tracer
    code: GraderCode
    grade: Grader

    def edit_for(self, kind: _Misjudged) -> tuple[Mutant, int] | None:
        """Return the likeliest edit that corrects the verdict on most replies of a kind and keeps other verdicts, and
        how many other verdicts were looked at."""
        again = [_Guard(e.task, e.reply, kind.deserve) for e in spread(kind.replies, MISJUDGED)]
        guards = list(_guards(kind, self.graded, self.grade))
        edits = _edits(self.code, self.trace, kind.shortest)
        edits = self._keep([_Guard(kind.shortest.task, kind.shortest.reply, kind.deserve)], edits)
        for few in (guards[:1], spread(guards, FEW)):
            edits = self._keep(few, edits)
        best: tuple[int, Mutant] | None = None
        for edit in self._keep(guards, edits[:SURVIVORS]):
            fixed = sum(self._verdicts([(each, edit) for each in again]))
            if fixed > (best[0] if best else len(again) / 2):
                best = fixed, edit
        return (best[1], len(guards)) if best else None

    def repairs(self, edit: Mutant, kept: int, kinds: Sequence[_Misjudged]) -> Iterator[Repair]:
        """Yield a repair for each kind of misjudged reply whose shortest reply an edit judges rightly."""
        place = f"{self.code.file}:{edit.line}"
        for kind in kinds:
            one, others = kind.shortest, [e for e in kind.replies if e is not kind.shortest]
            again = [one, *spread(others, MISJUDGED - 1)]
            asks = [_Guard(each.task, each.reply, kind.deserve) for each in again]
            first, *rest = self._verdicts([(each, edit) for each in asks])
            if first:
                share = Share(1 + sum(rest), len(again))
                yield Repair(one.task, one.reply, place, edit.before, edit.after, share, kept)

    def _keep(self, guards: Sequence[_Guard], edits: Sequence[Mutant]) -> list[Mutant]:
        """Return the edits under which all these replies have their deserved verdict."""
        verdicts = iter(self._verdicts([(each, edit) for edit in edits for each in guards]))
        own = [[next(verdicts) for _ in guards] for _ in edits]
        return [edit for edit, each in zip(edits, own, strict=True) if all(each)]

    def _verdicts(self, pairs: Sequence[tuple[_Guard, Mutant]]) -> list[bool]:
        """Return for each reply and edit whether the verdict is the deserved one.

        A strict ``zip`` refuses a reply by an exception. Any other edit that makes the code raise one is no repair.
        """
        grades = self.grade([_asked(each, edit) for each, edit in pairs]) if pairs else []
        return [
            _is_deserved(grade, guard, self.graded)
            and (grade.paid is not None or edit.operator == RAISES)
            for (guard, edit), grade in zip(pairs, grades, strict=True)
        ]


def _edits(code: GraderCode, trace: Tracer, example: GradedReply) -> list[Mutant]:
    """Return edits of the functions that score a reply, and of constants outside of functions."""
    ran = {each.line for each in trace([_asked(example)])[0] if each.file == code.file}
    lines = _lines_near(code.text, ran) if ran else None  # too many lines ran to be recorded
    made = {each.program: each for each in every_mutant(code.text, edits_of, lines)}
    return spread(sorted(made.values(), key=_rank), MOST)


def _lines_near(text: str, ran: set[int]) -> set[int]:
    tree = ast.parse(text)
    spans = [
        range(each.lineno, (each.end_lineno or each.lineno) + 1)
        for each in ast.walk(tree)
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    used = set(chain.from_iterable(span for span in spans if ran & set(span)))
    return used | set(range(1, len(text.splitlines()) + 1)) - set(chain.from_iterable(spans))


def _rank(edit: Mutant) -> tuple[int, int]:
    known = edit.operator in OPERATORS
    return OPERATORS.index(edit.operator) if known else len(OPERATORS), -edit.line


def _guards(kind: _Misjudged, graded: Graded, grade: Grader) -> Iterator[_Guard]:
    """Yield replies whose verdict is known to be right, of tasks with misjudged replies if possible."""
    tasks = {each.task for each in kind.replies}
    own = {id(each) for each in kind.replies}
    others = [each for each in graded.replies if id(each) not in own and not each.broke]
    others.sort(key=lambda each: each.task not in tasks)
    paid = {id(each) for each in graded.paid_in_full(others)}
    right = [each for each in others if each.must == each.probe == "right" and id(each) in paid]
    yield from (_Guard(each.task, each.reply, True) for each in spread(right, GUARDS))
    spelled = (each for each in others if each.must == "equivalent" and id(each) in paid)
    wrong = (e for e in others if e.must == "wrong" and id(e) not in paid)
    yield from (_Guard(e.task, e.reply, True) for e in _one_of_each(spelled, GUARDS))
    yield from (_Guard(e.task, e.reply, False) for e in _one_of_each(wrong, WRONG))
    if kind.deserve:
        yield from _of_others(sorted(tasks), graded, grade)
        yield from _near(spread(right, NEAR), graded, grade)


def _one_of_each(several: Iterable[GradedReply], most: int) -> list[GradedReply]:
    first: dict[str, GradedReply] = {}
    for each in several:
        first.setdefault(each.probe, each)
    return spread(list(first.values()), most)


def _of_others(tasks: Sequence[str], graded: Graded, grade: Grader) -> Iterator[_Guard]:
    """Yield other tasks' right replies that the grader refuses for tasks with misjudged replies."""
    right = [each for each in graded.replies if each.must == each.probe == "right"]
    asks = [
        GradeRequest(task, each.reply, kind="edited")
        for number, task in enumerate(tasks[:MISJUDGED])
        for each in [e for e in right[number:] + right[:number] if e.task != task][:OTHERS]
    ]
    for ask, each in zip(asks, grade(asks) if asks else (), strict=True):
        guard = _Guard(ask.task, ask.reply, False)
        if each.paid is not None and _is_deserved(each, guard, graded):
            yield guard


def _near(right: Sequence[GradedReply], graded: Graded, grade: Grader) -> Iterator[_Guard]:
    """Yield refused replies that are nearly right: a check that is switched off rewards them."""
    words = words_of([each.reply for each in right])
    asks = [
        GradeRequest(each.task, text, kind="edited")
        for each in right
        for text in nearby(each.reply, words, NEARBY, each.task)
    ]
    for ask, each in zip(asks, grade(asks) if asks else (), strict=True):
        guard = _Guard(ask.task, ask.reply, False)
        if each.paid is not None and _is_deserved(each, guard, graded):
            yield guard


def _asked(reply: GradedReply | _Guard, edit: Mutant | None = None) -> GradeRequest:
    program = f"{edit.program}\n\n\n{FUNCTIONS}" if edit else ""
    return GradeRequest(reply.task, reply.reply, kind="edited", program=program)


def _is_deserved(grade: Grade, guard: _Guard, graded: Graded) -> bool:
    """Return whether a reply earned what the right answer of its task earns, or should earn, or less than that."""
    full = graded.best.get(guard.task, max(graded.best.values()))
    if guard.rewarded:
        return grade.paid is not None and abs(grade.paid - full) <= CLOSE
    return grade.paid is None or grade.paid < full - CLOSE
