"""What a field of a task says is its answer is played on all tasks, and so is a wrong answer."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from skill_tools.frameworks.rules import load
from skill_tools.reference.process import Query, one
from skill_tools.reference.replies import NO_KEY, AnswerKey
from tests.checks.test_false_alarms import CONTROLS, reported

ELEMENTS = ("iron", "tin", "silver", "gold", "mercury", "copper", "lead", "zinc")
RIGHT = "right = name.strip().lower() == self._name"
Copy = Callable[..., Path]


@pytest.fixture
def elements(tmp_path: Path) -> Copy:
    """A copy of the environment that asks for elements, with another rule for what is right."""

    def copy(rule: str = RIGHT) -> Path:
        folder = Path(shutil.copytree(CONTROLS / "elements-no-seed", tmp_path / "elements"))
        world = folder / "world.py"
        assert RIGHT in world.read_text()
        world.write_text(world.read_text().replace(RIGHT, rule))
        return folder

    return copy


def foresee(folder: Path, **changes: Any) -> AnswerKey:
    """What comes of it when the oracle has named the first elements."""
    decided = [(place, "submit", {"name": name.title()}) for place, name in enumerate(ELEMENTS)]
    asked = {"split": "train", "decided": decided, "top": 1.0, "max_turns": 5, **changes}
    return one(
        load(folder), folder, Query("foresee", "", {**asked, "limit": {"seconds": 9, "wall": 99}})
    )


def test_nothing_is_told_of_tasks_whose_answers_pay_and_whose_wrong_ones_do_not(
    elements: Copy,
) -> None:
    assert foresee(elements()) == NO_KEY


def test_a_task_deep_in_another_split_whose_answer_does_not_pay_is_given_to_the_oracle(
    elements: Copy,
) -> None:
    (found,) = foresee(elements(f"{RIGHT} != 'nickel'")).solved
    assert (found.task, found.total) == ("test/6", 0.0)


@pytest.mark.everything("costly")
def test_a_single_task_that_takes_a_wrong_answer_is_told(elements: Copy) -> None:
    folder = elements(f"{RIGHT} or self._number == 10")
    (found,) = foresee(folder).loose
    assert (found.split, found.index, found.played.total) == ("train", 12, 1.0)
    assert "train/12" in reported(folder)["REW011"].message


@pytest.mark.everything("checks")
@pytest.mark.parametrize("rule", [f"{RIGHT} and self._tries < 2", "right = True"])
def test_what_is_so_in_most_tasks_is_no_exception(elements: Copy, rule: str) -> None:
    assert foresee(elements(rule)) == NO_KEY


def test_nothing_is_foreseen_where_no_field_is_what_the_oracle_answers(elements: Copy) -> None:
    decided = [(place, "submit", {"name": f"no. {place}"}) for place in range(8)]
    folder = elements(f"{RIGHT} or self._number == 10")
    assert foresee(folder, decided=decided) == NO_KEY
