"""GRA001 and 014: wrong replies that get nearly the right answer's reward, the same reward, or more."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from skill_tools.checks.check import Hit, Status, check, note
from skill_tools.checks.needs import JUDGED_ANSWERS
from skill_tools.checks.rules.graders.causes import PAID, common_cause, fix_for
from skill_tools.checks.rules.graders.replies import (
    contrast,
    decided,
    details,
    listed,
    place,
    shown,
)
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.grading.graded import HALF, VACUOUS, Graded, GradedReply, Way
from skill_tools.evidence.grading.shares import Share

SEVERAL = 2
"""Minimum number of tasks that reward a wrong answer: one may be a coincidence."""
SURE = 5
"""Number of tasks from which on a way of replying does not depend on what they are about."""
OFTEN = 0.1
"""Minimum share of the tasks that reward a wrong answer: two of fifty are few."""
MOST = 0.9
"""Share of the right answer's reward from which a wrong answer earns most of it."""
MORE = 1.01
"""Share of the right answer's reward above which a reply earns more; less may be a cost per letter."""
EMPTY = ("nonsense", "injection", "unchanged")
"""Replies without an answer. An empty one may rightly return more than a wrong answer that has a penalty."""
ATOMIC = ("number", "choice", "boolean", "date")
"""Kinds of answers without parts: a wrong one is not partly right."""


class Paid(NamedTuple):
    """A way of replying, and the replies made in this way that get too much reward."""

    way: Way
    replies: list[GradedReply]


def _order(graded: Graded, paid: Paid) -> tuple[float, bool, int]:
    """Return the sort key: first the ways that most tasks reward, then the ways that are easiest to read.

    An answer that only a few tasks reward may be nearly right on these tasks. Programs are an exception.
    """
    share = len(paid.replies) / len(paid.way.replies)
    rare = len(paid.replies) < SURE and graded.kind != "code"
    return -share, rare, len(paid.way.shortest.reply)


def paid_from(graded: Graded, least: float, *must: str) -> list[Paid]:
    """Return the ways of replying that often get at least the share ``least`` of the right answer's reward."""
    found = [Paid(way, graded.paid_from(way.replies, least)) for way in graded.ways(*must)]
    return sorted(
        (each for each in found if _often(each, len(graded.best))), key=lambda p: _order(graded, p)
    )


@check(
    "GRA014",
    "wrong-reply-earns-more",
    shows="reply-rewarded",
    fix="cap the reward, so that no wrong reply gets more reward than the right answer",
    needs=[JUDGED_ANSWERS],
    # First of all: what a right answer earns is the measure of the other findings.
    stage="evidence",
    trusts="nothing",
)
def wrong_reply_earns_more(evidence: Evidence) -> Iterator[Hit]:
    """No wrong reply gets more reward than the right answer.

    A policy moves away from right answers as soon as it finds such a reply.
    """
    graded = JUDGED_ANSWERS.of(evidence)
    found = [] if graded.top is not None else paid_from(graded, MORE, "wrong")
    if found:
        most = max(found[0].replies, key=lambda each: graded.share_of_best(each) or 0.0)
        message = (
            f"a wrong reply earns {most.paid:g}, more than the right answer ({graded.best[most.task]:g}): "
            f"{_tells(graded, found)}"
        )
        yield _hit(graded, message, found)


@check(
    "GRA001",
    "wrong-reply-paid",
    shows="reply-rewarded",
    fix="extract the answer from one place, then compare the whole answer with the right answer",
    needs=[JUDGED_ANSWERS],
    stage="exploit",
    trusts="nothing",
)
def wrong_reply_paid(evidence: Evidence) -> Iterator[Hit]:
    """No wrong answer gets all or most of the right answer's reward.

    Graders may reward a list of all candidates, a denial of the right answer, `NaN`, or instructions to a judge. A
    policy finds such rewards before it finds right answers.
    """
    graded = JUDGED_ANSWERS.of(evidence)
    more = {p.way.probe for p in paid_from(graded, MORE, "wrong")} if graded.top is None else set()
    paid = [each for each in paid_from(graded, 1.0, "wrong") if each.way.probe not in more]
    if paid:
        message = f"rewarded like the right answer: {_tells(graded, paid)}"
        yield _where_known(graded, message, paid)
    told = {*more, *(each.way.probe for each in paid)}
    yield from _paid_in_part(graded, told)
    if paid:
        return
    doubtful = paid_from(graded, 1.0, "doubtful")
    liked = [each for each in doubtful if len(each.replies) > HALF * len(each.way.replies)]
    if liked:
        ways = listed([each.way for each in liked])
        example = shown(liked[0].replies)
        message = (
            f"rewarded like the right answer, which some graders may intend: {ways}; e.g. {example}"
        )
        replies = details(each for paid in liked for each in paid.replies)
        fix = fix_for(PAID, [each.way.probe for each in liked])
        yield replace(note(message, place=place(liked[0].replies), details=replies), fix=fix)


