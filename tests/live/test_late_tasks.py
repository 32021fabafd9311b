"""A late task of a long split costs what an early one does: no variant reads those before it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from skill_tools.pipeline import render, rollout
from tests.conftest import write_counter
from tests.live.frameworks import FRAMEWORK_NAMES
from tests.selection import some

LAST = 5_000


@pytest.mark.parametrize("framework", some(FRAMEWORK_NAMES, usual=("openenv",)))
def test_the_last_task_of_a_split_is_played_without_reading_another(
    framework: str, tmp_path: Path
) -> None:
    files = ("tasks: tasks:TASKS", "tasks: tasks/{split}.jsonl")
    folder = write_counter(
        tmp_path / "counter", env=[files, ("episode:", f"frameworks: [{framework}]\nepisode:")]
    )
    (folder / "tasks.py").unlink()
    (folder / "tasks").mkdir()
    last = json.dumps({"id": "last", "seed": 3, "target_word": "zebra"})
    # Whoever reads a line before it fails.
    lines = ["broken, and never read"] * LAST
    (folder / "tasks" / "train.jsonl").write_text("\n".join([*lines, last]) + "\n", "utf-8")
    render(folder)
    (played,) = rollout(folder, framework, indices=(LAST, LAST))
    assert (played.task_id, played.end, played.total) == ("last", "terminated", 1.0)
