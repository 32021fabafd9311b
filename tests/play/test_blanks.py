"""Answers with a blank more: what a grader should not mind, and what no grader of code may accept."""

from __future__ import annotations

import pytest

from skill_tools.evidence.trajectory import Step, Trajectory
from skill_tools.probes.answers import blanks
from skill_tools.probes.probe import ProbeContext

TOOL = {
    "name": "answer",
    "description": "Answer.",
    "parameters": {"type": "object", "properties": {"text": {"type": "string"}}},
}


def tried(answer: str) -> set[str]:
    """The probes that are made of a solution with this answer."""
    step = Step(
        tool="answer",
        arguments={"text": answer},
        observation=[{"type": "text", "text": "Right."}],
        reward=1.0,
        done=True,
    )
    solved = Trajectory(
        model="oracle", label="e/train/0/0", split="train", index=0, steps=[step],
        end="terminated", **{"return": 1.0},
    )  # fmt: skip
    played = {solved.label: solved}
    ground = ProbeContext(played, {"oracle": played}, [TOOL], most_calls=4, top=1.0)
    return {trial.probe for trial in blanks(ground)}


@pytest.mark.parametrize("answer", ["3496", "label is red\nweight < 40"])
def test_a_blank_is_tried_before_and_after_an_answer(answer: str) -> None:
    assert tried(answer) == {"blank-before", "blank-after"}


@pytest.mark.parametrize("answer", ["def double(x):\n    return 2 * x", "rules:\n\t- one"])
def test_what_is_indented_gets_no_blank_before_it(answer: str) -> None:
    assert tried(answer) == {"blank-after"}
