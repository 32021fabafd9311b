"""The jupyter environment without a kernel: how answers are judged, the data, the tasks."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import re
import subprocess
import sys
from collections import Counter
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_tools.frameworks.rules import load
from tests.conftest import ROOT
from tests.over import over

JUPYTER = ROOT / "reference_envs" / "jupyter_env"
SPLITS = ("train", "test")


def module(name: str, path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


answers = module("jupyter_answers", JUPYTER / "answers.py")
is_correct = answers.is_correct

TASKS = {
    split: [json.loads(line) for line in (JUPYTER / "tasks" / f"{split}.jsonl").open("rb")]
    for split in SPLITS
}
EVERY = [task for split in SPLITS for task in TASKS[split]]
INTEGER = {"kind": "integer", "answer": "1204"}
NUMBER = {"kind": "number", "answer": "17.25", "tolerance": "0.01", "unit": "EUR"}
TEXT = {"kind": "text", "answer": "North Pier"}
LIST = {"kind": "list", "answer": ["Oak", "North Pier", "10.0.0.7"]}
DATE = {"kind": "date", "answer": "2024-03-07"}


@over(
    ("task", "given"),
    [
        *[(INTEGER, text) for text in ("1204", " 1204\n", "1,204", "+1204", "1204.0", "'1204'")],
        *[
            (NUMBER, text)
            for text in ("17.25", "17.250", "17.26", "17.24", "17.25 EUR", "17.25eur")
        ],
        *[(TEXT, text) for text in ("North Pier", "north  pier ", '"North Pier"', "`NORTH PIER`")],
        *[(LIST, text) for text in ("Oak, North Pier, 10.0.0.7", "oak,north pier,10.0.0.7")],
        (LIST, "['Oak', 'North Pier', '10.0.0.7']"),
        *[(DATE, text) for text in ("2024-03-07", " 2024-03-07 ", "2024-03-07 00:00:00")],
    ],
    ids=lambda value: value["kind"] if isinstance(value, dict) else repr(value),
)
def test_the_form_of_an_answer_is_forgiven(task: dict, given: str) -> None:
    assert is_correct(task, given)


def wide(digits: str) -> str:
    """The digits in their full-width forms, which int() reads."""
    return "".join(chr(ord(c) + 0xFEE0) if c.isdigit() else c for c in digits)


def arabic(digits: str) -> str:
    """The digits in their Arabic forms, which int() reads."""
    return "".join(chr(ord(c) + 0x630) for c in digits)


WRONG = {
    "integer": [
        "1203", "1205", "-1204", "1204.5", "1204 or 1205", "1203 1204", "12,04", "1 204", "1204 EUR",
        "1.204e3", "0x4b4", "nan", "inf", "1e999", "-inf", wide("1204"), arabic("1204"), "1204\x00", "about 1204",
        "1204.0.0", "1_204", "9" * 5000, "1204" + " " * 5000, "", ",", ".", "+", "None", "True",
    ],
    "number": [
        "17.2", "17.27", "17.23", "-17.25", "17,25", "1725", "17.25 or 17.26", "17.25 17.26",
        "17.25 USD", "17.25 EUR EUR", "EUR", "nan", "NaN EUR", "inf", "1e999", "1.725e1", wide("17.25"),
        "17.25.", "69/4", "17.25-17.26", "0", "", "[17.25]", "17.2" + "5" * 300,
    ],
    "text": ["North", "North Pier, Oak", "North Pier or Oak", "NorthPier", "the North Pier", "", "*"],
    "list": [
        "North Pier, Oak, 10.0.0.7", "Oak, North Pier", "Oak, North Pier, 10.0.0.7, Elm", "Oak",
        "Oak North Pier 10.0.0.7", "Oak, Oak, North Pier, 10.0.0.7", "Oak,, North Pier, 10.0.0.7",
        "[[Oak, North Pier, 10.0.0.7]]", "", ",,",
    ],
    "date": [
        "2024-03-08", "2024-07-03", "07/03/2024", "2024-3-7", "2024-03-07 or 2024-03-08", "20240307",
        "2024-03-07 00:00:01", "2024-03-07T10:00", wide("2024") + "-03-07", "", "2024-03-07, 2024-03-07",
    ],
}  # fmt: skip


@over(
    ("task", "given"),
    [(task, text) for task in (INTEGER, NUMBER, TEXT, LIST, DATE) for text in WRONG[task["kind"]]],
    ids=lambda value: value["kind"] if isinstance(value, dict) else repr(value)[:30],
)
def test_the_content_of_an_answer_is_not_forgiven(task: dict, given: str) -> None:
    assert not is_correct(task, given)


@given(st.text() | st.from_regex(r"[-+\d,. eEnNaifx_%]{0,40}"))
def test_any_text_is_judged_and_only_the_number_itself_is_right(text: str) -> None:
    for task in (TEXT, LIST, DATE):
        assert is_correct(task, text) in (True, False)
    for task, close in ((INTEGER, Decimal(0)), (NUMBER, Decimal("0.01"))):
        if is_correct(task, text):
            value = Decimal(re.sub("[^0-9.+-]", "", text))
            assert abs(value - Decimal(task["answer"])) <= close


@given(st.integers(-(10**14), 10**14))
def test_an_integer_is_right_however_it_is_grouped(value: int) -> None:
    task = {"kind": "integer", "answer": str(value)}
    assert is_correct(task, str(value))
    assert is_correct(task, f"{value:,}")
    assert not is_correct(task, str(value + 1))


def near_misses(task: dict) -> list[str]:
    """Answers as close to the right one as a wrong one gets."""
    answer = task["answer"]
    if task["kind"] == "integer":
        return [str(int(answer) + 1), str(int(answer) - 1), f"{answer}0", f"-{answer}"]
    if task["kind"] == "number":
        step = 2 * Decimal(task["tolerance"])
        value = Decimal(answer)
        return [
            str(value + step),
            str(value - step),
            str(-value),
            str(value * 100),
            str(value / 10),
        ]
    if task["kind"] == "list":
        swapped = [answer[1], answer[0], *answer[2:]]
        parts = [swapped, answer[:-1], [*answer, answer[0]]]
        return [", ".join(part) for part in parts] + [" ".join(answer)]
    if task["kind"] == "date":
        day = date.fromisoformat(answer)
        return [str(day + timedelta(1)), str(day - timedelta(1)), f"{day:%d/%m/%Y}"]
    return [f"{answer} or so", answer[:-1], f"{answer}, {answer}"]


@over("task", EVERY, ids=lambda task: task["id"])
def test_each_task_takes_its_answer_and_no_near_miss(task: dict) -> None:
    right = task["answer"] if isinstance(task["answer"], str) else ", ".join(task["answer"])
    assert is_correct(task, right)
    assert [wrong for wrong in near_misses(task) if is_correct(task, wrong)] == []


def test_no_answer_answers_another_task() -> None:
    written = [
        ", ".join(t["answer"]) if isinstance(t["answer"], list) else t["answer"] for t in EVERY
    ]
    hits = [(t["id"], text) for t in EVERY for text in written if is_correct(t, text)]
    assert len(hits) == len(EVERY)


def test_no_answer_is_easily_guessed() -> None:
    for task in EVERY:
        if task["kind"] in ("integer", "number"):
            assert abs(Decimal(task["answer"])) > Decimal("0.1"), task["id"]
            assert len(task["answer"].strip("-")) >= 2, task["id"]
        if task["kind"] == "list":
            assert len(set(task["answer"])) == len(task["answer"]) >= 2, task["id"]
    counts = Counter(json.dumps(task["answer"]) for task in EVERY)
    assert counts.most_common(1)[0][1] == 1


@pytest.mark.parametrize("split", SPLITS)
def test_a_split_is_large_and_begins_with_every_level(split: str) -> None:
    tasks = TASKS[split]
    levels = {"easy", "medium", "hard"}
    assert len(tasks) >= 24
    assert {task["level"] for task in tasks} == levels
    assert min(Counter(task["level"] for task in tasks[:10]).values()) >= 2
    assert {task["level"] for task in tasks[:10]} == levels
    assert {task["kind"] for task in tasks} == set(answers.FORMATS)


def test_the_splits_share_no_question_and_no_data() -> None:
    train, test = (TASKS[split] for split in SPLITS)
    for field in ("question", "asks", "id"):
        assert not {task[field] for task in train} & {task[field] for task in test}
    assert all(
        name.startswith("train/") or name.endswith(".md") for t in train for name in t["files"]
    )
    assert all(
        name.startswith("test/") or name.endswith(".md") for t in test for name in t["files"]
    )
    for path in (JUPYTER / "data" / "train").iterdir():
        other = JUPYTER / "data" / "test" / path.name
        assert path.name == "rates.json" or path.read_bytes() != other.read_bytes()


def test_every_data_file_is_shipped_used_and_small() -> None:
    there = {str(p.relative_to(JUPYTER)) for p in (JUPYTER / "data").rglob("*") if p.is_file()}
    shipped = {path for path in load(JUPYTER).include if path.startswith("data/")}
    used = {f"data/{name}" for task in EVERY for name in task["files"]}
    assert shipped == there == used
    sizes = [(JUPYTER / path).stat().st_size for path in there]
    assert max(sizes) < 100_000
    assert sum(sizes) < 1_500_000


def test_neither_solutions_nor_scripts_are_shipped() -> None:
    shipped = " ".join(load(JUPYTER).domain_files)
    assert "oracle" not in shipped
    assert "solutions" not in shipped
    assert "scripts" not in shipped


def test_what_the_agent_is_told_holds_no_answer() -> None:
    spec = load(JUPYTER)
    assert spec.hidden == ["answer"]
    for task in EVERY:
        reported = "\n".join(
            [spec.prompt.system, spec.prompt.user, task["question"], *task["files"]]
        )
        found = task["answer"] if isinstance(task["answer"], list) else [task["answer"]]
        assert [text for text in found if len(text) > 2 and text.lower() in reported.lower()] == []


def digests(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for part in ("data", "tasks")
        for path in sorted((folder / part).rglob("*"))
        if path.is_file()
    }


def test_the_script_makes_the_same_bytes_again(tmp_path: Path) -> None:
    script = JUPYTER / "scripts" / "make_data.py"
    subprocess.run([sys.executable, "-B", str(script), str(tmp_path)], check=True, timeout=60)
    assert digests(tmp_path) == digests(JUPYTER)
    assert len(digests(tmp_path)) == 21
