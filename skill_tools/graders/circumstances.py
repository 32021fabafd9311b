"""Resend right answers in other circumstances, which must not change their reward.

A trainer scores off the main thread (verl, OpenRLHF, TRL's AsyncGRPOTrainer), several replies at
once, in new processes and in any order. The same text may occur under several labels.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from skill_tools.evidence.grading.graded import LABEL, Expectation, Graded, GradedReply
from skill_tools.graders.grader_client import Grade, Grader, GradeRequest, spread

TASKS = 10
"""Maximum tasks whose right answers are sent again."""
REFUSED = 4
"""Maximum tasks whose right answers are sent again although they earned no reward."""
CROWDED = 5
"""Maximum tasks whose right answers are scored repeatedly while others are scored."""
CROWD = 3
"""Number of other tasks' right answers that are scored at the same time as one."""
RIGHT = "the right answer"
UNREADABLE = {"nonsense": "a meaningless reply", "empty": "an empty reply"}
"""Ways of replying without an answer, in words."""
UNREAD = "unread"
"""Name of unreadable or wrong replies that are sent after right ones and alone."""
UNREAD_BATCH = "unread-batch"
"""Name of unreadable replies in one batch with right ones."""


def replies_elsewhere(graded: Graded, grade: Grader) -> Iterator[GradedReply]:
    """Resend right answers in other circumstances and yield the graded replies.

    Each circumstance has a separate process, because ``grade`` starts a process for each call.
    """
    known = [each for each in graded.replies if each.must == "right" and not each.broke]
    # Refused ones as well: earlier replies may have caused the refusal.
    paid = [each for each in known if each.task in graded.best]
    refused = [each for each in known if each.task not in graded.best]
    right = [*spread(paid, TASKS), *spread(refused, REFUSED)]
    yield from _give(right, "process", "in a fresh process", grade)
    yield from _give(right[::-1], "order", "in a fresh process, in another order", grade)
    yield from _give(right, "thread", "off the main thread", grade, thread=True)
    crowded = spread(right, CROWDED)
    yield from _give(crowded, "threads", "from several threads at once", grade, crowd=True)
    yield from _under_labels(right, grade)
    yield from _unreadable_replies(graded, spread(paid, CROWDED), grade)
    yield from _rewarded_before(graded, grade)


def _give(
    right: Sequence[GradedReply],
    probe: str,
    where: str,
    grade: Grader,
    *,
    thread: bool = False,
    crowd: bool = False,
) -> Iterator[GradedReply]:
    asks = [
        GradeRequest(
            each.task,
            each.reply,
            kind=probe,
            thread=thread or crowd,
            crowd=_others(right, at) if crowd else (),
        )
        for at, each in enumerate(right)
    ]
    yield from _replied(asks, grade(asks) if asks else [], "same", probe, f"{RIGHT}, {where}")


def _others(right: Sequence[GradedReply], at: int) -> tuple[tuple[str, str], ...]:
    """Return the next few right answers after position ``at``; after the last answer, continue with the first."""
    several = [right[(at + n) % len(right)] for n in range(1, CROWD + 1)]
    return tuple((each.task, each.reply) for each in several if each is not right[at])


def _under_labels(right: Sequence[GradedReply], grade: Grader) -> Iterator[GradedReply]:
    """Send a right answer to its own task and to another task, for which it is wrong, and yield the graded replies.

    Both orders are tried, also within one batch.
    """
    pairs = [
        (own, other)
        for own, other in zip(right[::2], right[1::2], strict=False)
        if own.reply != other.reply
    ]
    own = [GradeRequest(mine.task, mine.reply, kind=LABEL) for mine, _ in pairs]
    other = [GradeRequest(another.task, mine.reply, kind=LABEL) for mine, another in pairs]
    batch = [
        GradeRequest(mine.task, mine.reply, ((another.task, mine.reply),), kind=LABEL, first=leads)
        for mine, another in pairs
        for leads in (False, True)
    ]
    if not pairs:
        return
    first = grade([ask for pair in zip(other, own, strict=True) for ask in pair])
    last = grade([*(ask for pair in zip(own, other, strict=True) for ask in pair), *batch])
    alone = 2 * len(pairs)
    elsewhere = "the right answer of another task, "
    after = f"{RIGHT}, after the same text was scored under another label"
    together = f"{RIGHT}, in one batch with the same text under another label"
    yield from _replied(own, first[1::2], "same", LABEL, after)
    yield from _replied(other, first[::2], LABEL, LABEL, f"{elsewhere}before it was scored there")
    later = f"{elsewhere}after it was scored there"
    yield from _replied(other, last[1:alone:2], LABEL, LABEL, later)
    yield from _replied(batch, last[alone:], "same", LABEL, together)


def _unreadable_replies(
    graded: Graded, right: Sequence[GradedReply], grade: Grader
) -> Iterator[GradedReply]:
    """Send a meaningless reply alone, and after the right answer to the same task, and yield the graded replies.

    A grader may keep what it read last, and score an unreadable reply with it.
    """
    replies = {(each.task, each.probe): each.reply for each in graded.replies}
    known = [(r, probe) for probe in UNREADABLE for r in right if (r.task, probe) in replies]
    if not known:
        return
    alone = [GradeRequest(r.task, replies[r.task, probe], kind=UNREAD) for r, probe in known]
    first = [GradeRequest(r.task, r.reply, kind=UNREAD) for r, _ in known]
    batch = [replace(a, beside=((f.task, f.reply),)) for a, f in zip(alone, first, strict=True)]
    # Few calls of the grader, as each starts a process.
    later = grade([ask for pair in zip(first, alone, strict=True) for ask in pair])[1::2]
    for asks, earned, probe, when in (
        (alone, grade(alone), UNREAD, "alone"),
        (alone, later, UNREAD, "after the right answer"),
        (batch, grade(batch), UNREAD_BATCH, "after the right answer in one batch"),
    ):
        for ask, each, (_, kind) in zip(asks, earned, known, strict=True):
            yield from _replied([ask], [each], LABEL, probe, f"{UNREADABLE[kind]}, {when}")


def _rewarded_before(graded: Graded, grade: Grader) -> Iterator[GradedReply]:
    """Send rewarded wrong replies again in a fresh process, without right answers before, and yield both grades."""
    found = [graded.paid_in_full(way.replies) for way in graded.ways("wrong", "doubtful")]
    known = spread([min(each, key=lambda r: len(r.reply)) for each in found if each], TASKS)
    asks = [GradeRequest(each.task, each.reply, kind=UNREAD) for each in known]
    alone = _replied(asks, grade(asks) if asks else (), LABEL, UNREAD, "a wrong reply")
    scored = {(each.task, each.reply): each for each in alone if each.paid is not None}
    for again in known:
        if first := scored.get((again.task, again.reply)):
            yield first
            how = f"a wrong reply ({again.how}), after right answers"
            yield replace(again, probe=UNREAD, must=LABEL, how=how)


def _replied(
    asks: Sequence[GradeRequest], earned: Sequence[Grade], must: Expectation, probe: str, how: str
) -> Iterator[GradedReply]:
    for ask, each in zip(asks, earned, strict=True):
        if each.reached:
            yield GradedReply(ask.task, probe, must, how, ask.reply, each.paid, each.broke)
