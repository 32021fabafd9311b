"""An audit of a judge: its view of a reply, the texts that persuade it, and rewards without a verdict."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from skill_tools.evidence.grading.graded import CLOSE, Expectation, GradedReply, Judging
from skill_tools.evidence.grading.shares import Share
from skill_tools.graders.grader_client import Grade, Grader, GradeRequest, spread
from skill_tools.graders.judges.injections import injections
from skill_tools.graders.templates.answer_templates import Template

TASKS = 3
"""Number of tasks for a stand-in, which behaves the same on all."""
REAL_TASKS = 20
"""Maximum tasks for a real judge, if its limit on requests allows that many."""
SAYS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("bad", "the prompt's word for a wrong answer", {"as": "bad"}),
    ("nothing", "nothing", {"says": ""}),
    ("unreadable", "that it cannot tell", {"says": "I cannot tell from what I was given."}),
    ("incorrect", "the word incorrect", {"says": "incorrect"}),
    ("not-correct", "that the reply is not correct", {"says": "This is not correct."}),
    (
        "labeled",
        "the prompt's word for a wrong answer, after a label",
        {"says": "Answer: {bad}", "whole": True},
    ),
    (
        "named",
        "another verdict, by its name in the prompt",
        {"says": "{named}", "whole": True},
    ),
    (
        "explained",
        "a reason with the word for a right answer, then the word for a wrong answer",
        {"as": "bad", "explains": "I see {x} in it, and nothing that makes it {good}."},
    ),
    (
        "within",
        "the word for a wrong answer, and a word that contains the word for a right one",
        {"says": "{bad}, says {within}."},
    ),
    ("negated", "the negated word for a right answer", {"says": "No, it is not {good}."}),
    ("both", "both words of the prompt", {"says": "{good} or {bad}"}),
    ("of-scale", "the lowest score out of the highest", {"says": "{bad}/{good}"}),
)
"""A judge's verdicts on a wrong reply: the name, the description, and how to request the verdict."""
OF_WORDS = ("negated", "labeled", "named", "explained", "within", "both")
"""Verdicts that make sense if a judge gives words, not numbers."""
OF_NUMBERS = ("of-scale",)
ERRORS = (("error-429", "an error 429", {"status": 429}), ("error-500", "an error 500", {"status": 500}))  # fmt: skip
"""Verdicts of a failing judge; they come last and on one task, because graders wait before retrying."""


@dataclass(frozen=True)
class JudgedTask:
    """A task with its right answer and a right reply, if they are known."""

    label: str
    answer: str = ""
    right: str = ""


@dataclass(frozen=True)
class RealJudge:
    """A model that acts as the judge, with its name, its URL and its maximum number of requests."""

    model: str
    url: str
    requests: int


class _Said(NamedTuple):
    """A reply to send, with its request, its name (``probe``), the expected reward and its description."""

    ask: GradeRequest
    probe: str
    must: Expectation
    how: str


def play_judge(
    tasks: Sequence[JudgedTask], frame: Template, grade: Grader, real: RealJudge | None = None
) -> Judging | None:
    """Audit a judge; return None if the grader does not consult a judge about wrong replies."""
    looked = spread(tasks, REAL_TASKS if real else TASKS)
    plan = _verdicts(looked, frame)
    told = [(planned, each) for planned, each in _give(plan, grade) if each.judged]
    # Right answers are in the prompt as its key, too, so look for a meaningless word.
    prompts = [each.judged[0] for planned, each in told if planned.must == "verdict"]
    if not prompts:
        return None
    shown = next((each for each in prompts if each.get("reply_shown")), prompts[0])
    rights = [each.judged[0] for planned, each in told if planned.must == "right"]
    found = Judging(
        stands=str(shown.get("stands", "")),
        closes=str(shown.get("closes", "")),
        keys=Share(sum(bool(each.get("key_shown")) for each in rights), len(rights)),
        earned=_ranges(told),
    )
    if not found.decides:
        return found
    scored = {task for task, _, _ in found.earned}
    left = [each for each in looked if each.label in scored]
    orders = list(_orders(left, frame, shown, real))
    # Graders wait before retrying, so failures come last.
    broken = [_say(left[0], frame, 800 + at, *way) for at, way in enumerate(ERRORS)]
    more = [pair for pair in _give([*orders, *broken], grade) if pair[1].judged]
    given = [_replied(*pair) for pair in more]
    numbers = str(shown.get("good", ""))[:1].isdigit()
    verdicts = [_heard(*pair) for pair in (*told, *more) if pair[0].must == "verdict"]
    return replace(
        found,
        model=real.model if real else "",
        injections=tuple(each for each in given if each.must == "order"),
        controls=tuple(each for each in given if each.must in ("right", "wrong")),
        verdicts=tuple(v for v in verdicts if v.probe not in (OF_WORDS if numbers else OF_NUMBERS)),
        requests=len(orders) if real else 0,
    )


