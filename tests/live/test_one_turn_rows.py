"""The defects of one-turn environments that others' tools find, each as a taskset of Verifiers of its own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from skill_tools.pipeline.datasets.row_checks import check_data
from skill_tools.report.outcome import Outcome
from tests.audits import audit

pytestmark = pytest.mark.everything("audit")
PACKAGE = """
[project]
name = "their-sums"
version = "0.1.0"
requires-python = ">=3.11"
"""
TASKSET = """
import json
import math
import re
import subprocess
import sys
from pathlib import Path

import verifiers.v1 as vf

__all__ = ["SumsTaskset"]
ROWS = json.loads((Path(__file__).parent / "rows.json").read_text())


class Data(vf.TaskData):
    answer: str
    tests: str = ""


def slot(said: str) -> str:
    found = re.search(r"ANSWER: *(.*)", said)
    return found[1].strip() if found else ""


def number(text: str) -> float | None:
    try:
        return float(text.replace(",", "").replace("\\u2212", "-").strip("$ .").removesuffix("."))
    except ValueError:
        return None


def score(said: str, want: str, tests: str) -> float:
GRADER


class Sum(vf.Task[Data, vf.State, vf.TaskConfig]):
    @vf.reward
    async def right(self, trace: vf.Trace) -> float:
        return score(trace.assistant_messages[-1].content or "", self.data.answer, self.data.tests)


class SumsTaskset(vf.Taskset[Sum, vf.TasksetConfig]):
    def load(self):
        return [Sum(Data(**row), self.config.task) for row in ROWS]
"""
ASKED = (
    "What is {n} times 37? Show your work if you like, and end with one line `ANSWER: <number>`."
)
ROWS = [{"prompt": ASKED.format(n=n), "answer": str(37 * n)} for n in range(91, 101)]
SOUND = r"""
    got = number(re.sub(r"\\boxed\{(.*)\}", r"\1", slot(said)))
    return float(len(re.findall("ANSWER:", said)) == 1 and got == float(want))
"""
CODE = (
    "Write `keep(items)`: the items above {n}, in their order. Reply with Python code in a block."
)
CODE_ROWS = [
    {
        "prompt": CODE.format(n=n),
        "answer": f"def keep(items):\n    return [each for each in items if each > {n}]",
        "tests": f"assert keep([]) == []\nassert keep([{n + 1}, {n - 9}]) == [{n + 1}]\n"
        + (f"assert keep([{n}, {n + 2}, {n + 5}]) == [{n + 2}, {n + 5}]" if n < 15 else ""),
    }
    for n in range(10, 17)
]
RUN = r"""
    code = re.search(r"```(?:python)?\n(.*?)```", said, re.DOTALL)
    text = "\n".join([code[1] if code else said, tests, "print('passed 7319')"])
    ran = subprocess.run([sys.executable, "-I", "-c", text], capture_output=True, text=True, timeout=10)
    return float(ran.stdout.endswith("passed 7319\n"))
"""


def audited(folder: Path, grader: str, rows: list[dict[str, str]]) -> Outcome:
    """What an audit says of a taskset with this grader and these rows."""
    package = folder / "their_sums"
    package.mkdir()
    (package / "pyproject.toml").write_text(PACKAGE, "utf-8")
    text = TASKSET.replace("GRADER", grader.strip("\n"))
    (package / "__init__.py").write_text(text, "utf-8")
    (package / "rows.json").write_text(json.dumps(rows), "utf-8")
    return audit(package, "verifiers")


def told(outcome: Outcome) -> set[tuple[str, str]]:
    return {(f.check, f.status) for f in outcome.report.findings if f.status in ("fail", "warn")}


@pytest.mark.parametrize(
    ("grader", "found"),
    [
        ("    return float(want in said)", ("GRA001", "fail")),
        ("    return float(re.findall(r'[0-9]+', said.replace(',', ''))[-1:] == [want])", ("GRA001", "fail")),
        (("    got = number(slot(said))\n    return float(got is not "
         "None and not abs(got - float(want)) > 0.01)"), ("GRA001", "fail")),
        ("    return float('verdict: yes' in said.lower() or number(slot(said)) == float(want))", ("GRA001", "fail")),
        ("    return float(slot(said) == want)", ("GRA002", "warn")),
    ],
    ids=["answer-in-reply", "last-number", "nan", "obeys", "raw"],
)  # fmt: skip
def test_a_careless_grader_of_numbers_is_found(
    grader: str, found: tuple[str, str], tmp_path: Path
) -> None:
    assert found in told(audited(tmp_path, grader, ROWS))


def test_a_sound_grader_of_numbers_is_sound(tmp_path: Path) -> None:
    outcome = audited(tmp_path, SOUND, ROWS)
    assert told(outcome) == set()
    assert outcome.report.verdict == "sound"
    assert outcome.report.measures["ceiling"] == 0.0


def test_copies_and_two_answers_to_one_question_are_found(tmp_path: Path) -> None:
    again = [*ROWS, ROWS[0], {**ROWS[1], "answer": "1"}]
    assert {("DAT002", "warn"), ("DAT003", "fail")} <= told(audited(tmp_path, SOUND, again))


def test_hidden_tests_that_take_a_wrong_program_are_found_on_those_tasks(tmp_path: Path) -> None:
    outcome = audited(tmp_path, RUN, CODE_ROWS)
    (found,) = [f for f in outcome.report.findings if f.check == "GRA009"]
    assert found.status in ("fail", "warn"), found
    assert "2 of 7" in found.message
    assert "assert keep(" in found.message


def test_a_test_split_that_is_the_training_split_and_known_rows_are_found(tmp_path: Path) -> None:
    train, test, known = (tmp_path / f"{name}.jsonl" for name in ("train", "test", "known"))
    train.write_text("".join(json.dumps(row) + "\n" for row in ROWS), "utf-8")
    loud = [{**row, "prompt": row["prompt"].upper().replace(" ", "  ")} for row in ROWS]
    test.write_text("".join(json.dumps(row) + "\n" for row in loud), "utf-8")
    known.write_text(json.dumps(ROWS[3]) + "\n", "utf-8")
    outcome = check_data([train, test], against=[known])
    assert {("DAT001", "fail"), ("DAT005", "fail")} <= told(outcome)
