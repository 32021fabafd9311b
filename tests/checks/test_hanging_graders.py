"""Graders that do not return: which replies these are is found, and the others are scored all the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from skill_tools.audit import waiting
from skill_tools.evidence.grading.graded import GradedReply
from skill_tools.report.outcome import Outcome
from tests.audits import audit
from tests.selection import few

SUMS = [
    {
        "prompt": f"What is {n} plus 1000? Put a number, or an arithmetic expression, in <value></value>.",
        "answer": str(n + 1000),
    }
    for n in range(4, 12)
]
EVALUATES = """
import re

def reward(completion, answer):
    found = re.findall(r"<value>([0-9 *+()-]{1,40})</value>", completion)
    try:
        return float(bool(found) and eval(found[-1]) == int(answer))
    except (SyntaxError, TypeError, ArithmeticError):
        return 0.0
"""
BACKTRACKS = """
import re

def reward(solution_str, ground_truth, data_source, extra_info):
    form = re.match(r"<value>(?:(?:a+)+!|(.*))</value>$", solution_str, re.DOTALL)
    return float(bool(form) and (form.group(1) or "").strip() == ground_truth)
"""
UNCLOSED = """
def reward(completion, answer):
    said, depth = "", completion.count("(") - completion.count(")")
    while depth:
        said += "?"
    return float(completion == f"<value>{answer}</value>")
"""
ENDS = """
import os

def reward(completion, answer):
    if "NaN" in completion:
        os._exit(3)
    return float(completion == f"<value>{answer}</value>")
"""


def audited(folder: Path, program: str, **more: Any) -> Outcome:
    (folder / "reward.py").write_text(program)
    (folder / "rows.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in SUMS))
    return audit(
        f"{folder}/reward.py:reward", dataset=folder / "rows.jsonl", call_seconds=1.0, **more
    )


def unscored(outcome: Outcome) -> list[GradedReply]:
    assert outcome.evidence.audit.graded
    return [each for each in outcome.evidence.audit.graded.replies if each.broke]


def message(outcome: Outcome) -> str:
    (found,) = [each for each in outcome.report.findings if each.check == "GRA004"]
    assert found.status == "fail"
    return found.message


@pytest.mark.everything("graders")
@pytest.mark.parametrize(
    ("program", "hangs"),
    few([(EVALUATES, "9**9**9**9"), (BACKTRACKS, "a" * 20_000), (UNCLOSED, "")], 1, "graders"),
    ids=[
        "evaluates what it is told",
        "backtracks with the interpreter's lock",
        "waits for a bracket",
    ],
)
def test_exactly_the_replies_that_are_never_scored_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str, hangs: str
) -> None:
    monkeypatch.setattr(waiting, "TELL", 0.5)
    told: list[str] = []
    outcome = audited(tmp_path, program, progress=lambda who, what: told.append(what))
    lost = unscored(outcome)
    assert lost
    if hangs:
        assert {each.reply for each in lost} == {f"<value>{hangs}</value>"}
    else:
        assert all(each.reply.count("(") != each.reply.count(")") for each in lost)
    said = message(outcome)
    assert f"{len(lost)} replies were never scored" in said
    assert all(each.task in said for each in lost)
    assert "no reply after 1 s" in said
    assert outcome.report.verdict == "not sound"
    waited = f"waiting for the score of '{f'<value>{hangs[:10]}' if hangs else ''}"
    assert any(waited in each for each in told)


@pytest.mark.everything("graders")
def test_a_reply_that_ends_the_process_of_its_grader_is_named_and_the_others_are_scored(
    tmp_path: Path,
) -> None:
    outcome = audited(tmp_path, ENDS)
    lost = unscored(outcome)
    assert {each.reply for each in lost} == {"<value>NaN</value>"}
    assert "exit code 3" in message(outcome)
    graded = outcome.evidence.audit.graded
    assert graded
    assert len(graded.best) == len(SUMS)
