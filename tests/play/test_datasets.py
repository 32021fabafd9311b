"""Tasks as the rows that trainers read: each task once, its seed, and nothing that is hidden."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import skill_tools
from skill_tools.errors import SkillToolsError
from skill_tools.rollouts.datasets import TRAINERS
from tests.conftest import write_counter


def rows(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


@pytest.fixture
def places() -> list[tuple[str, int, int]]:
    """Where the counter's tasks are, and their seeds."""
    return [("train", index, index) for index in range(12)]


@pytest.mark.everything("costly")
@pytest.mark.parametrize("trainer", TRAINERS)
def test_every_task_is_a_row_with_its_place_and_seed_and_without_what_is_hidden(
    trainer: str, counter: Path, tmp_path: Path, places: list[tuple[str, int, int]]
) -> None:
    done = skill_tools.write_dataset(counter, tmp_path / "rows.jsonl", trainer)
    assert done.rows == {"train": 12}
    found = rows(tmp_path / "rows.jsonl")
    about = [row.get("extra_info", row) for row in found]
    assert [(row["split"], row["index"], row["seed"]) for row in about] == places
    assert "word0word" not in (tmp_path / "rows.jsonl").read_text("utf-8")


def test_a_row_opens_with_what_the_environment_shows(counter: Path, tmp_path: Path) -> None:
    skill_tools.write_dataset(counter, tmp_path / "plain.jsonl", split="test")
    [row] = rows(tmp_path / "plain.jsonl")
    system, user = row["prompt"]
    assert system == {"role": "system", "content": "Count to the target."}
    assert user["content"].startswith("The counter is at 0; the target is ")
    assert [tool["name"] for tool in json.loads(row["tools"])] == ["add", "look"]
    skill_tools.write_dataset(counter, tmp_path / "verl.jsonl", "verl", "test")
    [row] = rows(tmp_path / "verl.jsonl")
    assert "<add amount=" in row["prompt"][0]["content"], "verl's model acts in text"
    assert row["prompt"][-1] == user
    assert row["agent_name"] == "counter", "an agent loop of one's own: verl has no interactions"
    assert row["extra_info"] == {"split": "test", "index": 0, "seed": 99}


@pytest.mark.parametrize(
    ("output", "trainer", "split", "said"),
    [
        ("rows.csv", "plain", None, ".csv is not a format for datasets"),
        ("rows.jsonl", "vrl", None, "did you mean 'verl'"),
        ("rows.jsonl", "plain", "tset", "there is no split 'tset'; did you mean 'test'"),
        ("rows.parquet", "nemo_gym", None, "NeMo Gym reads JSON lines"),
        ("there.jsonl", "plain", None, "exists"),
    ],
)
def test_what_cannot_be_written_is_said_and_nothing_is(
    output: str, trainer: str, split: str | None, said: str, counter: Path, tmp_path: Path
) -> None:
    (tmp_path / "there.jsonl").write_text("mine")
    before = sorted(tmp_path.iterdir())
    with pytest.raises(SkillToolsError, match=said):
        skill_tools.write_dataset(counter, tmp_path / output, trainer, split)
    assert sorted(tmp_path.iterdir()) == before
    assert (tmp_path / "there.jsonl").read_text() == "mine"


def test_a_task_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    broken = '            raise KeyError("lost")\n'
    folder = write_counter(
        tmp_path / "counter",
        game=(
            "        self.value = 0\n",
            f"        self.value = 0\n        if seed == 3:\n{broken}",
        ),
    )
    with pytest.raises(SkillToolsError, match="lost"):
        skill_tools.write_dataset(folder, tmp_path / "rows.jsonl")
    assert not (tmp_path / "rows.jsonl").exists()
