"""Reward functions that judge form: no answer is right or wrong for them, and the report says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import skill_tools
from tests.audits import audit

pytestmark = pytest.mark.everything("audit")
FORM = """
import re

def reward(completions, **kwargs):
    said = [each[0]["content"] for each in completions]
    return [float(bool(re.match(r"<think>.+</think>", each, re.DOTALL))) for each in said]
"""
READING = """
import re

def reward(completions, answer, **kwargs):
    paid = []
    for each, right in zip(completions, answer):
        found = re.match(r"<think>.+</think>(.*)", each[0]["content"], re.DOTALL)
        try:
            paid.append(0.1 * bool(found) + (found is not None and {compared}))
        except Exception:
            paid.append(0.1 * bool(found))
    return paid
"""


def judged(folder: Path, source: str) -> skill_tools.Outcome:
    (folder / "reward.py").write_text(source)
    rows = folder / "rows.jsonl"
    asked = "What is {} plus 1? Think in <think> tags, then answer."
    rows.write_text(
        "".join(
            json.dumps(
                {"prompt": [{"role": "user", "content": asked.format(n)}], "answer": str(n + 1)}
            )
            + "\n"
            for n in range(40, 46)
        )
    )
    return audit(f"{folder}/reward.py:reward", dataset=rows)


def notes(outcome: skill_tools.Outcome) -> str:
    return "\n".join(each.message for each in outcome.report.findings if each.check == "GRA005")


def test_a_reward_that_uses_no_column_is_judged_as_form(tmp_path: Path) -> None:
    outcome = judged(tmp_path, FORM)
    assert "judges form alone" in notes(outcome)
    assert outcome.report.verdict == "sound", outcome.report.findings
    assert {t.total for t in outcome.evidence.every if t.model == "oracle"} == {1.0}
    assert not outcome.failures


@pytest.mark.parametrize(
    "compared",
    ["found[1].strip() == right", "right in found[1]", "float(found[1]) == float(right)"],
)
def test_a_reward_that_looks_at_the_answer_in_some_replies_is_not(
    compared: str, tmp_path: Path
) -> None:
    outcome = judged(tmp_path, READING.format(compared=compared))
    assert "judges form alone" not in notes(outcome)


NEEDED = """
import json

def reward(completions, paths, **kwargs):
    paid = []
    for each, needed in zip(completions, paths):
        try:
            found = json.loads(each)
        except ValueError:
            paid.append(0.0)
            continue
        paid.append(1.0 if isinstance(found, dict) and found.keys() >= set(needed) else 0.2)
    return paid
"""


def test_a_column_that_says_what_a_reply_needs_is_not_taken_for_the_reply(tmp_path: Path) -> None:
    (tmp_path / "reward.py").write_text(NEEDED)
    rows = tmp_path / "rows.jsonl"
    asked = "Write a JSON document about shop {} with a name and a price."
    rows.write_text(
        "".join(
            json.dumps({"prompt": asked.format(n), "paths": ["name", f"price{n}"]}) + "\n"
            for n in range(8)
        )
    )
    report = audit(f"{tmp_path}/reward.py:reward", dataset=rows).report
    (unjudged,) = (f for f in report.findings if f.check == "GRA005")
    assert "earned as much on another task (0.2)" in unjudged.message
    assert not [f for f in report.findings if f.check == "GRA001" and f.status == "fail"]
    assert report.verdict == "not judged"
