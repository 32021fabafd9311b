"""Tests of the requests to a model server, and of the parts of requests that are never shown."""

from __future__ import annotations

import pytest
from stand_in._shared.arguments import clean_all
from stand_in._shared.models.connections import key_in
from stand_in._shared.rollouts.command_line import model_address

URL = "http://127.0.0.1:9/v1"


def test_blanks_around_a_key_are_no_part_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROLLOUT_API_KEY", "sk-word\n")
    assert model_address("any", URL) == (URL, "sk-word")
    monkeypatch.setenv("ROLLOUT_API_KEY", " ")
    assert model_address("any", URL) == (URL, "none")


@pytest.mark.parametrize("key", ["sk-wo\nrd", "sk-wo\u00f6rd", "sk-wo\x7frd"])
def test_a_key_that_no_header_can_hold_is_refused_and_not_shown(
    monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    monkeypatch.setenv("ROLLOUT_API_KEY", key)
    with pytest.raises(ValueError, match="ROLLOUT_API_KEY holds") as refused:
        key_in("ROLLOUT_API_KEY")
    assert "sk-wo" not in str(refused.value)


def test_what_cannot_be_compared_stays_in_a_task_as_it_is() -> None:
    class Numbers:
        """A value that, like an array, raises an error if it is compared as a whole."""

        def __eq__(self, other: object) -> bool:
            raise ValueError("the truth value of an array is ambiguous")

    numbers = Numbers()
    task = {"grid": numbers, "words": ["half \ud83d"]}
    cleaned = clean_all(task)
    assert cleaned["grid"] is numbers
    assert cleaned["words"] == ["half \ufffd"]
    whole = {"grid": numbers}
    assert clean_all(whole) is whole
