"""GRA001 to 003, 005, 007: whether a grader rewards right answers in every spelling, and no others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from skill_tools.checks.check import Hit, Place, check, note, skip, warn
from skill_tools.checks.needs import GRADED, JUDGED_ANSWERS
from skill_tools.checks.rules.graders.replies import cut, details, some_of
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.grading.graded import VACUOUS, Graded, GradedReply, Way
from skill_tools.evidence.grading.shares import Share

SEVERAL = 2
"""Minimum number of tasks that reward a wrong answer: one may be a coincidence."""
OFTEN = 0.1
"""Minimum share of the tasks that reward a wrong answer: two of fifty are few."""
HALF = 0.5
"""Share of the best reward that is too much for nonsense; also the share of tasks that counts as most."""
MINOR = (
    *("point", "minus", "decimals", "zeros", "blanks", "decomposed", "apostrophe"),
    *("bold", "bold-label", "boxed-math", "fenced"),
)
"""Spellings whose refusal is minor if a grader accepts the others."""
EMPTY = ("nonsense", "injection")
"""Meaningless replies. An empty one may rightly return more than a wrong answer that has a penalty."""


@check(
    "GRA001",
    "wrong-reply-paid",
    shows="reply-rewarded",
    fix="extract the answer from one place, then compare all of it with the right one; score "
    "only the last answer, and reject replies that give several",
    needs=[JUDGED_ANSWERS],
    stage="exploit",
    trusts="nothing",
)
def wrong_reply_paid(evidence: Evidence) -> Iterator[Hit]:
    """No wrong answer gets as much reward as the right one.

    Graders may reward a list of all candidates, a denial of the right answer, `NaN`, or
    instructions to a judge. A policy finds such rewards before it finds answers.
    """
    graded = JUDGED_ANSWERS.of(evidence)
    found = [(way, graded.paid_in_full(way.replies)) for way in graded.ways("wrong")]
    paid = sorted(
        [(way, several) for way, several in found if _often(several, way, len(graded.best))],
        key=lambda pair: (-len(pair[1]) / len(pair[0].replies), len(pair[0].shortest.reply)),
    )
    if paid:
        way, several = paid[0]
        rest = f"; also {_listed([each for each, _ in paid[1:]])}" if paid[1:] else ""
        message = f"rewarded like the right answer: {_tells(several, way)}{rest}"
        replies = details(each for _, several in paid for each in several)
        hit = _where_known(graded, message, [each for each, _ in paid], _place(several))
        yield replace(hit, details=replies)
    doubtful = [(way, graded.paid_in_full(way.replies)) for way in graded.ways("doubtful")]
    liked = [(w, several) for w, several in doubtful if len(several) > HALF * len(w.replies)]
    if liked and not paid:
        ways = _listed([way for way, _ in liked])
        message = f"rewarded like the right answer, which some graders may intend: {ways}; e.g. {_shown(liked[0][1])}"
        replies = details(each for _, several in liked for each in several)
        yield note(message, place=_place(liked[0][1]), details=replies)
    if not paid:
        yield from _paid_in_part(graded)


def _paid_in_part(graded: Graded) -> Iterator[Hit]:
    """Yield a hit if a meaningless reply has a high reward, though less than the right answer's."""
    empty = [way for way in graded.ways("wrong") if way.probe in EMPTY]
    best = max(empty, key=lambda way: graded.mean(way.replies), default=None)
    floor = graded.floor
    lowest = min(floor.values(), default=0.0)
    # If wrong answers have a penalty, no answer scores between wrong and right.
    if best and 0 <= lowest < graded.mean(best.replies) and graded.mean(best.replies) >= HALF:
        mean = graded.mean(best.replies)
        message = f"{best.shortest.how} earns {mean:.0%} of what the right answer does ({_shown(best.replies)})"
        yield warn(message, place=_place(best.replies))


@check(
    "GRA002",
    "right-answer-refused",
    shows="reply-refused",
    fix="normalise the answer before comparing it (separators, case, whitespace, signs), or state "
    "the required form in the prompt",
    needs=[JUDGED_ANSWERS],
    level="warn",
    trusts="nothing",
)
def right_answer_refused(evidence: Evidence) -> Iterator[Hit]:
    """A right answer is rewarded in any spelling, unless the prompt requires a particular one.

    A refusal teaches a policy to write what the grader can parse instead of solving the task.
    """
    graded = JUDGED_ANSWERS.of(evidence)
    found = [(way, graded.refused(way.replies)) for way in graded.ways("equivalent")]
    several_tasks = min(SEVERAL, len(graded.best))
    refused = [
        (way, several)
        for way, several in found
        if len(several) >= max(several_tasks, HALF * len(way.replies))
    ]
    if not found:
        yield skip("the prompts ask for one spelling, so no other spelling needs to be rewarded")
    elif refused:
        _, several = max(refused, key=lambda pair: len(pair[1]))
        names = _listed([each for each, _ in refused])
        message = (
            f"the right answer is refused when written {names}, such as {_shown(several)}; false "
            f"fails: {graded.false_fails.text_of(' spellings')}"
        )
        minor = all(way.probe.rpartition(".")[2] in MINOR for way, _ in refused)
        if graded.judged.of:
            message = f"a stand-in answered for the judge: {message}"
        replies = details(each for _, several in refused for each in several)
        level = note if minor or graded.judged.of else warn
        yield level(message, place=_place(several), details=replies)


