"""Send answers to a grader: first some to find the template, then all answers, then some on more tasks."""

from __future__ import annotations

import random
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from skill_tools.evidence.grading.contrast import facts_of
from skill_tools.evidence.grading.graded import (
    CLOSE,
    NOT_RETURNED,
    Graded,
    GradedReply,
)
from skill_tools.graders.answer_spellings import as_latex, equivalents
from skill_tools.graders.grader_client import Grader, spread
from skill_tools.graders.perturbations.expressions import endless_expressions
from skill_tools.graders.perturbations.json_paths import likeliest_first
from skill_tools.graders.perturbations.null_answers import vacuous
from skill_tools.graders.perturbations.operators import Guess
from skill_tools.graders.perturbations.wrong_answers import INJECTION, wrong_answers
from skill_tools.graders.planned_replies import (
    Planned,
    allow_right_candidates,
    give,
    is_varied,
    only_given,
)
from skill_tools.graders.programs.argument_mutation import emptied_replies
from skill_tools.graders.programs.process_tampering import rough_replies
from skill_tools.graders.programs.programs import wrong_programs
from skill_tools.graders.programs.reward_hacks import Outline, cheats
from skill_tools.graders.programs.shown_programs import table_of
from skill_tools.graders.repairs.reply_edits import respellings
from skill_tools.graders.row_answers import mark_free, rewarded_instead
from skill_tools.graders.shortcuts import find_shortcut
from skill_tools.graders.templates.answer_templates import SLOT, Template, frames_of
from skill_tools.graders.templates.question import NONSENSE, Question
from skill_tools.graders.templates.reply_formats import cut_off, framings, said
from skill_tools.graders.templates.reward_search import GreyBox
from skill_tools.graders.templates.right_replies import find_right
from skill_tools.graders.templates.template_search import (
    depends_on_task,
    read_objects,
    tell_columns_apart,
)
from skill_tools.graders.wrongness import settle

PROBED = 10
"""Maximum tasks that get every answer."""
MOST = 50
"""Maximum tasks that get the answers that were informative on the first tasks."""
OTHERS = 11
"""Number of other tasks' right answers in a list of candidates."""
MAX_WAYS = 4
"""Maximum ways of each kind to try on further tasks."""
BESIDE = 3
"""Number of other tasks' right answers in a batch with one."""
RIGHT = "the right answer"
CANDIDATES = 10
"""Maximum fields to try for the right answer: each costs as many replies as there are templates."""
FRAMES = 2
"""Templates to use if no right answer is known."""
PROGRAM = Template("in a code block", f"```python\n{SLOT}\n```")
"""The place of programs in replies."""
NO_BOX = GreyBox()
"""A grader without known rows or code."""


def grade_answers(
    candidates: Sequence[Sequence[Question]],
    grade: Grader,
    total: int,
    top: float,
    *,
    alone: bool = False,
    box: GreyBox = NO_BOX,
) -> tuple[Graded, Template | None]:
    """Return the grader's rewards for right and wrong answers, and the template in which the grader reads answers.

    Args:
        candidates: The questions with possible right answers, the likeliest first; with empty answers if no answer
            is known.
        grade: The grader.
        total: Number of tasks.
        top: Reward of right answers if no right answer is known.
        alone: See ``find_frame``.
        box: The grader's rows and the texts in its code.
    """
    candidates = likeliest_first([list(each) for each in candidates])
    best, tried, made_up = find_right(candidates[:CANDIDATES], grade, box, alone=alone)
    why = "no right answer of any task is known"
    if best and best.paid < top - CLOSE and not (best.given or depends_on_task(best, grade)):
        gold = _names(best.questions)
        why = f"the likeliest right answer earned as much on another task ({best.paid:g}): {gold}"
        best, tried = None, []
    if best:
        best = tell_columns_apart(read_objects(best, grade), candidates[:CANDIDATES], grade)
        best = replace(best, questions=mark_free(best.questions))
        graded = _grade_in(best.frame, best.questions, grade, total)
        instead = rewarded_instead(best.questions, graded.best, best.frame, grade)
        if made_up:  # a reply that the audit made is right only where it is rewarded
            graded = replace(graded, replies=tuple(_unless_unpaid(graded)))
        hung = [each for each in tried if each.broke.startswith(NOT_RETURNED)]
        replies = (*graded.replies, *hung, *instead)
        facts = {q.label: facts_of(q.prompt, q.gold, q.columns) for q in best.questions}
        graded = replace(graded, doubtful=best.doubtful, replies=replies, facts=facts)
        return replace(graded, respellings=tuple(respellings(graded, grade))), best.frame
    if not candidates:
        return Graded(tasks=total, unchecked="no question has a single answer"), None
    if tried:
        most = max((each.paid for each in tried if each.paid is not None), default=0.0)
        why = (
            "no value in the rows, sent as a reply, earned more than a meaningless word "
            f"(at most {most:g}), so the right answer is not known"
        )
    hollow = _without_right(candidates[0], grade)
    # A higher reward shows that right answers have more than that.
    most = max((each.paid for each in (*tried, *hollow) if each.paid is not None), default=0.0)
    known = top if top <= most <= top + CLOSE else None
    return Graded("", "", total, (*tried, *hollow), why, top=known), None