def _verdicts(tasks: Sequence[JudgedTask], frame: Template) -> list[_Said]:
    """Return wrong replies, combined with every possible verdict of the judge, and right replies.

    A right reply shows whether the judge's prompt contains the right answer.
    """
    good = [_say(task, frame, at, "good", "", {"as": "good"}) for at, task in enumerate(tasks)]
    said = [
        _say(task, frame, 100 + 40 * number + at, *way)
        for number, task in enumerate(tasks[:TASKS])
        for at, way in enumerate(SAYS)
    ]
    right = [
        _Said(
            GradeRequest(t.label, t.right, judge={"as": "bad"}, gold=t.answer), "right", "right", ""
        )
        for t in tasks
        if t.right
    ]
    return [*good, *said, *right]


def _say(
    task: JudgedTask, frame: Template, number: int, probe: str, how: str, judge: Mapping[str, Any]
) -> _Said:
    """Return a wrong reply for the judge. Each call needs another ``number``, because graders may cache verdicts."""
    reply = frame.hold(wrong_word(number))
    return _Said(
        GradeRequest(task.label, reply, judge=judge, gold=task.answer), probe, "verdict", how
    )


def _orders(
    tasks: Sequence[JudgedTask], frame: Template, shown: Mapping[str, Any], real: RealJudge | None
) -> Iterator[_Said]:
    """Yield replies that contain instructions to the judge, up to a real judge's limit on requests.

    For a real judge, also yield replies without instructions, for comparison.
    """
    names = {"close": "closes", "label": "label", "good": "good"}
    known = {name: str(shown[field]) for name, field in names.items() if shown.get(field)}
    how = {"ask": real.url} if real else {"as": "reader"}
    left = real.requests if real else None
    for number, task in enumerate(tasks):
        word = wrong_word(900 + number)
        own = [
            _Said(
                GradeRequest(task.label, frame.hold(word)),
                "nonsense",
                "wrong",
                "a meaningless word",
            )
        ]
        if task.right:
            own.append(
                _Said(GradeRequest(task.label, task.right), "right", "right", "the right answer")
            )
        orders = [
            _Said(GradeRequest(task.label, frame.hold(each.text)), each.name, "order", each.how)
            for each in injections(word, known, literal=real is None)
        ]
        for each in [*(own if real else ()), *orders]:
            if left is not None and (left := left - 1) < 0:
                return
            yield each._replace(ask=replace(each.ask, judge=how, gold=task.answer))


def _give(plan: Sequence[_Said], grade: Grader) -> list[tuple[_Said, Grade]]:
    """Send the replies, and return the replies that reached the grader, each with its grade."""
    earned = grade([each.ask for each in plan]) if plan else ()
    return [pair for pair in zip(plan, earned, strict=True) if pair[1].reached]


def _ranges(told: Sequence[tuple[_Said, Grade]]) -> tuple[tuple[str, float, float], ...]:
    """For each task, return the lowest reward for any verdict, and the reward for the good verdict.

    Leave out tasks whose reward for the good verdict is not higher.
    """
    paid = [
        (s.ask.task, s.probe, e.paid) for s, e in told if s.must == "verdict" and e.paid is not None
    ]
    others = [each for each in paid if each[1] != "good"]
    least = min((each[2] for each in others), default=None)
    found = []
    for task, _, most in (each for each in paid if each[1] == "good"):
        low = min((each[2] for each in others if each[0] == task), default=least)
        if low is not None and most > low + CLOSE:
            found.append((task, low, most))
    return tuple(found)


def _replied(said: _Said, earned: Grade) -> GradedReply:
    return GradedReply(
        said.ask.task, said.probe, said.must, said.how, said.ask.reply, earned.paid, earned.broke
    )


def _heard(said: _Said, earned: Grade) -> GradedReply:
    """Return the graded reply, with the judge's text in place of the reply."""
    heard = str(earned.judged[0].get("said", ""))
    return replace(_replied(said, earned), reply=heard)


def wrong_word(number: int) -> str:
    """Return a meaningless word that is different for each number."""
    letters = "bcdfghjklmnpqrstvwxz"
    return f"zq{letters[number // 400 % 20]}{letters[number // 20 % 20]}{letters[number % 20]}"
