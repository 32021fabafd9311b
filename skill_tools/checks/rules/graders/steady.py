"""GRA004 and 006: whether a grader scores every reply, and equal replies equally."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from skill_tools.checks.check import Hit, Place, check, note
from skill_tools.checks.needs import GRADED, JUDGED_ANSWERS
from skill_tools.checks.rules.graders.replies import contrast, cut, decided, details, some_of
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.grading.graded import AGAIN, NOT_ITS_OWN, NOT_RETURNED, GradedReply

HUGE = "value.huge"
"""The probe with a number of thousands of digits."""
EXPLAINED = {
    **dict.fromkeys(("again", "batch", "order", "thread"), ("process",)),
    "threads": ("process", "thread"),
    "label": ("process", "order"),
    "unread": ("process", "order", "label"),
    "unread-batch": ("unread", "process", "order", "label"),
}
"""Circumstances that change a reward, each with the circumstances whose difference explains it."""


@check(
    "GRA004",
    "grader-breaks",
    shows="reply-breaks",
    fix="parse every reply without an exception and in bounded time; score unreadable replies as wrong",
    needs=[GRADED],
    # A reply that is rewarded matters more: models rarely write what few graders can read.
    stage="consequence",
    trusts="nothing",
)
def grader_breaks(evidence: Evidence) -> Iterator[Hit]:
    """The grader scores every reply, whatever a model writes.

    A mistake by the model deserves a score. A grader that raises an exception or hangs ends the rollout or training
    step.
    """
    graded = GRADED.of(evidence)
    # GRA006 reports replies that have a score, but not again in other circumstances.
    broke = [each for each in graded.replies if each.broke and each.must not in AGAIN]
    hung = [each for each in broke if each.broke.startswith(NOT_RETURNED)]
    if hung:
        replies = list(dict.fromkeys(f"{cut(each.reply)} on {each.task}" for each in hung))
        noun = "reply was" if len(replies) == 1 else "replies were"
        message = f"{len(replies)} {noun} never scored: {some_of(replies)} ({hung[0].broke})"
        # If no reply was ever scored, the machine may lack what the grader waits for.
        scored = any(each.paid is not None for each in graded.replies)
        make = Hit if scored else note
        yield make(message, place=Place(task=hung[0].task), details=details(hung))
    raised = [each for each in broke if each not in hung]
    if raised:
        ways = list(dict.fromkeys(each.how for each in raised))
        shown = min(raised, key=lambda each: (each.broke.startswith(NOT_ITS_OWN), len(each.reply)))
        message = (
            f"the grader gave no score for {some_of(ways)}, e.g. {cut(shown.reply)} on "
            f"{shown.task}: {shown.broke}"
        )
        same = [each for each in graded.replies if each.probe == shown.probe]
        message += contrast(graded, [each for each in same if each.broke], same)
        # A real judge may understand these words, and a trainer has what an audit lacks.
        own = [each for each in raised if not each.broke.startswith(NOT_ITS_OWN)]
        place = Place(task=shown.task)
        hit = (Hit if own else note)(message, place=place, details=details(raised))
        # No model writes thousands of digits unless it is made to.
        huge = own and all(each.probe == HUGE for each in own)
        yield replace(hit, level="warn") if huge else hit


@check(
    "GRA006",
    "same-reply-paid-differently",
    shows="reply-differs",
    fix="keep no state between calls, reset every variable before the next reply of a batch, use no randomness, and "
    "score each completion by its own row. Do not limit time with signals (SIGALRM works only on the main thread). "
    "Include the label in every cache key",
    needs=[JUDGED_ANSWERS],
    trusts="nothing",
)
def same_reply_paid_differently(evidence: Evidence) -> Iterator[Hit]:
    """A reply's score does not depend on when or where it is scored, or on other replies.

    If a grader keeps state, uses randomness, mixes up a batch or fails outside the main thread, chance decides the
    score.
    """
    graded = JUDGED_ANSWERS.of(evidence)
    found: dict[str, list[tuple[GradedReply, GradedReply]]] = {}
    for first, again in graded.changed:
        found.setdefault(again.probe, []).append((first, again))
    for probe, pairs in found.items():
        if any(each in found for each in EXPLAINED.get(probe, ())):
            continue
        first, again = pairs[0]
        tried = sum(each.probe == probe and each.must == again.must for each in graded.replies)
        paid = (
            f"earned {again.paid:g}" if again.paid is not None else f"has no score ({again.broke})"
        )
        message = (
            f"{again.how}, {paid}, but {first.paid:g} before: {cut(first.reply)} on {first.task}; "
            f"this holds for {len(pairs)} of {max(tried, len(pairs))} replies"
        )
        same = [each for each in graded.replies if each.probe == probe]
        message += contrast(graded, [each for _, each in pairs], same) + decided(graded, [first])
        others = details([again for _, again in pairs])
        yield Hit(message, place=Place(task=first.task), details=others)


CHECKS = (
    grader_breaks,
    same_reply_paid_differently,
)
