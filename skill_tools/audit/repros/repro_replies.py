"""The repro of a reply that a grader rewards or rejects, with the correct reply for comparison."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from skill_tools.audit.repros.repro import Defect, NoRepro, Repro, Run
from skill_tools.audit.scripts import Call
from skill_tools.evidence.audited import Audited
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.grading.graded import HALF, NOT_RETURNED, Graded, GradedReply, Way
from skill_tools.evidence.grading.shares import Share
from skill_tools.graders.templates.question import NONSENSE

Argument = tuple[str, str]
"""The tool and the argument that receive replies."""
LETTERS = 60
"""Maximum characters of a reply to print; the script contains the whole reply."""
NO_REPLY = "no single graded reply shows the finding"


class _AskedReply(NamedTuple):
    """The task of a finding, and the argument that receives its replies."""

    graded: Graded
    task: str
    argument: Argument
    found: Mapping[str, Any]


def claim_reply(defect: Defect, evidence: Evidence, argument: Argument | None) -> Repro | NoRepro:
    """Return the repro of the replies that show a grader's defect, or the reason why there is no repro."""
    graded = evidence.audit.graded
    if graded is None or argument is None or not defect.task:
        return NoRepro(NO_REPLY)
    found = (evidence.audit.audited or Audited()).found
    asked = _AskedReply(graded, defect.task, argument, found)
    return REPLIES[defect.shows](asked) or NoRepro(NO_REPLY)


def _paid(asked: _AskedReply) -> Repro | None:
    """Return the repro of a wrong reply that gets the correct reply's reward or the highest possible reward."""
    graded = asked.graded
    ways = [(way, graded.paid_in_full(way.replies)) for way in graded.ways("wrong")]
    way, several = _best_here(asked, ways)
    if way is None:
        return _paid_in_part(asked)
    wrong = _shortest(several, asked.task)
    right = _right(asked)
    least = graded.floor[asked.task]
    runs = [_run(asked, wrong, "less than the right answer")]
    if right is not None:
        runs.insert(0, _run(asked, right, "the most"))
    return Repro(
        "paid",
        tuple(runs),
        f"a wrong answer is rewarded like the right one: {way.shortest.how}",
        f"a wrong answer earns less than the right one: {way.shortest.how}",
        Share(len(several), len(way.replies)).text,
        limit=wrong.paid or 0.0,
        least=least,
    )


def _paid_in_part(asked: _AskedReply) -> Repro | None:
    """Return the repro of the highest-scoring wrong reply to a task.

    The reply must get at least half of the correct reply's reward.
    """
    here = [each for way in asked.graded.ways("wrong") for each in way.replies]
    here = [each for each in here if each.task == asked.task and not each.broke]
    most = max(here, key=lambda each: each.paid or 0.0, default=None)
    if most is None or (asked.graded.share_of_best(most) or 0.0) < HALF:
        return None
    run = _run(asked, most, "less than half of the right answer's reward")
    shows = f"{most.how} earns {most.paid:g}"
    return Repro("paid", (run,), shows, f"{most.how} earns less", limit=most.paid or 0.0)


def _refused(asked: _AskedReply) -> Repro | None:
    """Return the repro of a correct answer in an alternative spelling that the grader rejects."""
    graded, right = asked.graded, _right(asked)
    ways = [(way, graded.refused(way.replies)) for way in graded.ways("equivalent")]
    way, several = _best_here(asked, ways)
    if way is None or right is None:
        return None
    least, best = graded.floor[asked.task], graded.best[asked.task]
    other = _shortest(several, asked.task)
    return Repro(
        "refused",
        (_run(asked, right, "the maximum"), _run(asked, other, "as much: it is the same answer")),
        f"the right answer is refused when written {way.shortest.how}",
        f"the right answer is rewarded when written {way.shortest.how}",
        Share(len(several), len(way.replies)).text,
        limit=least + HALF * (best - least),
    )


def _unpaid(asked: _AskedReply) -> Repro | None:
    """Return the repro of an answer that is correct according to the data, but that the grader does not reward."""
    graded, right = asked.graded, _right(asked)
    if right is None or not graded.best:
        return None
    least, top = graded.floor.get(asked.task, 0.0), max(graded.best.values())
    unpaid = [each for each in _all_right(graded) if each.task not in graded.best]
    return Repro(
        "refused",
        (_run(asked, right, f"as much as right answers to other tasks: {top:g}"),),
        "the right answer from the data is not rewarded",
        "the right answer from the data is rewarded",
        Share(len(unpaid), len(_all_right(graded))).text,
        limit=least + HALF * (top - least),
    )


def _broke(asked: _AskedReply) -> Repro | None:
    """Return the repro of a reply that gets an error instead of a score."""
    broke = [
        each
        for each in asked.graded.replies
        if each.broke and not each.broke.startswith(NOT_RETURNED)
    ]
    here = [each for each in broke if each.task == asked.task]
    if not here:
        return None
    shown = _shortest(here, asked.task)
    tried = {each.task for each in asked.graded.replies if each.probe == shown.probe}
    found = {each.task for each in broke if each.probe == shown.probe}
    return Repro(
        "raises",
        (_run(asked, shown, "any score"),),
        "the grader gives no score",
        "the grader gives a score",
        Share(len(found), len(tried)).text,
    )


