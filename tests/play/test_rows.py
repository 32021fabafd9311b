"""Reading the rows of a data set, guessing their fields, and comparing many of them."""

from __future__ import annotations

import gzip
import json
import math
import random
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from skill_tools import check_data
from skill_tools.errors import SkillToolsError
from skill_tools.evidence.grading.rows import RowSurvey
from skill_tools.graders.datasets import near_copies, solver, survey
from skill_tools.graders.datasets.fields import guess_fields
from skill_tools.graders.datasets.files import rows_of
from skill_tools.graders.datasets.normalization import canonical, words
from skill_tools.graders.datasets.survey import survey_rows
from tests.command_line import skill_tools
from tests.conftest import ROOT
from tests.over import over

ROWS = [{"question": f"How old is tree number {n} here?", "answer": str(n * 7)} for n in range(12)]


NEMO = "responses_create_params"
NEMO_INPUT = f"{NEMO}.input"


def lines(rows: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def counts(seen: RowSurvey) -> dict[tuple[str, str, str], int]:
    return {(each.kind, each.split, each.other): each.rows for each in seen.found}


@over(
    ("name", "text"),
    [
        ("train.jsonl", lines(ROWS) + "\n"),
        ("train.json", json.dumps(ROWS)),
        ("data.json", json.dumps({"train": ROWS, "test": ROWS[:2]})),
        ("one.json", json.dumps({"version": 1, "words": ["a"], "data": ROWS})),
        ("train.json", lines(ROWS)),
        ("train.csv", "question,answer\n" + "".join(f"{r['question']},{r['answer']}\n" for r in ROWS)),
        ("train.tsv", "question\tanswer\n" + "".join(f"{r['question']}\t{r['answer']}\n" for r in ROWS)),
        ("train-00000-of-00002.jsonl.gz", lines(ROWS)),
        ("all.jsonl", lines([{**row, "split": "train"} for row in ROWS])),
    ],
)  # fmt: skip
def test_rows_are_read_from_every_kind_of_file(name: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    read = list(rows_of([path]))
    first = [(split, row["question"]) for split, row in read[: len(ROWS)]]
    assert first == [("one" if name == "one.json" else "train", row["question"]) for row in ROWS]
    assert len(read) == len(ROWS) + 2 * (name == "data.json")


@over(
    ("name", "text", "said"),
    [
        ("a.jsonl", '{"question": "x"}\n{"question": \n', "a.jsonl:2 is not JSON"),
        ("a.jsonl", '{"question": "x"}\n[1]\n', "a.jsonl:2 is list, not an object of fields"),
        ("a.json", '{"question": "x"}', "a.json does not hold a list of rows"),
        ("a.json", '[{"question": "x"}, 3]', r"a.json: \[1\] is int"),
        ("a.csv", "question,answer\nx,1\ny,2,3\n", "a.csv:3 has more fields than the first line"),
        ("a.jsonl", b'{"question": "\xff"}\n', "a.jsonl is not UTF-8 text"),
        ("a.jsonl", "", "the files contain no rows"),
        ("a.jsonl", '{"id": 1}\n', "no field of the rows holds a question; the fields are: id"),
        ("a.xml", "<a/>", "a.xml is not a file of rows in a known format"),
    ],
)
def test_a_file_or_line_that_cannot_be_read_is_named(
    name: str, text: str | bytes, said: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(SkillToolsError, match=said) as raised:
        check_data(path)
    assert "fix:" in str(raised.value)


def test_parquet_without_pyarrow_says_what_to_install(tmp_path: Path) -> None:
    path = tmp_path / "train.parquet"
    path.write_bytes(b"PAR1")
    with pytest.raises(SkillToolsError, match=r"pip install pyarrow|is not a Parquet file"):
        check_data(path)


@over(
    ("row", "question", "answer"),
    [
        ({"question": "a b", "answer": "1", "id": 3}, "question", "answer"),
        ({"Problem": "a b", "Solution": "1"}, "Problem", "Solution"),
        ({"instruction": "a", "input": "b", "output": "c"}, "instruction", "output"),
        ({"prompt": [{"role": "user", "content": "a"}], "solution": "1"}, "prompt", "solution"),
        (
            {"prompt": [{"role": "user", "content": "a"}], "reward_model": {"ground_truth": "1"}},
            "prompt",
            "reward_model.ground_truth",
        ),
        ({"messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]}, "messages", "messages"),  # noqa: E501
        ({"conversations": [{"from": "human", "value": "a"}, {"from": "gpt", "value": "b"}]}, "conversations", "conversations"),  # noqa: E501
        ({"text": "a review", "label": 1}, "text", "label"),
        ({"iIndex": 4, "sQuestion": "a", "lSolutions": [1]}, "sQuestion", "lSolutions"),
        ({"id": 1, "riddle_text": "what is it", "answer": 2}, "riddle_text", "answer"),
        ({"premise": "a", "hypothesis": "b", "label": 0}, "premise", "label"),
        ({NEMO: {"input": "a"}, "mode": "a longer text", "expected_answer": "1"}, NEMO_INPUT, "expected_answer"),
        ({NEMO: {"input": [{"role": "user", "content": [{"type": "input_text", "text": "a"}]}]}, "target": "1"}, NEMO_INPUT, "target"),  # noqa: E501
        ({NEMO: {"input": "a"}, "expected_answers": [{"name": "look"}]}, NEMO_INPUT, "expected_answers"),
        ({NEMO: {"input": "a"}, "test_input": [[1]], "expected_output": [[2]]}, NEMO_INPUT, "expected_output"),
        ({NEMO: {"input": []}, "prompt": "a", "answer_type": "text"}, "prompt", ""),
        ({NEMO: {"input": "count them"}, "target_color": "red", "circles": [1]}, NEMO_INPUT, ""),
    ],
)  # fmt: skip
def test_the_fields_are_guessed_as_the_usual_sets_name_them(
    row: dict[str, Any], question: str, answer: str
) -> None:
    found = guess_fields([row], None, None)
    assert (found.question, found.answer) == (question, answer)
    assert found.question_of(row)


@over(
    ("change", "copies"),
    [
        ({}, {("exact", "tasks", "tasks"): 1}),
        ({"uuid": "b", "agent_ref": {"name": "b"}}, {("exact", "tasks", "tasks"): 1}),
        ({"difficulty": "hard"}, {("asked_again", "tasks", "tasks"): 1}),
        ({NEMO: {"input": "play", "metadata": {"sound": "b"}}}, {}),
    ],
)
def test_a_row_of_nemo_gym_is_all_that_the_server_gets(
    change: dict[str, Any], copies: dict[tuple[str, str, str], int]
) -> None:
    row = {NEMO: {"input": "play", "metadata": {"sound": "a"}}, "uuid": "a", "difficulty": "easy"}
    other = {**row, NEMO: {"input": "play another game", "metadata": {}}}
    assert counts(survey_rows({"tasks": [row, other, {**row, **change}]})) == copies


def test_a_field_that_is_named_counts_and_one_that_is_not_there_is_refused() -> None:
    row = {"question": "a", "puzzle": "b", "answer": 1, "key": 2}
    found = guess_fields([row], "puzzle", "key")
    assert (found.question_of(row), found.answer_of(row)) == ("b", 2)
    with pytest.raises(SkillToolsError, match="no row has a field 'puzle'; did you mean 'puzzle'"):
        guess_fields([row], "puzle", None)


def test_forms_leave_what_changes_the_question() -> None:
    assert words("What's  3,496 + x_1?") == ["what's", "3,496", "+", "x", "1"]
    assert words("\uff21 well-known “Test”.") == ["a", "well", "known", "test"]
    assert words("今日は") == ["今", "日", "は"]
    assert words("मैं") != words("में")
    assert words("x. . o") != words("x o")
    assert canonical("") == canonical(None) == ""
    assert canonical(float("nan")) == "nan"
    assert canonical("[" * 50_000 + "]" * 50_000)


def _near_by_hand(rows: list[dict[str, str]]) -> set[int]:
    """The rows that have an earlier near copy, by comparing every pair: what is claimed of the fast way."""
    table = survey.Table()
    fields = guess_fields(rows, None, None)
    for row in rows:
        table.add("train", row, fields)
    shared = near_copies.count_features(table)
    common = max(3, min(12, len(rows) // 3), len(rows) // 10)
    sets = [
        {each: shared[each & (len(shared) - 1)] for each in features} for features in table.features
    ]

    def weigh(counts: Iterable[int]) -> float:
        return sum(math.log(1 + len(rows) / count) for count in counts)

    def are_near(one: dict[int, int], other: dict[int, int]) -> bool:
        both = [count for each, count in one.items() if each in other]
        union = weigh(one.values()) + weigh(other.values()) - weigh(both)
        rare = sum(count <= common for count in both)
        return rare >= near_copies.RARE and weigh(both) >= near_copies.NEAR_OF_FEW * union

    return {
        row for row in range(len(rows)) for other in range(row) if are_near(sets[row], sets[other])
    }


@pytest.mark.everything("graders")
def test_near_copies_are_those_that_comparing_every_pair_finds() -> None:
    rng = random.Random(4)
    known = ["".join(rng.choices("abcdefgh", k=5)) for _ in range(400)]
    rows: list[dict[str, str]] = []
    for _ in range(300):
        text = rng.choices(known, k=25)
        if rows and rng.random() < 0.4:
            text = rng.choice(rows)["question"].split()
            for _ in range(rng.randint(1, 6)):
                text[rng.randrange(25)] = rng.choice(known)
        rows.append({"question": " ".join(text)})
    seen = counts(survey_rows({"train": rows}))
    expected = _near_by_hand(rows)
    assert len(expected) > 20
    assert seen["near", "train", "train"] == len(expected)


@pytest.fixture
def program(tmp_path: Path) -> Path:
    return tmp_path / "own.py"


@pytest.mark.everything("costly")
def test_a_solver_that_raises_hangs_or_does_not_know_is_told_apart(
    program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program.write_text(
        "def solve(row):\n    n = int(row['answer']) // 7\n"
        "    if n == 2: raise ValueError('two')\n    if n == 3: return None\n    return n * 7 + (n == 5)\n"
    )
    seen = survey_rows({"train": ROWS}, solver=f"{program}:solve")
    assert counts(seen) == {("solver", "train", ""): 1, ("solver_raised", "train", ""): 1}
    assert (seen.solved, seen.of_kind("solver")[0].of) == (10, 10)
    assert seen.of_kind("solver_raised")[0].examples[0].other_answer == "ValueError: two"
    monkeypatch.setattr(solver, "SECONDS", 0.2)
    monkeypatch.setattr(solver, "STARTING", 1.0)
    program.write_text("while True: pass\n")
    with pytest.raises(SkillToolsError, match="did not answer any row"):
        survey_rows({"train": ROWS}, solver=f"{program}:solve")
    with pytest.raises(SkillToolsError, match="does not name a function in a file"):
        survey_rows({"train": ROWS}, solver=str(program))


def test_a_template_that_rows_share_with_a_benchmark_is_no_contamination(tmp_path: Path) -> None:
    words_of = "Please think step by step and write the last number of all into a box at the very end of it"
    benchmark = tmp_path / "benchmark.txt"
    benchmark.write_text("\n\n".join(f"{words_of}: how tall is hill {n}?" for n in range(9)))
    own = [{"question": f"{words_of}: {row['question']}", "answer": "1"} for row in ROWS]
    assert not survey_rows({"train": own}, against=[benchmark]).of_kind("ngram", "whole")
    taken = [*ROWS, {"question": f"{words_of}: how tall is hill 3?", "answer": "1"}]
    (one,) = survey_rows({"train": taken}, against=[benchmark]).of_kind("ngram", "whole")
    assert (one.rows, one.other, one.examples[0].other) == (1, "benchmark.txt", "benchmark.txt:4")


FORMULAS = [
    {
        "question": rf"Let $a_{{{n}}}$ be a real number for which \left(\frac{{{n + 2}a+5}}{{{n + 7}}}\right)^{{2}} "
        rf"= \sqrt{{{n * n + 3}}} holds. What is ${n}a + \text{{two}}$, to the next whole number?",
        "answer": str(n * n),
    }
    for n in range(24)
]
OTHER_LATEX = {
    "another fraction": lambda text: text.replace(r"\frac", r"\tfrac"),
    "no dollar signs": lambda text: text.replace("$", ""),
    "other delimiters": lambda text: text.replace("$a_", r"\(a_").replace("}$ be", r"}\) be"),
    "plain brackets": lambda text: text.replace(r"\left", "").replace(r"\right", ""),
    "no braces": lambda text: text.replace("^{2}", "^2"),
    "a word more": lambda text: text.replace("a real number", "a positive real number"),
}


@pytest.mark.parametrize("form", OTHER_LATEX)
def test_a_copy_in_another_form_is_found_in_another_split_and_in_a_file(
    form: str, tmp_path: Path
) -> None:
    other = OTHER_LATEX[form]
    copies = [{**row, "question": other(row["question"])} for row in FORMULAS[:8]]
    assert copies[0]["question"] != FORMULAS[0]["question"]
    mixed = [*copies, *FORMULAS[16:]]
    seen = counts(survey_rows({"train": mixed, "test": FORMULAS[:16]}))
    assert sum(n for (_, split, other), n in seen.items() if split != other) == 8
    benchmark = tmp_path / "benchmark.jsonl"
    benchmark.write_text(lines(FORMULAS[:16]))
    found = survey_rows({"train": mixed}, against=[benchmark])
    assert sum(each.rows for each in found.of_kind("whole", "ngram", "near_apart")) == 8
    clean = survey_rows({"train": FORMULAS[16:]}, against=[benchmark])
    assert not clean.of_kind("whole", "ngram", "near_apart")


def test_amounts_of_money_are_no_formulas() -> None:
    assert words("It costs $5 and then $6.") != words("It costs 5 and then 6.")
    assert words("It costs $x$ in all.") == words("It costs x in all.")


def test_the_command_reports_counts_and_ends_with_1_and_json_is_all_a_program_gets(
    tmp_path: Path,
) -> None:
    for name, rows in (("train", ROWS), ("test", ROWS[:3])):
        (tmp_path / f"{name}.jsonl").write_text(lines(rows))
    files = (tmp_path / "train.jsonl", tmp_path / "test.jsonl")
    said = skill_tools("data", *files)
    assert said.returncode == 1, said.stderr
    assert "3 of 3 rows of test are in train" in said.stdout
    assert "12 rows of train, 3 rows of test were read (questions in 'question'" in said.stdout
    found = json.loads(skill_tools("data", files[0], "--json").stdout)
    assert (found["ok"], {each["check"][:3] for each in found["findings"]}) == (True, {"DAT"})
    named = skill_tools("data", "--split", f"a={files[0]}", "--split", f"b={files[1]}")
    assert "3 of 3 rows of b are in a" in named.stdout
    itself = ("data", files[0], "--against", files[0])
    for wrong in (("data",), ("data", "--split", "a"), ("data", tmp_path / "no.jsonl"), itself):
        refused = skill_tools(*wrong)
        assert (refused.returncode, "fix:" in refused.stderr) == (2, True)


def test_a_hostile_text_reaches_a_report_without_its_orders(tmp_path: Path) -> None:
    path = tmp_path / "train.jsonl"
    bad = {
        "question": "A \x1b[31m red \ud800 \u202e text that is here twice",
        "answer": "[link]",
        "split": "\x1b]0;x",
    }
    path.write_text(lines([*ROWS, bad, bad]))
    said = skill_tools("data", path)
    assert "1 of 14 rows of train repeat an earlier row" in said.stdout
    assert "red \ufffd \ufffd text" in said.stdout
    assert not {"\x1b", "\u202e"} & set(said.stdout)
    told = json.loads(skill_tools("data", path, "--json").stdout)
    assert "\ufffd[31m red" in str(told["findings"])


LARGE = """
import itertools, json, random, sys
rng = random.Random(1)
known = ["".join(rng.choices("abcdefghijklmnop", k=rng.randint(2, 9))) for _ in range(20_000)]
weights = list(itertools.accumulate(1 / n for n in range(1, 20_001)))
with open(sys.argv[1], "w") as file:
    for n in range(100_000):
        text = " ".join(rng.choices(known, cum_weights=weights, k=60))
        if n % 100 == 99:
            text = f"{before} indeed"
        before = text
        file.write(json.dumps({"question": text, "answer": str(n // 100)}) + "\\n")
"""


@pytest.mark.everything("audit")
def test_a_hundred_thousand_rows_take_less_than_a_minute_and_a_gigabyte(tmp_path: Path) -> None:
    path = tmp_path / "train.jsonl"
    subprocess.run([sys.executable, "-c", LARGE, str(path)], check=True)
    # Told by the child itself: of all children together only the largest would be known.
    code = f"""
import resource, skill_tools
print(skill_tools.check_data({str(path)!r}).evidence.audit.rows.found)
own = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
print(sum(each.ru_utime + each.ru_stime for each in own), max(each.ru_maxrss for each in own))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True
    )
    seconds, kilobytes = map(float, done.stdout.splitlines()[-1].split())
    assert seconds < 60, "of a core, whoever else uses it"
    assert kilobytes < 1_000_000
    assert "kind='near', split='train', rows=1000" in done.stdout
