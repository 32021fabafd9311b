"""GRA001 and 014 on replies that a grader scored: how much a wrong one earns, and the fix that follows from it."""

from __future__ import annotations

from collections import Counter

import pytest

from skill_tools.checks.check import Hit
from skill_tools.checks.rules.graders.answers import right_answer_not_paid, right_answer_refused
from skill_tools.checks.rules.graders.causes import PAID, REFUSED, common_cause, fix_for
from skill_tools.checks.rules.graders.wrong_replies import wrong_reply_earns_more, wrong_reply_paid
from skill_tools.evidence.declaration import Declaration
from skill_tools.evidence.evidence import AuditRun, Evidence
from skill_tools.evidence.grading.graded import Expectation, Graded, GradedReply
from skill_tools.evidence.grading.shares import Share
from tests.over import over


def graded(
    kind: str, *ways: tuple[str, float], right: float = 1.0, must: Expectation = "wrong"
) -> Evidence:
    """Evidence of four tasks, on which each way of replying earns the same."""
    replies = [
        GradedReply(f"t/{task}", probe, expected, f"as {probe}", probe, paid)
        for task in range(4)
        for probe, expected, paid in [
            ("right", "right", right),
            ("zero", "wrong", 0.0),
            *((name, must, earned) for name, earned in ways),
        ]
    ]
    run = AuditRun(graded=Graded(kind=kind, tasks=4, replies=tuple(replies)))
    return Evidence(Declaration(name="some"), audit=run)


def hits(evidence: Evidence) -> list[Hit]:
    return [*wrong_reply_earns_more.find(evidence), *wrong_reply_paid.find(evidence)]


@over(
    ("kind", "probe", "earned", "level"),
    [
        ("number", "next", 1.0, None),
        ("number", "next", 0.98, "warn"),
        ("number", "next", 0.6, "note"),
        ("list", "all-but-last", 0.98, "note"),
        ("list", "all-but-last", 0.6, ""),
        ("list", "nonsense", 0.98, "fail"),
        ("list", "nonsense", 0.6, "warn"),
        ("number", "next", 0.4, ""),
    ],
)
def test_a_wrong_answer_is_reported_by_how_much_it_earns(
    kind: str, probe: str, earned: float, level: str | None
) -> None:
    found = hits(graded(kind, (probe, earned)))
    assert [hit.level for hit in found] == ([] if level == "" else [level])
    if level:
        assert f"earns {earned:.0%} of the right answer's reward" in found[0].message


@pytest.mark.everything("graders")
def test_the_highest_reward_of_a_right_answer_is_stated_if_it_is_not_1() -> None:
    (hit,) = hits(graded("number", ("next", 0.9), right=0.98))
    assert "at most 0.98" in hit.message
    (hit,) = hits(graded("number", ("next", 0.95)))
    assert "at most" not in hit.message


@pytest.mark.everything("graders")
def test_a_wrong_reply_that_earns_more_than_the_right_answer_is_a_finding_of_its_own() -> None:
    more, like = hits(graded("number", ("blocks.steps", 2.0), ("negated", 1.0)))
    assert "earns 2, more than the right answer (1)" in more.message
    assert "bonus" in more.fix
    assert "as negated" in like.message
    assert "steps" not in like.message
    assert not hits(graded("number", ("blocks.steps", 2.0), must="equivalent"))


@over(
    ("probe", "word"),
    [
        ("all", "several answers"),
        ("empty-slot", "readable"),
        ("negated", "own place"),
        ("off", "as a number"),
        ("json.no-last-item", "whole answer"),
        ("swapped", "order"),
        ("more", "additional"),
        ("unit.case", "unit"),
        ("echo", "prompt"),
    ],
)
def test_the_fix_follows_from_the_wrong_reply(probe: str, word: str) -> None:
    (hit,) = hits(graded("text", (probe, 1.0)))
    assert word in hit.fix
    assert len({fix_for(PAID, [each]) for each in ("all", "negated", "off", "more", "echo")}) == 5