def _program(asked: _AskedReply) -> Repro | None:
    """Return the repro of a program with one wrong line that gets the correct program's reward."""
    here = [p for p in asked.graded.paid_programs if p.alike and p.given.task == asked.task]
    wrong = min(here, key=lambda each: len(each.test), default=None)
    right = _right(asked)
    if wrong is None or right is None:
        return None
    expected = f"less: the task's tests lack {wrong.test}"
    return Repro(
        "paid",
        (_run(asked, right, "the maximum"), _run(asked, wrong.given, expected)),
        f"a wrong program is rewarded like the right one: {wrong.given.how}",
        f"a wrong program earns less than the right one: {wrong.given.how}",
        asked.graded.weak_tests.text,
        limit=wrong.given.paid or 0.0,
        least=asked.graded.floor.get(asked.task, 0.0),
    )


def _changed(asked: _AskedReply) -> Repro | None:
    """Return the repro of a reply whose reward differs if the reply is repeated, or scored in a batch with other
    replies."""
    shown = [pair for pair in asked.graded.changed if pair[1].probe in ("again", "batch")]
    here = [pair for pair in shown if pair[0].task == asked.task]
    if not here:
        return None
    first, again = here[0]
    batch = again.probe == "batch"
    run = _run(asked, first, "the same both times")
    beside = _beside(asked, first) if batch else ()
    other = Run(**{**vars(run), "what": again.how if batch else f"{run.what}, again"})
    tried = {each.task for each in asked.graded.replies if each.must == "same"}
    found = {pair[0].task for pair in asked.graded.changed}
    return Repro(
        "differs",
        (run, Run(**{**vars(other), "beside": beside})),
        "the same reply earns two different rewards",
        "the same reply earns the same reward both times",
        Share(len(found), len(tried)).text,
    )


def _beside(asked: _AskedReply, first: GradedReply) -> tuple[tuple[int, str], ...]:
    """Return the replies that precede a reply in its batch: a nonsense reply, and correct replies to other tasks."""
    others = [each for each in _all_right(asked.graded) if each.task != first.task][:2]
    several = [(first.task, NONSENSE), *((each.task, each.reply) for each in others)]
    return tuple((find_place(asked.found, task)[1] or 0, reply) for task, reply in several)


REPLIES: Mapping[str, Callable[[_AskedReply], Repro | None]] = {
    "reply-rewarded": _paid,
    "reply-refused": _refused,
    "right-unrewarded": _unpaid,
    "reply-breaks": _broke,
    "reply-differs": _changed,
    "program-rewarded": _program,
}
"""The functions above, by the evidence that shows a defect; other defects do not concern replies."""


def argument_of(
    found: Mapping[str, Any], solutions: Mapping[tuple[Any, ...], list[Call]]
) -> Argument | None:
    """Return the tool and argument that receive graded replies, or None if answers are not a single text."""
    for calls in solutions.values():
        named = list(calls[0]["arguments"]) if len(calls) == 1 else []
        return (calls[0]["tool"], named[0]) if len(named) == 1 else None
    return (found["tools"][0]["name"], "text") if found.get("in_text") else None


def find_place(found: Mapping[str, Any], label: str) -> tuple[str | None, int | None, int]:
    """Return the split, index and seed in a label that ``label_place`` wrote."""
    rest = label.removeprefix(f"{str(found.get('name'))[:60]}/")
    split, index, seed = rest.rsplit("/", 2)
    places = found.get("places") or [{}]
    if places[0].get("split") is None:
        return None, places[0].get("index"), int(seed)
    return split, int(index), int(seed)


def _run(asked: _AskedReply, reply: GradedReply, expected: str) -> Run:
    tool, name = asked.argument
    call = {"tool": tool, "arguments": {name: reply.reply}}
    where = find_place(asked.found, reply.task)
    return Run(f"{reply.how}, {_cut(reply.reply)}", expected, reply.task, *where, calls=(call,))


def _cut(reply: str) -> str:
    return repr(reply if len(reply) <= LETTERS else f"{reply[:LETTERS]}…")


def _best_here(
    asked: _AskedReply, ways: Iterable[tuple[Way, list[GradedReply]]]
) -> tuple[Way | None, list[GradedReply]]:
    """Return the way of replying that is misjudged most often, and the misjudged replies.

    Only a way with a misjudged reply to the finding's task is considered.
    """
    here = [(w, s) for w, s in ways if any(each.task == asked.task for each in s)]
    rank = lambda pair: (-len(pair[1]) / len(pair[0].replies), len(pair[0].shortest.reply))
    return min(here, key=rank, default=(None, []))


def _right(asked: _AskedReply) -> GradedReply | None:
    here = (each for each in asked.graded.replies if each.must == "right")
    return next((each for each in here if each.task == asked.task), None)


def _all_right(graded: Graded) -> list[GradedReply]:
    return [each for each in graded.replies if each.must == "right" and not each.broke]


def _shortest(several: Iterable[GradedReply], task: str) -> GradedReply:
    here = [each for each in several if each.task == task]
    return min(here, key=lambda each: len(each.reply))