def _unless_unpaid(graded: Graded) -> Iterator[GradedReply]:
    best = graded.best
    for each in graded.replies:
        yield replace(each, must="open") if each.must == "right" and each.task not in best else each


def _without_right(questions: Sequence[Question], grade: Grader) -> list[GradedReply]:
    """Return the grades of replies that are wrong whatever the right answer is, such as hollow programs."""
    looked = spread(questions, PROBED)
    plan: list[Planned] = []
    for question in looked:
        frame = frames_of([question])[0]
        order = frame.hold(f"{NONSENSE}\n{INJECTION}")
        guesses = [
            Guess("nonsense", "wrong", "a meaningless word", frame.hold(NONSENSE)),
            Guess("injection", "wrong", "orders to a judge", order),
            *cheats(Outline(question.functions), PROGRAM),
            *table_of(question.prompt, PROGRAM),
            *endless_expressions(question, frame),
            *(() if question.functions else vacuous(question, frames_of([question])[:FRAMES])),
        ]
        plan += [Planned(question, *each) for each in guesses]
    return [*give(plan, grade), *rough_replies(looked, PROGRAM, grade)]


def _grade_in(frame: Template, questions: Sequence[Question], grade: Grader, total: int) -> Graded:
    """Send the answers in this template, in two calls of the grader, and return their rewards.

    The grader is restarted for each call.
    """
    kind = Counter(each.kind for each in questions).most_common(1)[0][0]
    known = spread(questions, MOST)
    apart = only_given(known, frame, grade)
    read = [each for each in known if each.label not in apart] or known
    first = spread(read, PROBED)
    # Right answers first: they scale the others.
    right: list[Planned] = [
        Planned(
            each,
            "open" if each.is_vague else "right",
            "right",
            RIGHT,
            each.given if each.label in apart else frame.hold(each.gold),
        )
        for each in known
    ]
    others = [planned for each in first for planned in _answers(each, questions, frame)]
    whole = [
        Planned(each, "given", "given", "the given reply", each.given)
        for each in known
        if is_varied(each, frame) and each.label not in apart
    ]
    given = give([*right, *whole, *others, *_once_more(first, frame)], grade)
    shortcut = find_shortcut([each for each in questions if not each.is_open])
    seen = settle(Graded(frame.name, kind, total, tuple(given), shortcut=shortcut), known, frame)
    telling = _telling(seen)
    further = [each for each in read if each not in first]
    more = [
        planned
        for each in further
        for planned in _answers(each, questions, frame)
        if planned.probe in telling
    ]
    seen = settle(replace(seen, replies=(*seen.replies, *give(more, grade))), known, frame)
    seen = allow_right_candidates(seen, known, frame, grade)
    if kind != "code":
        return seen
    programs = wrong_programs(questions, frame, grade)
    rough = rough_replies(questions, frame, grade)
    emptied = emptied_replies(questions, frame, grade)
    return replace(seen, replies=(*seen.replies, *emptied, *rough), programs=tuple(programs))