@over(
    ("rewarded", "refused", "cause"),
    [
        (["negated", "hedged", "after", "all"], ["next"], "any reply that contains it"),
        (["negated", "hedged", "hedged-last", "all"], ["after"], "any answer that contains it"),
        (["hedged", "denied", "drafted"], ["hedged-last", "all"], "the first answer in a reply"),
        (["near", "slight", "next"], ["off", "far"], "a number up to 1 % away"),
        (["first", "all-but-last"], ["more", "swapped"], "a part of the right answer"),
        (["empty", "nonsense", "value.null"], ["next"], "a reply without a readable answer"),
        (["near"], ["off"], ""),
    ],
)
def test_what_rewarded_replies_have_in_common_is_named_first(
    rewarded: list[str], refused: list[str], cause: str
) -> None:
    rewards = [*((probe, 1.0) for probe in rewarded), *((probe, 0.0) for probe in refused)]
    (hit,) = hits(graded("number", *rewards))
    assert f"rewarded like the right answer: {cause}" in hit.message
    several = Counter(rewarded)
    assert common_cause(several, several | Counter(refused))[0].startswith(cause)


@pytest.mark.everything("graders")
def test_the_fix_follows_from_the_spelling_that_is_refused() -> None:
    (hit,) = right_answer_refused.find(
        graded("number", ("number.separators", 0.0), must="equivalent")
    )
    assert "by value" in hit.fix
    assert "dates" in fix_for(REFUSED, ["date.words"])
    assert "dates" in fix_for(REFUSED, ["text.iso"])


@pytest.mark.everything("graders")
def test_a_spelling_is_not_blamed_if_the_same_answer_earns_nothing_later() -> None:
    once = GradedReply("t/0", "right", "right", "right", "x", 1.0)
    zero = GradedReply("t/0", "zero", "wrong", "", "0", 0.0)
    upper = GradedReply("t/0", "upper", "equivalent", "in capitals", "X", 0.0)
    again = GradedReply("t/0", "again", "same", "again", "x", 0.0)
    for replies, refused in (((once, zero, upper), True), ((once, zero, upper, again), False)):
        run = AuditRun(graded=Graded(kind="text", tasks=1, replies=replies))
        found = list(right_answer_refused.find(Evidence(Declaration(name="some"), audit=run)))
        assert any("refused when written" in each.message for each in found) is refused


@pytest.mark.everything("graders")
def test_what_was_rewarded_on_many_tasks_is_named_before_what_was_on_few() -> None:
    passage = "the whole passage, which is longer"
    replies = [
        GradedReply(f"t/{task}", probe, expected, f"as {probe}", reply, paid)
        for task in range(8)
        for probe, expected, reply, paid in [
            ("right", "right", "x", 1.0),
            ("zero", "wrong", "0", 0.0),
            ("column", "wrong", passage, 1.0),
            *([("sign", "wrong", "-1", 1.0)] if task < 4 else []),
        ]
    ]
    run = AuditRun(graded=Graded(kind="text", tasks=8, replies=tuple(replies)))  # type: ignore[arg-type]
    (hit,) = hits(Evidence(Declaration(name="some"), audit=run))
    assert hit.message.index("as column") < hit.message.index("as sign")


@pytest.mark.everything("graders")
def test_right_answers_that_earn_half_of_what_most_earn_are_warned_about() -> None:
    def hits(*paid: float) -> list[str]:
        replies = [
            GradedReply(f"t/{task}", probe, must, "", probe, earned)  # type: ignore[arg-type]
            for task, right in enumerate(paid)
            for probe, must, earned in (("right", "right", right), ("zero", "wrong", 0.0))
        ]
        run = AuditRun(graded=Graded(kind="text", tasks=len(paid), replies=tuple(replies)))
        evidence = Evidence(Declaration(name="some"), audit=run)
        return [hit.message for hit in right_answer_not_paid.find(evidence)]

    (message,) = hits(1.0, 0.5, 1.0, 1.0)
    assert "earned at most 0.5 on 1 of 4 tasks" in message
    assert not hits(1.0, 0.5, 0.6, 0.8)
    assert not hits(1.0, 0.9, 1.0, 1.0)


@pytest.mark.everything("graders")
def test_a_right_answer_that_a_stand_in_refuses_is_a_note() -> None:
    replies = [
        GradedReply(f"t/{task}", probe, must, "", probe, paid)  # type: ignore[arg-type]
        for task in range(4)
        for probe, must, paid in (("right", "right", float(task > 0)), ("zero", "wrong", 0.0))
    ]
    for judged, level in ((Share(4, 4), "note"), (Share(0, 0), None)):
        run = AuditRun(graded=Graded(kind="text", tasks=4, replies=tuple(replies), judged=judged))
        (hit,) = right_answer_not_paid.find(Evidence(Declaration(name="some"), audit=run))
        assert hit.level == level