@check(
    "GRA003",
    "right-answer-not-paid",
    shows="right-unrewarded",
    fix="correct the label or the grader; a task that does not reward its right answer teaches the opposite",
    needs=[JUDGED_ANSWERS],
    level="warn",
    trusts="nothing",
)
def right_answer_not_paid(evidence: Evidence) -> Iterator[Hit]:
    """Every task rewards its right answer, as most tasks do.

    Otherwise the label is wrong, or a row is compared with another row's answer.
    """
    graded = JUDGED_ANSWERS.of(evidence)
    # If several answers are right, the data's may be only one of them.
    right = [r for r in graded.replies if r.must == "right" and r.probe == "right" and not r.broke]
    unpaid = [each for each in right if each.task not in graded.best]
    if unpaid:
        share = Share(len(unpaid), len(right)).text
        message = (
            f"the right answer from the data earned nothing on {share}, such as {_shown(unpaid)}"
        )
        if graded.doubtful:
            # If rewarded only on some tasks, it may not be an answer, but a list of an answer's parts.
            message = f"{message}; the solution may not be a right answer"
            yield note(message, place=_place(unpaid), details=details(unpaid))
        else:
            yield Hit(message, place=_place(unpaid), details=details(unpaid))


@check(
    "GRA005",
    "answers-not-judged",
    fix="provide solutions: for each task, a reply that should get the full reward",
    needs=[GRADED],
    level="note",
    trusts="nothing",
)
def answers_not_judged(evidence: Evidence) -> Iterator[Hit]:
    """A right answer is known, so that the audit can judge wrong ones against it.

    If no reply reached the grader, the checks of replies did not pass; they did not run.
    """
    graded = GRADED.of(evidence)
    if graded.unchecked:
        formal = "nothing, if form is what it should judge" if graded.kind == "form" else ""
        yield replace(note(f"answers were not examined: {graded.unchecked}"), fix=formal)


@check(
    "GRA007",
    "answer-taken-from-the-prompt",
    fix="keep whatever reveals the answer out of the prompt; if the task is to copy the answer, change nothing",
    needs=[JUDGED_ANSWERS],
    stage="exploit",
    trusts="nothing",
)
def answer_taken_from_the_prompt(evidence: Evidence) -> Iterator[Hit]:
    """No simple rule extracts the right answers from the prompts.

    The rule is learned on half of the tasks and tested on the others; the reward that it earns
    there requires no thought.
    """
    found = JUDGED_ANSWERS.of(evidence).shortcut
    if found:
        message = (
            f"{found.rule} is the right answer on {found.share.text} from which this rule was "
            f"not learned, such as {found.answer!r} on {found.task}"
        )
        yield Hit(message, place=Place(task=found.task), level="warn" if found.asked else None)


def _where_known(graded: Graded, message: str, ways: list[Way], place: Place) -> Hit:
    """Return a hit, or a warning if no right answer is known: then the grader may be meant to reward form alone."""
    said_nothing = all(way.probe in EMPTY or way.probe.startswith(VACUOUS) for way in ways)
    if graded.top is None or not said_nothing or graded.judged.of:
        return _unless_judged(graded, message, place)
    return warn(
        f"no right answer is known, but a reply that earns {graded.top:g} is {message}", place=place
    )


def _unless_judged(graded: Graded, message: str, place: Place) -> Hit:
    """Return a hit, or a note if a stand-in replied in place of the judge model."""
    if graded.judged.of:
        return note(f"a stand-in answered for the judge: {message}", place=place)
    return Hit(message, place=place)


def _often(several: list[GradedReply], way: Way, tasks: int) -> bool:
    """Return whether enough replies were rewarded to rule out coincidence."""
    share = HALF if way.probe.startswith(VACUOUS) else OFTEN
    return len(several) >= max(min(SEVERAL, tasks), share * len(way.replies))


def _tells(several: list[GradedReply], way: Way) -> str:
    share = Share(len(several), len(way.replies)).text
    return f"{way.shortest.how}, such as {_shown(several)}, on {share}"


def _listed(ways: list[Way]) -> str:
    return some_of([way.shortest.how for way in ways])


def _shown(several: list[GradedReply] | tuple[GradedReply, ...]) -> str:
    shortest = min(several, key=lambda each: (len(each.reply), each.task))
    return f"{cut(shortest.reply)} on {shortest.task}"


def _place(several: list[GradedReply] | tuple[GradedReply, ...]) -> Place:
    return Place(task=min(several, key=lambda each: (len(each.reply), each.task)).task)


CHECKS = (
    wrong_reply_paid,
    right_answer_refused,
    right_answer_not_paid,
    answers_not_judged,
    answer_taken_from_the_prompt,
)
