"""Driving environments of others: what is written down of a call that was played, refused or late."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import pytest

from skill_tools.audit.driver import DRIVERS

Answer = tuple[Any, ...]


@pytest.fixture
def driving(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module that drivers share, found as they find it."""
    monkeypatch.syspath_prepend(str(DRIVERS))
    import audit_driver

    yield audit_driver
    for name in [each for each in sys.modules if each.startswith("audit_")]:
        del sys.modules[name]


class Telling:
    """An environment that answers each call with the next of some answers."""

    name = "gem"
    versions: dict[str, str] = {}
    prompt: list[Any] = []

    def __init__(self, driving: Any, answers: list[Any]) -> None:
        self.driving, self.answers = driving, list(answers)

    async def open(self, script: dict[str, Any]) -> Telling:
        return self

    async def call(self, tool: str, arguments: Any) -> Any:
        answer = self.answers.pop(0)
        if answer == "refuse":
            raise self.driving.Refused("no such argument")
        return self.driving.Answered([{"type": "text", "text": "x"}], **answer)

    async def end(self, message: str) -> None:
        return None

    async def close(self) -> None:
        pass


def play(driving: Any, *answers: Any, beyond: int = 0) -> dict[str, Any]:
    calls = [{"tool": "say", "arguments": {}} for _ in answers]
    place = {"label": "theirs/0/0", "split": None, "index": None, "seed": 0}
    script = {**place, "policy": "random", "calls": calls, "beyond": beyond}
    environment = Telling(driving, list(answers))
    (played,) = asyncio.run(driving.play_in_turn(environment, [script], 5.0))
    return played.line()


def test_a_refused_call_owes_no_reward(driving: Any) -> None:
    seen = play(driving, "refuse", {"reward": 0.5}, {"reward": None})["seen"]
    assert (seen["rewarded"], seen["unrewarded"]) == (1, 1)


def test_a_late_call_is_refused_unless_the_environment_counts_or_pays_it(driving: Any) -> None:
    end = {"reward": 1.0, "done": True}
    late = [
        {"reward": 0.0, "done": True},
        {"reward": 0.0, "done": True, "counted": True},
        {"reward": 1.0, "done": True},
    ]
    steps = play(driving, end, *late, beyond=3)["trajectory"]["steps"]
    assert [each["error"] for each in steps] == [None, "episode_over", "counted", None]


def test_the_length_of_a_text_is_that_from_before_it_was_cut(driving: Any) -> None:
    from audit_bounds import shown_length, text_block

    assert shown_length(text_block("x" * 90_000)) == 90_000
    assert shown_length(text_block("short (12 characters in all)")) == 28
    assert shown_length({"type": "image", "data": "…"}) == 0


def test_an_answer_in_a_state_is_known_by_the_name_of_its_field(driving: Any) -> None:
    from audit_bounds import name_answers

    state = {"game": [{"secret_word": "crane"}], "expected_answer": {"final": "4"}, "answer": ""}
    assert name_answers(state) == ["expected_answer", "secret_word"]
    assert name_answers({"answer_format": "boxed", "solutions": 0, "question": "?"}) == []
    assert name_answers({"a": {"a": {"a": {"a": {"a": {"a": {"a": {"secret": "deep"}}}}}}}}) == []


def test_an_environment_without_rewards_has_no_return(
    driving: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert play(driving, {}, {})["trajectory"]["return"] == 0.0
    monkeypatch.setattr(Telling, "rewardless", True, raising=False)
    played = play(driving, {}, {})["trajectory"]
    assert (played["return"], played["end"]) == (None, "stopped")