def _paid_in_part(graded: Graded, told: Container[str]) -> Iterator[Hit]:
    """Yield a hit if other wrong replies get much of the right answer's reward.

    The level depends on the share of the reward, and on whether the replies may be partly right. ``told`` names
    the ways of replying that get the full reward.
    """
    for least in (MOST, HALF):
        if least < MOST and told:
            return
        found = [each for each in paid_from(graded, least, "wrong") if each.way.probe not in told]
        levels = [(_level(graded, each.way, least), each) for each in found]
        for level in ("fail", "warn", "note"):
            if some := [each for own, each in levels if own == level]:
                mean = graded.mean(some[0].replies)
                most = max(graded.best.values())
                full = "" if most == 1 else f"; the right answer earns at most {most:g}"
                message = f"a wrong reply earns {mean:.0%} of the right answer's reward: {_tells(graded, some)}{full}"
                yield replace(_hit(graded, message, some), level=_unjudged(graded, level))
                return


def _level(graded: Graded, way: Way, share: float) -> Status | None:
    """Return the severity of a way of replying that gets at least this share of the right answer's reward.

    Returns None if the reward may be intended.
    """
    # If wrong answers have a penalty, no answer scores between wrong and right.
    penalty = min(graded.floor.values(), default=0.0) < 0
    if way.probe in EMPTY:
        return "fail" if share >= MOST else None if penalty else "warn"
    if graded.kind in ATOMIC:
        return "warn" if share >= MOST else None if penalty else "note"
    return "note" if share >= MOST else None


def _unjudged(graded: Graded, level: Status) -> Status:
    return "note" if graded.judged.of else level


def _often(paid: Paid, tasks: int) -> bool:
    """Return whether enough replies were rewarded to rule out coincidence."""
    share = HALF if paid.way.probe.startswith(VACUOUS) else OFTEN
    return len(paid.replies) >= max(min(SEVERAL, tasks), share * len(paid.way.replies))


def _tells(graded: Graded, found: Sequence[Paid]) -> str:
    """Return text about the common cause, if any, about one way of replying with an example, and about the others."""
    sent = {way.probe: len(way.replies) for way in graded.ways("wrong", "doubtful")}
    cause, ways = common_cause({each.way.probe: len(each.replies) for each in found}, sent)
    alike = [each for each in found if each.way.probe in ways] or found[:1]
    first = max(alike, key=lambda each: len(each.replies))
    others = [each.way for each in found if each is not first]
    way, several = first
    share = Share(len(several), len(way.replies)).text
    rest = f"; also {listed(others)}" if others else ""
    shared = contrast(graded, several, way.replies)
    how = f"{cause} ({way.shortest.how})" if cause else way.shortest.how
    return f"{how}, such as {shown(several)}, on {share}{shared}{decided(graded, several)}{rest}"


def _hit(graded: Graded, message: str, found: Sequence[Paid]) -> Hit:
    """Return a hit with replies and a fix. The hit is a note if a stand-in replied in place of the judge model."""
    said = f"a stand-in answered for the judge: {message}" if graded.judged.of else message
    replies = details(each for paid in found for each in paid.replies)
    fix = fix_for(PAID, [each.way.probe for each in found])
    level: Status | None = "note" if graded.judged.of else None
    return Hit(said, None, place(found[0].replies), level, fix=fix, details=replies)


def _where_known(graded: Graded, message: str, found: Sequence[Paid]) -> Hit:
    """Return a hit, or a warning if no right answer is known and the replies are empty of content.

    A grader that rewards such replies may be meant to reward form alone.
    """
    probes = [each.way.probe for each in found]
    said_nothing = all(each in EMPTY or each.startswith(VACUOUS) for each in probes)
    if graded.top is None or not said_nothing or graded.judged.of:
        return _hit(graded, message, found)
    told = f"no right answer is known, but a reply that earns {graded.top:g} is {message}"
    return replace(_hit(graded, told, found), level="warn")


CHECKS = (wrong_reply_earns_more, wrong_reply_paid)
