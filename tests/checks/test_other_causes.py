"""What another argument, another call or another word explains is not reported; each of these was, once."""

from __future__ import annotations

from copy import deepcopy

import pytest

from skill_tools import checks
from skill_tools.checks.rules.observations.formats import _RANGE
from skill_tools.evidence.evidence import Evidence

from .exploited import EXPLORED, WORDS, Edit, asked, attempts, declared, opened, together

pytestmark = pytest.mark.everything("checks")
EMPTY = {"parameter": "note", "how": "empty", "kind": "far"}


def reported(edit: Edit, evidence: Evidence, identity: str) -> bool:
    found = [f for f in checks.run(edit(evidence)) if f.check == identity]
    return any(f.status in ("fail", "warn") for f in found)


def only_first(edit: Edit) -> Edit:
    """The attempts of an edit, on one task alone."""

    def change(evidence: Evidence) -> Evidence:
        changed = edit(evidence)
        for several in changed.probed.attempts.values():
            del several[1:]
        return changed

    return change


def test_a_bound_is_not_at_fault_if_the_refusal_names_another_argument(good: Evidence) -> None:
    edit, _ = WORDS["WOR007"]
    assert reported(edit, good, "WOR007")

    def of_the_note(evidence: Evidence) -> Evidence:
        changed = edit(evidence)
        said = [{"type": "text", "text": "a note must have at most 3 letters"}]
        for each in changed.probed.attempts["edge"]:
            steps = each.trajectory.steps
            steps[:] = [step.model_copy(update={"observation": said}) for step in steps]
        return changed

    assert not reported(of_the_note, good, "WOR007")


def test_a_last_call_that_alone_earns_nothing_is_no_answer_for_all(good: Evidence) -> None:
    edit, _ = EXPLORED["TAS003"]
    assert reported(edit, good, "TAS003")
    without = together(edit, attempts("right", "", 0.0))
    assert not reported(without, good, "TAS003")


def test_an_empty_last_call_that_is_tried_on_one_task_is_no_wrong_answer(good: Evidence) -> None:
    after = attempts("wrong-after", "note: empty", 1.0, change=EMPTY)
    nothing = attempts("right", "", 0.0)
    assert reported(together(nothing, after), good, "REW011")
    assert not reported(together(nothing, only_first(after)), good, "REW011")


def test_the_only_reply_may_have_several_moves(good: Evidence) -> None:
    def promised(unit: str) -> Edit:
        return together(opened(f"Give a route of at most 60 {unit}."), declared(max_turns=1))

    assert reported(promised("messages"), good, "WOR005")
    assert not reported(promised("moves"), good, "WOR005")


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        ("weights of 1 to 99", ("1", "99")),
        ("weights between 1 and 99", ("1", "99")),
        ("the nights of 3 and 4 May", None),
    ],
)
def test_two_days_are_no_range(text: str, bounds: tuple[str, str] | None) -> None:
    found = _RANGE.search(text)
    assert (found and (found["low"] or found["lowest"], found["high"])) == bounds


def test_what_a_reply_of_one_turn_may_contain_any_number_of_times_is_no_limit_of_turns(
    good: Evidence,
) -> None:
    edit = asked("Other crops may be grown any number of times.")
    assert reported(edit, good, "WOR013")
    assert not reported(together(declared(max_turns=1), edit), good, "WOR013")


def test_a_call_that_is_allowed_once_need_not_end_the_episode_if_no_second_one_is_accepted(
    good: Evidence,
) -> None:
    assert reported(asked("Call `add` once."), good, "WOR011")

    def refused(evidence: Evidence) -> Evidence:
        changed = deepcopy(asked("Call `add` once.")(evidence))
        for each in changed.every_bare:
            later = [step for step in each.steps if step.tool == "add"][1:]
            each.steps[:] = [
                step.model_copy(update={"error": "invalid_action"}) if step in later else step
                for step in each.steps
            ]
        return changed

    assert not reported(refused, good, "WOR011")
