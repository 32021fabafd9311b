"""Find the template in which a grader looks for the answer: the one with the highest rewards."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from skill_tools.evidence.grading.graded import CLOSE, GradedReply
from skill_tools.graders.grader_client import Grade, Grader, GradeRequest, spread
from skill_tools.graders.perturbations.json_paths import leaves_of
from skill_tools.graders.templates.answer_templates import BARE, Template, frame_in, frames_of
from skill_tools.graders.templates.question import NONSENSE, Question, read_json
from skill_tools.graders.templates.replies import read_replies

ANEW = 3
"""Maximum candidates to retry if nothing was rewarded: each costs a process per template."""
ANEW_FRAMES = 2
"""Maximum templates for retrying, the likeliest."""
LOOKED = 4
"""Maximum tasks for trying templates: enough to keep one unusual task from deciding."""


@dataclass(frozen=True)
class Framed:
    """A template in which right answers are rewarded, and the questions with their answers.

    Attributes:
        paid: Their mean reward over some tasks.
        gain: How much more right answers earn than a nonsense word.
        whole: Whether all these tasks give the same reward, as they would not for a part of an answer.
        most: Their highest reward on one of these tasks.
        doubtful: Whether at most half of the tasks give a reward, as chance may for a part of an answer.
    """

    frame: Template
    questions: list[Question]
    gain: float
    whole: bool
    paid: float = 0.0
    most: float = 0.0
    doubtful: bool = False

    @property
    def given(self) -> bool:
        """Whether the user gave the answers, which do not come from the rows."""
        return any(each.row for each in self.questions)


def find_frame(
    candidates: Sequence[Sequence[Question]], grade: Grader, *, alone: bool = False
) -> tuple[Framed | None, list[GradedReply]]:
    """Try candidates for the right answers in all templates. Return the best pair, and all replies that were sent.

    The template is None if nothing is rewarded, or nonsense is rewarded as well. ``alone`` prefers
    the bare answer, as in a tool's argument. The first candidate is tried before all others
    together, as each call starts a new grader.
    """
    tried: list[GradedReply] = []
    best: Framed | None = None
    for some in (candidates[:1], candidates[1:]):
        groups = [_trials(questions) for questions in some if questions[0].gold]
        trials = [trial for group in groups for trial in group]
        earned = list(grade([ask for trial in trials for ask in trial.asks])) if trials else []
        for group in groups:
            framed: list[Framed | None] = []
            for trial in group:
                own, earned = earned[: len(trial.asks)], earned[len(trial.asks) :]
                tried += trial.told(own)
                framed.append(trial.judge(own, alone))
            found = _better(framed)
            best = found if found and (best is None or found.gain > best.gain + CLOSE) else best
        if best and best.whole:
            break
    return best or _look_anew(candidates, grade), tried


def tell_columns_apart(
    best: Framed, candidates: Sequence[Sequence[Question]], grade: Grader
) -> Framed:
    """Return the template with other values of each row that its prompt contains, as answers that must be wrong.

    If the prompts contain the right answers themselves, the right answers are those of another
    candidate that does not, and is rewarded as well.
    """
    if sum(_stands(each.gold, each) for each in best.questions) > len(best.questions) / 2:
        hidden = [c for c in candidates if c and not any(_stands(q.gold, q) for q in c)]
        other, _ = find_frame(hidden[:ANEW], grade) if hidden else (None, [])
        if other and other.whole and other.paid >= best.paid - CLOSE:
            best = other
    values: dict[str, list[Question]] = {}
    for each in (question for questions in candidates for question in questions):
        values.setdefault(each.label, []).append(each)
    asked = [
        replace(each, shown=_shown(each, values.get(each.label, ()))) for each in best.questions
    ]
    return replace(best, questions=asked)


def depends_on_task(best: Framed, grade: Grader) -> bool:
    """Return whether a presumed right answer earns more on its own task than another task's."""
    pairs = [
        (each, other)
        for each in spread(best.questions, LOOKED)
        if (other := next((q.gold for q in best.questions if q.gold != each.gold), ""))
    ]
    own = [GradeRequest(each.label, best.frame.hold(each.gold)) for each, _ in pairs]
    others = [GradeRequest(each.label, best.frame.hold(other)) for each, other in pairs]
    earned = [each.paid or 0.0 for each in grade([*own, *others])] if pairs else []
    compared = zip(earned[: len(own)], earned[len(own) :], strict=True)
    return not pairs or any(mine > its + CLOSE for mine, its in compared)


