"""What env.yaml may declare of models inside, and what is refused with which advice."""

from __future__ import annotations

from pathlib import Path

import pytest

from skill_tools.errors import SpecError
from skill_tools.frameworks.rules import load
from tests.conftest import write_counter
from tests.over import over

JUDGE = (
    "models:\n  judge: {purpose: judge, rubric: {criteria: {good: {description: It is good.}}}}\n"
)
SOFT = "reward: {soft: {judge: 0.1}}\n"
FRIEND = "models:\n  friend: {purpose: user, MORE}\n"
RUBRIC = "rubric: {criteria: {a: {description: b}}}"


def judge(more: str) -> str:
    return JUDGE.replace("judge,", f"judge, {more},") + SOFT


WRONG: dict[str, tuple[str, str]] = {
    "no share": (JUDGE, "what share of the reward this judge decides"),
    "all of it, without a reason": (
        JUDGE + "reward: {soft: {judge: 1}}\n",
        "which needs a reason",
    ),
    "a share of nobody": (
        JUDGE + "reward: {soft: {judge: 0.1, other: 0.1}}\n",
        "there is no model 'other'",
    ),
    "more than all": (
        JUDGE + "reward: {soft: {judge: {share: 1.0, reason: Yes.}, other: 0.5}}\n",
        "add up to more than 1",
    ),
    "no hidden field": (judge("hidden: [nothing]"), "is not a hidden task field"),
    "instructions without the mark": (
        judge("instructions: Grade it."),
        "do not name the mark {mark}",
    ),
    "a judge that talks": (judge("stop: DONE"), "a judge has no conversation"),
    "a user with a rubric": (FRIEND.replace("MORE", RUBRIC), "only a judge has a rubric"),
    "a user who is told the answer": (
        FRIEND.replace("MORE", "instructions: 'It is {target_word}.'"),
        "the hidden task field 'target_word' reaches this model",
    ),
    "a name that is taken": (
        "models:\n  task: {purpose: user}\n",
        "cannot be the name of a model",
    ),
}


@over("wrong", WRONG)
def test_a_declaration_that_cannot_hold_is_refused(wrong: str, tmp_path: Path) -> None:
    more, why = WRONG[wrong]
    with pytest.raises(SpecError) as refused:
        load(write_counter(tmp_path / "counter", env=("episode:", f"{more}episode:")))
    assert why in str(refused.value)


def test_defaults_depend_on_the_purpose(tmp_path: Path) -> None:
    more = JUDGE + "  friend: {purpose: user}\n" + SOFT
    spec = load(write_counter(tmp_path / "counter", env=("episode:", f"{more}episode:")))
    judge, friend = (spec.model_rules()[name] for name in ("judge", "friend"))
    assert (judge["temperature"], judge["cache"], judge["stand_in"]) == (0.0, True, "oracle:judge")
    assert (friend["temperature"], friend["cache"]) == (None, False)
    assert spec.waits
    assert not spec.blocking
