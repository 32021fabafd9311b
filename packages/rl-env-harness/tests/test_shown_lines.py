"""Tests of the lines that a rollout prints during an episode."""

from __future__ import annotations

from argparse import Namespace

import pytest
from stand_in._shared.rollouts import play


def test_a_rollout_prints_the_beginning_of_a_large_observation_and_how_much_is_left(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assignment = play.Assignment("train", 0, {}, 0, 5)
    shown = {"type": "text", "text": "\n".join(f"line {n}" for n in range(200_000))}
    step = {"tool": "log", "arguments": {}, "observation": [shown], "error": None}
    play.show("oracle", assignment, {**step, "reward": 0.0, "done": False}, Namespace(quiet=False))
    printed = capsys.readouterr().out
    assert "line 0\n" in printed
    assert f"[and {len(shown['text']) - play.PRINTED} more characters]" in printed
    assert len(printed) < 20_000
