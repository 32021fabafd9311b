"""What the report of an audit tells: exit codes, how far was looked, and all that a message names only some of."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.command_line import skill_tools

ROWS = [
    {"prompt": f"What is {n} plus 40? Reply with the number.", "answer": str(n + 40)}
    for n in range(9)
]
ANYWHERE = (
    "def reward(completion, answer, **more):\n    return float(answer in completion)\n\n\n"
    "def nothing(completion, answer):\n    return 0.0\n"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "reward.py").write_text(ANYWHERE)
    (tmp_path / "rows.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in ROWS))
    return tmp_path


@pytest.mark.everything("graders")
def test_all_replies_behind_a_number_of_them_are_listed_on_request(folder: Path) -> None:
    told = ["audit", f"{folder}/reward.py:reward", "--dataset", str(folder / "rows.jsonl")]
    brief, whole = skill_tools(*told), skill_tools(*told, "-v")
    assert brief.returncode == whole.returncode == 1
    (more,) = re.findall(r"GRA001 .* and (\d+) more", brief.stdout)
    said = whole.stdout.partition("GRA001")[2].partition("fix:")[0]
    replies = re.findall(r"^ +- (.+): ['\"].* on reward/rows/\d+/0: 1", said, re.MULTILINE)
    assert len(set(replies)) >= int(more)
    assert "     - " not in brief.stdout


@pytest.mark.everything("costly")
def test_tasks_on_which_replies_were_scored_are_not_called_not_played(folder: Path) -> None:
    told = ["audit", f"{folder}/reward.py:reward", "--dataset", str(folder / "rows.jsonl")]
    said = skill_tools(*told).stdout
    assert "on 9 of 9 tasks" in said
    assert "replies were scored on 9 tasks" in said
    assert "Not played" not in said


@pytest.mark.everything("graders")
def test_what_was_not_judged_ends_with_1_unless_only_failed_checks_are_to_fail(
    folder: Path,
) -> None:
    told = ["audit", f"{folder}/reward.py:nothing", "--dataset", str(folder / "rows.jsonl")]
    by_default, asked = skill_tools(*told), skill_tools(*told, "--fail-on", "fail")
    assert "not judged" in by_default.stdout
    assert "to accept this, use --fail-on fail" in by_default.stdout
    assert (by_default.returncode, asked.returncode) == (1, 0)


def test_the_range_of_rewards_is_two_numbers_in_its_help() -> None:
    assert "--reward-range MINIMUM MAXIMUM" in skill_tools("audit", "--help").stdout