def read_objects(best: Framed, grade: Grader) -> Framed:
    """Return the questions whose answers are replies, if some answers are objects: a column may have a reply on some
    rows, an object that holds it on others, and what a reply is checked by on further rows."""
    groups: list[tuple[set[str], list[Question]]] = []
    for each in best.questions:
        value = read_json(each.gold)
        keys = set(map(str, value)) if isinstance(value, dict) else set()
        # Objects with a common key are of one kind: some of their keys are optional.
        alike = next((g for g in groups if g[0] & keys or not (g[0] or keys)), None)
        if alike:
            alike[0].update(keys)
            alike[1].append(each)
        else:
            groups.append((keys, [each]))
    if len(groups) < 2 and (not groups[0][0] or "json" in best.questions[0].prompt.casefold()):
        return best
    kept: list[Question] = []
    for keys, group in groups:
        ways = [group, *(leaves_of([group], least=1) if keys else ())]
        looked = [spread(way, LOOKED) for way in ways]
        nothing = [replace(each, gold=NONSENSE) for each in looked[0]]
        told = [each for way in (nothing, *looked) for each in way]
        earned = grade([GradeRequest(each.label, best.frame.hold(each.gold)) for each in told])
        paid = iter([each.paid or 0.0 for each in earned])
        floor, *means = (fmean(next(paid) for _ in way) for way in (nothing, *looked))
        if (most := max(means)) > floor + CLOSE:
            # A reader that looks for a value anywhere also finds it in its object, which nobody would write.
            kept += next(
                w for w, mean in reversed([*zip(ways, means, strict=True)]) if mean >= most - CLOSE
            )
    return replace(best, questions=kept) if kept else best


def are_alternatives(best: Framed, grade: Grader) -> bool:
    """Return whether each of the right answers of a task is rewarded, as alternatives are and the items of a list are
    not."""
    several = [each for each in best.questions if each.also]
    asks = [
        GradeRequest(each.label, best.frame.hold(text))
        for each in spread(several, LOOKED)
        for text in each.also[:LOOKED]
    ]
    paid = [each.paid or 0.0 for each in grade(asks)] if asks else []
    return not paid or fmean(paid) > best.paid / 2


def _stands(value: str, question: Question) -> bool:
    """Return whether the prompt contains a value, other than as an offered option."""
    told = question.kind not in ("choice", "boolean") and not question.options
    return (
        told
        and bool(value)
        and bool(re.search(rf"(?<!\w){re.escape(value)}(?!\w)", question.prompt))
    )


def _shown(question: Question, others: Sequence[Question]) -> tuple[str, ...]:
    """Return the other values of a question's row that its prompt contains."""
    own = {each.casefold() for each in (question.gold, *question.also)}
    texts = (each.gold for each in others if each.kind == question.kind)
    found = (
        each
        for each in texts
        if not any(each.casefold() in right for right in own) and _stands(each, question)
    )
    return tuple(dict.fromkeys(found))


def _better(framed: Sequence[Framed | None]) -> Framed | None:
    """Return the first of these with the highest reward, or None."""
    known = [each for each in framed if each]
    most = max((each.paid for each in known), default=0.0)
    return next((each for each in known if each.paid >= most - CLOSE), None)


def _look_anew(candidates: Sequence[Sequence[Question]], grade: Grader) -> Framed | None:
    """Return the best candidate. A new grader judges each, in case a grader caches its first verdict."""
    best: Framed | None = None
    for questions in (each for each in candidates[:ANEW] if each[0].gold):
        looked = spread(questions, LOOKED)
        for frame in frames_of(questions)[:ANEW_FRAMES]:
            right = grade([GradeRequest(each.label, frame.hold(each.gold)) for each in looked])
            if not any(each.paid for each in right):
                continue
            empty = grade([GradeRequest(each.label, frame.hold(NONSENSE)) for each in looked])
            pairs = zip(right, empty, strict=True)
            gain = fmean((r.paid or 0.0) - (e.paid or 0.0) for r, e in pairs)
            if gain > (best.gain if best else 0.0):
                best = Framed(frame, list(questions), gain, False)
    return best


