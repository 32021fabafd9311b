"""GRA002, 003, 005 and 007: whether a grader rewards right answers in every spelling."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from skill_tools.checks.check import Hit, Place, check, note, skip, warn
from skill_tools.checks.needs import GRADED, JUDGED_ANSWERS
from skill_tools.checks.rules.graders.causes import REFUSED, fix_for
from skill_tools.checks.rules.graders.replies import (
    contrast,
    cut,
    decided,
    details,
    listed,
    place,
    shown,
)
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.grading.graded import HALF, Graded, GradedReply
from skill_tools.evidence.grading.shares import Share
from skill_tools.evidence.grading.underpaid import underpaid

SEVERAL = 2
"""Minimum number of tasks that refuse a spelling: one may be a coincidence."""
MINOR = (
    *("point", "minus", "decimals", "zeros", "blanks", "decomposed", "apostrophe"),
    *("bold", "bold-label", "boxed-math", "fenced", "clause", "case"),
)
"""Spellings whose refusal is minor if a grader accepts the others."""
LIKE_REPLIES = (
    "read the label as the reply is read (the same normalization and parser), or correct these rows"
)
"""The fix if only rows of one kind refuse their right answers."""


@check(
    "GRA002",
    "right-answer-refused",
    shows="reply-refused",
    fix="normalize the answer before comparing it (separators, case, whitespace, signs), or state "
    "the required form in the prompt",
    needs=[JUDGED_ANSWERS],
    after=["GRA006"],
    level="warn",
    trusts="nothing",
)
def right_answer_refused(evidence: Evidence) -> Iterator[Hit]:
    """A right answer is rewarded in any spelling, unless the prompt requires a particular spelling.

    Otherwise a policy learns to write text that the grader can parse, instead of learning to solve the task.
    """
    graded = JUDGED_ANSWERS.of(evidence)
    found = [(way, graded.refused(way.replies)) for way in graded.ways("equivalent")]
    several_tasks = min(SEVERAL, len(graded.best))
    refused = [
        (way, several)
        for way, several in found
        if len(several) >= max(several_tasks, HALF * len(way.replies))
    ]
    if any(again.probe in ("again", "batch") for _, again in graded.changed):
        yield skip(
            "the right answer itself later earns a different reward, so the spelling may not be the cause"
        )
    elif not found:
        yield skip("the prompts ask for one spelling, so no other spelling needs to be rewarded")
    elif refused:
        way, several = max(refused, key=lambda pair: len(pair[1]))
        names = listed([each for each, _ in refused])
        message = (
            f"the right answer is refused when written {names}, such as {shown(several)}"
            f"{contrast(graded, several, way.replies)}{decided(graded, several)}; false "
            f"fails: {graded.false_fails.text_of(' spellings')}"
        )
        minor = all(way.probe.rpartition(".")[2] in MINOR for way, _ in refused)
        if graded.judged.of:
            message = f"a stand-in answered for the judge: {message}"
        replies = details(each for _, several in refused for each in several)
        level = note if minor or graded.judged.of else warn
        fix = fix_for(REFUSED, [way.probe for way, _ in refused])
        hit = level(message, place=place(several), details=replies)
        yield replace(hit, fix=fix)


@check(
    "GRA003",
    "right-answer-not-paid",
    shows="right-unrewarded",
    fix="correct the label or the grader; a task that does not reward its right answer teaches the opposite",
    needs=[JUDGED_ANSWERS],
    after=["GRA006"],
    level="warn",
    trusts="nothing",
)
def right_answer_not_paid(evidence: Evidence) -> Iterator[Hit]:
    """If most tasks reward their right answers, all tasks must reward theirs.

    If a task does not, its row has a wrong answer, or the grader compares its reply with another row's answer.
    """
    graded = JUDGED_ANSWERS.of(evidence)
    right = [r for r in graded.replies if r.must == "right" and r.probe == "right" and not r.broke]
    unpaid = underpaid(graded)
    if unpaid:
        most = max(each.paid or 0.0 for each in unpaid)
        share = Share(len(unpaid), len(right)).text
        shared = _respelled(graded) or contrast(graded, unpaid, right)
        earned = f"at most {most:g}" if most else "no reward"
        message = (
            f"the right answer earned {earned} on {share}, such as {shown(unpaid)}"
            f"{shared}{_instead(graded, unpaid)}{decided(graded, unpaid)}"
        )
        # What exactly these rows have in common is a cause, not chance.
        if graded.judged.of:  # a real judge may see that it is right
            message = f"a stand-in answered for the judge: {message}"
            yield note(message, place=place(unpaid), details=details(unpaid))
        elif graded.doubtful and not shared:
            # If rewarded only on some tasks, it may not be an answer, but a list of an answer's parts.
            message = f"{message}; the solution may not be a right answer"
            yield note(message, place=place(unpaid), details=details(unpaid))
        else:
            fix = LIKE_REPLIES if shared else ""
            yield Hit(message, place=place(unpaid), details=details(unpaid), fix=fix)


def _respelled(graded: Graded) -> str:
    return "".join(
        f"; the same reply {each.how} is rewarded on {each.share.text} that refused theirs"
        for each in graded.respellings
    )


def _instead(graded: Graded, unpaid: Sequence[GradedReply]) -> str:
    """Return a clause about the answers in the rows that earn a reward where the given replies do not, or ""."""
    best = max(graded.best.values(), default=0.0)
    paid = [r for r in graded.replies if r.must == "instead" and (r.paid or 0.0) > HALF * best]
    if not paid:
        return ""
    first = min(paid, key=lambda each: (len(each.reply), each.task))
    given = next(each for each in unpaid if each.task == first.task)
    return (
        f"; on {len(paid)} of these tasks, the row's own {first.how!r} is rewarded instead, such as {cut(first.reply)} "
        f"where the given reply is {cut(given.reply)}"
    )


@check(
    "GRA005",
    "answers-not-judged",
    fix="provide solutions: for each task, a reply that should get the full reward",
    needs=[GRADED],
    level="note",
    trusts="nothing",
)
def answers_not_judged(evidence: Evidence) -> Iterator[Hit]:
    """A right answer is known, so that the audit can judge wrong answers against it.

    Without a right answer, no reply is sent to the grader. The checks of replies then neither pass nor fail.
    """
    graded = GRADED.of(evidence)
    if graded.unchecked:
        formal = "if the reward should judge form, change nothing" if graded.kind == "form" else ""
        yield replace(note(f"answers were not examined: {graded.unchecked}"), fix=formal)


@check(
    "GRA007",
    "answer-taken-from-the-prompt",
    fix="remove from the prompt whatever reveals the answer; if the task is to copy the answer, change nothing",
    needs=[JUDGED_ANSWERS],
    stage="exploit",
    trusts="nothing",
)
def answer_taken_from_the_prompt(evidence: Evidence) -> Iterator[Hit]:
    """No simple rule extracts the right answers from the prompts.

    The check learns such a rule on half of the tasks and tests it on the other half. A policy that follows the rule
    gets the reward without solving the task.
    """
    found = JUDGED_ANSWERS.of(evidence).shortcut
    if found:
        message = (
            f"{found.rule} is the right answer on {found.share.text} that were held out when "
            f"this rule was learned, such as {found.answer!r} on {found.task}"
        )
        yield Hit(message, place=Place(task=found.task), level="warn" if found.asked else None)


CHECKS = (
    right_answer_refused,
    right_answer_not_paid,
    answers_not_judged,
    answer_taken_from_the_prompt,
)
