"""The tasks of an environment that asks one question a task are looked at as rows, and those of games are not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from skill_tools import check
from skill_tools.evidence.probed import Probed
from skill_tools.evidence.surveyed import Opened, Solved
from skill_tools.pipeline.datasets.task_rows import survey_tasks
from tests.over import over

SPEC = """
name: quiz
title: Quiz
description: The agent answers a question.
archetype: text-action
domain: game:Quiz
tasks: tasks:TASKS
hidden: [answer]
seed: {used: false, reason: the task has the question}
oracle: oracle:solve
prompt:
  system: "Answer the question with a whole number. A right answer earns 1, any other 0."
  user: "{observation}"
tools:
  answer:
    description: Hand in the answer, a whole number.
    parameters:
      number: {type: integer, minimum: 0, maximum: 99999, description: The answer.}
reward: {range: [0.0, 1.0], timing: terminal}
episode: {max_turns: 3}
frameworks: [gem]
"""
GAME = '''
class InvalidAction(Exception):
    """A call that the rules do not allow."""


class Quiz:
    def __init__(self, task, seed):
        self.task, self.reward, self.done = task, 0.0, False

    def observe(self):
        return self.task["question"]

    def answer(self, number):
        self.done = True
        self.reward = float(number == self.task["answer"])
        return "That is your answer."
'''
ORACLE = """
def solve(task, seed):
    return [("answer", {"number": task["answer"]})]
"""


def story(n: int, name: str) -> dict[str, Any]:
    asked = (
        f"{name} walks {n} miles on each of {n + 3} days, then rests at an inn and counts them all. How "
        "many are there?"
    )
    return {"question": asked, "answer": n * (n + 3)}


TRAIN = [story(n, "Tom") for n in range(11, 31)]
TEST = [story(n, "Tom") for n in range(31, 41)]
SHOUTED = [{**task, "question": task["question"].upper()} for task in TRAIN[:10]]
RENAMED = [story(n, "Ida") for n in range(11, 21)]


def reported(folder: Path, train: list[dict[str, Any]], test: list[dict[str, Any]]) -> list[str]:
    """What DAT says of the environment: its id, level and message."""
    folder.mkdir()
    files = {"env.yaml": SPEC, "game.py": GAME, "oracle.py": ORACLE}
    files["tasks.py"] = f"TASKS = {json.dumps({'train': train, 'test': test})}\n"
    for name, text in files.items():
        (folder / name).write_text(text)
    outcome = check(folder, play=True)
    assert outcome.evidence.audit.rows, outcome.report.findings
    findings = [f for f in outcome.report.findings if f.check.startswith("DAT")]
    return [
        f"{f.check} {f.status}: {f.message}" for f in findings if f.status not in ("pass", "skip")
    ]


@pytest.mark.everything("graders")
def test_tasks_that_are_those_of_another_split_in_another_form_are_told(tmp_path: Path) -> None:
    (one,) = reported(tmp_path / "a", TRAIN, SHOUTED)
    assert one.startswith(
        "DAT001 fail: 10 of 10 rows of test are in train, as the same question except"
    )
    assert "test/0 'TOM WALKS 11 MILES" in one
    (one,) = reported(tmp_path / "b", TRAIN, RENAMED)
    assert one.startswith(
        "DAT001 fail: 10 of 10 rows of test are in train, as the same question except for names"
    )
    (one,) = reported(tmp_path / "c", [*TRAIN, {**TRAIN[4], "answer": 7}], TEST)
    assert one.startswith(
        "DAT003 fail: 1 of 21 rows of train ask the same question, with a different answer: train/20"
    )


@pytest.mark.everything("graders")
def test_sound_tasks_are_left_in_peace(tmp_path: Path) -> None:
    assert reported(tmp_path / "quiz", TRAIN, TEST) == []


def probed(prompts: list[str], steps: int = 1) -> Probed:
    places = [{"split": "train", "index": n} for n in range(len(prompts))]
    opened = [
        Opened(**place, id=None, seed=0, fields={}, prompt=text, error="")
        for place, text in zip(places, prompts, strict=True)
    ]
    solved = [
        Solved(**place, seed=None, steps=steps, calls=f"c{place['index']}", end="terminated", failure=None, **{"return": 1.0})  # noqa: E501
        for place in places
    ]  # fmt: skip
    return Probed(opened=opened, solved=solved)


@over(
    ("seen", "tools"),
    [
        (probed(["Guess my word."] * 12), 1),
        (probed([f"What is in box {n}?" for n in range(12)], steps=3), 1),
        (probed([f"What is in box {n}?" for n in range(12)]), 2),
        (probed([f"What is in box {n}?" for n in range(3)]), 1),
        (None, 1),
    ],
    ids=["what is shown decides nothing", "several calls", "several tools", "few", "not looked at"],
)
def test_what_asks_no_question_a_task_is_no_data_set(seen: Probed | None, tools: int) -> None:
    assert survey_tasks(seen, tools) is None
    assert survey_tasks(probed([f"What is in box {n}?" for n in range(12)]), 1)