def _trials(questions: Sequence[Question]) -> list[_Trial]:
    """Return what to try for a candidate: the answers within its replies, if found, and the replies as they are."""
    inner = [_Trial.of(*each) for each in read_replies(questions)]
    rest = _Trial.of(questions)
    if not inner and not questions[0].row:
        return [rest]
    # A given reply is whole. The last paragraph, which has no marks, may be only a part of the answer.
    looked = {each.label for _, each in (inner or [rest])[0].right}
    marked = inner and not all(each.frames[0].bare for each in inner)
    return [*inner, _Trial.as_they_are(questions, looked), *([] if marked else [rest])]


@dataclass(frozen=True)
class _Trial:
    """Right answers and a nonsense word to send in each template, for some tasks."""

    questions: list[Question]
    frames: list[Template]
    right: list[tuple[Template, Question]]
    nonsense: list[tuple[Template, Question]]

    @classmethod
    def of(cls, questions: Sequence[Question], more: Sequence[Template] = ()) -> _Trial:
        """Make the trial of one candidate; ``more`` are templates to try first."""
        found: dict[str, Template] = {}
        for frame in (*more, *frames_of(questions)):
            found.setdefault(frame.template, frame)
        frames = list(found.values())
        own = Counter(frame_in(each.gold, frames)[0] for each in spread(questions, LOOKED))
        items = list(questions)
        if not more and not own.most_common(1)[0][0].bare:  # right replies are as models write them
            items = [replace(q, gold=frame_in(q.gold, frames)[1]) for q in questions]
        # The longest as well: it may have several right answers, or parts of one.
        longest = max(items, key=lambda each: len(each.gold) + sum(map(len, each.also)))
        looked = list(dict.fromkeys([*spread(items, LOOKED), longest]))
        right = [(frame, each) for frame in frames for each in looked]
        return cls(items, frames, right, [(f, each) for f in frames for each in looked])

    @classmethod
    def as_they_are(cls, replies: Sequence[Question], labels: set[str]) -> _Trial:
        """Make the trial of whole replies, on the tasks of an earlier trial, so that their rewards are comparable."""
        right = [(BARE, each) for each in replies if each.label in labels]
        return cls(list(replies), [BARE], right, right)

    @property
    def asks(self) -> list[GradeRequest]:
        """The replies to grade."""
        right = [(frame, each, each.gold) for frame, each in self.right]
        both = [*right, *((frame, each, NONSENSE) for frame, each in self.nonsense)]
        return [
            GradeRequest(each.label, frame.hold(answer), kind=f"frame {frame.name}")
            for frame, each, answer in both
        ]

    def told(self, earned: Sequence[Grade]) -> list[GradedReply]:
        """Return the replies and their rewards."""
        pairs = zip([*self.right, *self.nonsense], self.asks, earned, strict=True)
        return [
            GradedReply(ask.task, "frame", "tried", frame.name, ask.reply, each.paid, each.broke)
            for (frame, _), ask, each in pairs
        ]

    def judge(self, earned: Sequence[Grade], alone: bool) -> Framed | None:
        """Return the template with the highest reward."""
        paid = _means(self.right, earned[: len(self.right)])
        empty = _means(self.nonsense, earned[len(self.right) :])
        gain = {frame: paid[frame] - empty.get(frame, 0.0) for frame in paid}
        best = max(gain.values(), default=0.0)
        good = [frame for frame in self.frames if frame in gain and gain[frame] >= best - CLOSE]
        if best <= 0:
            return None
        good.sort(key=lambda frame: not (alone and frame.bare))
        pays = [
            e.paid or 0.0 for (f, _), e in zip(self.right, earned, strict=False) if f is good[0]
        ]
        floor = empty.get(good[0], 0.0)
        often = sum(each > floor + CLOSE for each in pays)
        doubtful = often <= len(pays) / 2
        rewards = {"paid": paid[good[0]], "most": max(pays)}
        whole = len(set(pays)) == 1
        return Framed(good[0], self.questions, best, whole, **rewards, doubtful=doubtful)


def _means(
    asked: Sequence[tuple[Template, Question]], earned: Sequence[Grade]
) -> dict[Template, float]:
    """Return each template's mean reward, over the tasks with a score."""
    paid: dict[Template, list[float]] = {}
    for (frame, _), each in zip(asked, earned, strict=True):
        if each.paid is not None:
            paid.setdefault(frame, []).append(each.paid)
    return {frame: sum(several) / len(several) for frame, several in paid.items()}
