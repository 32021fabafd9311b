"""Tests of tasks in JSON-lines files, as every variant reads them."""

from __future__ import annotations

from pathlib import Path

import pytest
from stand_in._shared.task_table import JsonLines

from skill_tools.errors import DomainError
from skill_tools.frameworks.rules import load
from skill_tools.reference.playbook import count_tasks, write_scripts
from tests.conftest import write_counter


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "train.jsonl"


def test_a_file_of_another_system_has_the_same_tasks(file: Path) -> None:
    file.write_bytes(b'\xef\xbb\xbf{"seed": 1, "word": "\xc3\xa4"}\r\n\r\n{}\r\n{"seed": 2}\r\n')
    assert list(JsonLines(file)) == [{"seed": 1, "word": "ä"}, {"seed": 2}]


def test_a_table_of_lines_is_a_sequence(file: Path) -> None:
    file.write_text("".join(f'{{"seed": {n}}}\n' for n in range(5)), "utf-8")
    tasks = JsonLines(file)
    assert (len(tasks), tasks[-1], tasks[1:3]) == (5, {"seed": 4}, [{"seed": 1}, {"seed": 2}])
    with pytest.raises(IndexError):
        tasks[5]


@pytest.mark.parametrize(
    ("line", "error", "says"),
    [
        (b"{oops", ValueError, "Expecting property name"),
        (b'{"a": "\xff"}', ValueError, "can't decode byte 0xff"),
        (b"[1]", TypeError, "not a JSON object"),
    ],
)
def test_a_line_that_is_no_task_is_named_when_it_is_read_and_no_other_is(
    file: Path, line: bytes, error: type[Exception], says: str
) -> None:
    file.write_bytes(b'{"seed": 1}\n\n' + line + b'\n{"seed": 2}')
    tasks = JsonLines(file)
    assert (len(tasks), tasks[0], tasks[2]) == (3, {"seed": 1}, {"seed": 2})
    with pytest.raises(error, match=f"tasks file train.jsonl, line 3: .*{says}"):
        tasks[1]


def test_scripts_of_late_tasks_ask_the_oracle_of_no_others(tmp_path: Path) -> None:
    only = ("    left =", "    assert seed in (9, 10), seed\n    left =")
    spec = load(folder := write_counter(tmp_path / "counter", oracle=only))
    playbook = write_scripts(spec, folder, "train", 2, first=9)
    assert list(playbook.scripts["oracle"]) == ["counter/train/9/9", "counter/train/10/10"]
    assert sorted(playbook.places.values()) == [9, 10]
    with pytest.raises(DomainError, match="there is no task 12 in 'train'; it has 0 to 11"):
        write_scripts(spec, folder, "train", 1, first=12)
    assert count_tasks(spec, folder) == {"train": 12, "test": 1}
