"""Rows that somebody has become a single-turn environment, or an error says what is missing."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import skill_tools
from skill_tools.cli.app import app
from skill_tools.errors import SkillToolsError
from skill_tools.report.outcome import Outcome
from tests.over import over

CITIES = {
    "France": "Paris", "Spain": "Madrid", "Italy": "Rome", "Norway": "Oslo", "Greece": "Athens",
    "Poland": "Warsaw", "Kenya": "Nairobi", "Peru": "Lima", "Japan": "Tokyo", "Chile": "Santiago",
    "Cuba": "Havana", "Egypt": "Cairo",
}  # fmt: skip
OTHERS = ("Bergen", "Osaka", "Lyon")


def gsm(number: int) -> dict[str, Any]:
    boxes, pens = 13 + number * 7, 11 + number * 3
    worked = f"<<{boxes}*{pens}={boxes * pens}>>\n#### {boxes * pens:,}"
    return {"question": f"{boxes} boxes hold {pens} pens each. How many pens?", "answer": worked}


def choice(number: int) -> dict[str, Any]:
    country, city = list(CITIES.items())[number % len(CITIES)]
    options = list(OTHERS)
    options.insert(number % 4, city)
    return {
        "id": f"q{number}",
        "question": f"What is the capital of {country} ({number})?",
        "choices": {"text": options, "label": list("ABCD")},
        "answerKey": "ABCD"[number % 4],
    }


def text(number: int) -> dict[str, Any]:
    country, city = list(CITIES.items())[number]
    return {"prompt": f"Name the capital of {country}.", "label": city}


def nested(number: int) -> dict[str, Any]:
    answer = json.dumps({"width": number + 3, "sides": [number, number * 2]})
    return {"instruction": f"Give the shape number {number} as JSON.", "expected": answer}


KINDS = {"number": (gsm, 40), "choice": (choice, 40), "text": (text, 12), "json": (nested, 12)}


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def judged(outcome: Outcome) -> Mapping[str, str]:
    bad = ("fail", "warn")
    return {f.check: f.message for f in outcome.report.findings if f.status in bad}


@pytest.mark.everything("costly")
@over("kind", KINDS, few=1, part="checks")
def test_rows_become_a_green_environment_with_a_grader_for_their_answers(
    kind: str, tmp_path: Path
) -> None:
    row, count = KINDS[kind]
    data = write(tmp_path / "rows.jsonl", [row(number) for number in range(count)])
    found = skill_tools.new_from_rows(tmp_path / "quiz", data)
    assert found.kind == kind
    assert sum(found.splits.values()) == count
    outcome = skill_tools.check(tmp_path / "quiz", play=True)
    assert judged(outcome) == {}
    assert {t.total for t in outcome.evidence.reference.episodes["oracle"].values()} == {1.0}
    assert {t.total for t in outcome.evidence.reference.episodes["noop"].values()} == {0.0}


def test_answers_in_latex_are_compared_by_math_verify_in_a_process_of_its_own(
    tmp_path: Path,
) -> None:
    rows = [
        {"problem": f"Simplify {2 * n}/{4 * n + 2}.", "answer": f"$\\frac{{{n}}}{{{2 * n + 1}}}$"}
        for n in range(2, 22)
    ]
    found = skill_tools.new_from_rows(tmp_path / "exact", write(tmp_path / "rows.jsonl", rows))
    assert found.kind == "latex"
    env = (tmp_path / "exact" / "env.yaml").read_text("utf-8")
    assert "math-verify" in env
    world = (
        (tmp_path / "exact" / "world.py")
        .read_text("utf-8")
        .replace("from .expressions", "from json")
    )
    known: dict[str, Any] = {}
    exec(world.replace("import COMPARER", "import loads as COMPARER"), known)  # noqa: S102 - our template
    read = known["read_answer"]
    assert read("So \\boxed{\\frac{2}{5}}.") == "\\frac{2}{5}"
    for text in ("\\boxed{1} or \\boxed{2}", "\\boxed{", "\\boxed{}", "Answer: 2"):
        assert read(text) is None, text


@pytest.mark.everything("checks")
def test_ids_options_and_the_splits_of_a_folder_are_kept(tmp_path: Path) -> None:
    write(tmp_path / "data" / "train.jsonl", [choice(number) for number in range(24)])
    write(tmp_path / "data" / "validation.jsonl", [choice(number) for number in range(24, 36)])
    found = skill_tools.new_from_rows(tmp_path / "quiz", tmp_path / "data")
    assert (found.question, found.answer) == ("question", "answerKey")
    assert dict(found.splits) == {"train": 24, "validation": 12}
    lines = (tmp_path / "quiz" / "tasks" / "train.jsonl").read_text("utf-8").splitlines()
    task = json.loads(lines[1])
    assert task["id"] == "q1"
    assert task["question"].splitlines()[1:] == ["A. Bergen", "B. Madrid", "C. Osaka", "D. Lyon"]
    assert task["answer"] == "B"


def test_one_split_is_divided_and_a_table_is_read(tmp_path: Path) -> None:
    with (tmp_path / "sums.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["problem", "solution", "why"])
        table.writerows([f"{n} plus 1?", n + 1, "by counting"] for n in range(30))
    found = skill_tools.new_from_rows(
        tmp_path / "sums", tmp_path / "sums.csv", question="problem", answer="solution"
    )
    assert (found.kind, dict(found.splits)) == ("number", {"train": 27, "test": 3})


WRONG = {
    "an answer that only a person grades": (
        [{"question": f"Why {n}?", "answer": "Because " * 20} for n in range(5)],
        {},
        "long texts, such as 'Because",
    ),
    "a row without an answer": (
        [*[gsm(n) for n in range(5)], {"question": "And now?", "answer": ""}],
        {},
        "row 6 has no answer in 'answer'",
    ),
    "no field of answers": (
        [{"question": f"{n} plus 1?", "url": "x"} for n in range(5)],
        {},
        "name the field with --answer FIELD",
    ),
    "a field that is not there": (
        [gsm(n) for n in range(5)],
        {"answer": "anwser"},
        "no row has a field 'anwser'; did you mean 'answer'",
    ),
    "no rows": ([], {}, "has no rows"),
}


@over(("rows", "named", "said"), WRONG.values(), ids=WRONG)
def test_rows_that_cannot_be_graded_are_refused_and_nothing_is_written(
    rows: list[dict[str, Any]], named: dict[str, str], said: str, tmp_path: Path
) -> None:
    data = write(tmp_path / "rows.jsonl", rows)
    with pytest.raises(SkillToolsError, match=said):
        skill_tools.new_from_rows(tmp_path / "quiz", data, **named)
    assert not (tmp_path / "quiz").exists()


@pytest.mark.everything("checks")
def test_the_command_says_what_it_took_and_refuses_other_kinds(tmp_path: Path) -> None:
    data = write(tmp_path / "rows.jsonl", [gsm(number) for number in range(20)])
    made = ["new", str(tmp_path / "sums"), "--data", str(data), "--archetype"]
    wrong = CliRunner().invoke(app, [*made, "text-action"])
    assert isinstance(wrong.exception, SkillToolsError)
    assert "--data is for single-turn" in str(wrong.exception)
    run = CliRunner().invoke(app, [*made, "single-turn"])
    assert run.exit_code == 0, run.output
    assert "answers: the field 'answer', compared as number" in run.output
    assert "18 of train, 2 of test" in run.output