def _once_more(first: Sequence[Question], frame: Template) -> Iterator[Planned]:
    """Yield the right answers again: in reverse order after all other answers, and in a batch with other answers."""
    turned = first[::-1]
    for each in turned:
        reply = frame.hold(each.gold)
        yield Planned(each, "again", "same", "the right answer, after all other replies", reply)
    for each in turned:
        # With an empty answer and other right ones: a grader that drops one misassigns the next reward.
        right = tuple((o.label, frame.hold(o.gold)) for o in turned[:BESIDE] if o is not each)
        reply = frame.hold(each.gold)
        # Its own task first, then another's: finds graders that only look at the first row.
        for beside in (((each.label, NONSENSE), *right), (*right, (each.label, NONSENSE))):
            how = "the right answer, in a batch with other replies"
            yield Planned(each, "batch", "same", how, reply, beside)


def _answers(
    question: Question, questions: Sequence[Question], frame: Template
) -> Iterator[Planned]:
    """Yield the replies to send for a question, except the right answer itself."""
    taken = {frame.hold(each) for each in (question.gold, *question.also)}
    for probe, how, text in equivalents(question):
        # No one writes a period before a closing mark, or brackets in brackets.
        closed = probe.endswith((".point", ".brackets"))
        fits = not (frame.labeled and probe == "json.lines")
        if fits and (not closed or frame.template.endswith(SLOT)):
            yield Planned(question, probe, "equivalent", how, frame.hold(text))
    for way, how, reply in framings(question, frame):
        yield Planned(question, f"framing.{way}", "equivalent", how, reply)
    if "boxed" in frame.template and (latex := as_latex(question.gold)):
        how = "as a fraction in LaTeX"
        yield Planned(question, "number.latex", "equivalent", how, frame.hold(latex))
    how = "as another right answer in the data"
    for also in question.also:
        yield Planned(question, "also", "equivalent", how, frame.hold(also))
    for probe, how, reply in cut_off(question, frame):
        yield Planned(question, probe, "open", how, reply)
    for way, how, reply in said(question, frame):
        yield Planned(question, way, "equivalent", how, reply)
    for guess in wrong_answers(question, _others(question, questions), frame):
        if guess.reply not in taken and not _ends_right(question, guess.reply, taken):
            yield Planned(question, *guess)


def _ends_right(question: Question, reply: str, right: Iterable[str]) -> bool:
    """If the prompt says that the last line counts, return whether a reply's last line is right."""
    one_line = "last" in question.says and "\n" in reply and "\n" not in question.gold
    ends = {each.strip().rpartition("\n")[2].strip() for each in right if one_line}
    last = reply.strip().rpartition("\n")[2].strip()
    return last in ends and last != "```"


def _others(question: Question, questions: Sequence[Question]) -> list[str]:
    """Return other tasks' right answers that are wrong for this task, in an order that differs between tasks."""
    mine = {_plain(each) for each in (question.gold, *question.also)}
    found: dict[str, str] = {}
    for each in questions:
        plain = _plain(each.gold)
        near = (
            any(plain in own or own in plain for own in mine)
            if question.kind == "text"
            else plain in mine
        )
        if not near and len(each.gold) <= 200:
            found.setdefault(plain, each.gold)
    if question.kind == "choice":
        letters = dict(question.options) or {each.gold: "" for each in questions}
        found = {each: each for each in letters if each != question.gold}
    texts = sorted(found.values())
    random.Random(question.label).shuffle(texts)
    return texts[:OTHERS]


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text).casefold())


def _telling(seen: Graded) -> set[str]:
    """Return the kinds of replies that the grader misjudged most often, or that broke the grader."""
    wrong = [(len(seen.paid_in_full(way.replies)), way.probe) for way in seen.ways("wrong")]
    right = [(len(seen.refused(way.replies)), way.probe) for way in seen.ways("equivalent")]
    # A way that never returned would take the time of all others.
    broke = Counter(
        each.probe
        for each in seen.replies
        if each.broke and not each.broke.startswith(NOT_RETURNED)
    )
    counts = (wrong, right, [(count, probe) for probe, count in broke.items()])
    often = {probe for found in counts for n, probe in sorted(found)[-MAX_WAYS:] if n}
    ceiling = {seen.ceiling[1].probe} if seen.ceiling else set()
    # The reply without reward scales all others on each task.
    return {"nonsense"} | often | ceiling


def _names(questions: Sequence[Question]) -> str:
    gold = questions[0].gold
    return f"it was taken to be {gold[:60]!r} on {questions[0].label}"
