"""The line of a grader that decides about a misjudged reply, from traces of real functions."""

from __future__ import annotations

import importlib
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from skill_tools.audit.driver import WORKER
from skill_tools.evidence.grading.graded import Graded, GradedReply
from skill_tools.graders.decisions import (
    RunLine,
    carried,
    decisive_lines,
    meeting,
    parting,
    run_lines,
    turning,
)
from tests.over import over

LETTER = """
import re

def letter(line):
    found = re.findall(r"[A-D]", line)
    return found[-1] if found else None

def reward(completions, answer):
    rewards = []
    for text, right in zip(completions, answer):
        line = text.strip()
        if not line:
            rewards.append(0.0)
            continue
        rewards.append(1.0 if letter(line) == right else 0.0)
    return rewards
"""
KEYS = """
def same(given, right):
    for key, value in given.items():
        if right.get(key) != value:
            return False
    return True

def reward(completions, answer):
    return [float(same(eval(text), right)) for text, right in zip(completions, answer)]
"""
CLOSE = """
def reward(completions, answer):
    given = float(completions[0].replace(",", "."))
    if abs(given - answer[0]) <= (
        0.01
    ):
        return [1.0]
    return [0.0]
"""
KEPT = """
import re

def reward(completions, answer):
    rewards = []
    found = None
    for text, right in zip(completions, answer):
        if match := re.search(r"Answer: (.*)", text):
            found = match.group(1)
        rewards.append(float(found == right))
    return rewards
"""


@pytest.fixture
def trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[RunLine]]:
    """Returns a grader's steps when it scores one reply."""
    monkeypatch.syspath_prepend(WORKER)
    recorder = importlib.import_module("call_trace")

    def traced(program: str, reply: str, answer: Any, *before: str) -> list[RunLine]:
        path = tmp_path / "reward.py"
        path.write_text(program)
        recorded = recorder.Trace(tmp_path)
        reward = runpy.run_path(str(path))["reward"]
        with recorded.recording():
            reward([*before, reply], [answer] * (len(before) + 1))
        return [*run_lines(recorded.steps)]

    return traced


def assert_decides(step: RunLine | None, source: str, reads: dict[str, str]) -> None:
    assert step
    assert step.source == source
    assert reads.items() <= {name: value[1] for name, value in step.reads.items()}.items()


@over(
    ("program", "answer", "wrong", "right", "source", "reads"),
    [
        (LETTER, "C", "not C", "C", 'found = re.findall(r"[A-D]", line)', {"line": "'not C'"}),
        (
            KEYS,
            {"a": 1, "b": 2},
            "{'a': 1}",
            "{'a': 1, 'b': 2}",
            "for key, value in given.items():",
            {"given": "{'a': 1}"},
        ),
        (
            CLOSE,
            1.5,
            "1.505",
            "1.5",
            "if abs(given - answer[0]) <= ( 0.01 ):",
            {"given": "1.505", "answer": "[1.5]"},
        ),
    ],
)
def test_the_line_after_which_a_wrong_reply_is_treated_like_the_right_one_decides(
    trace: Callable[..., list[RunLine]],
    program: str,
    answer: Any,
    wrong: str,
    right: str,
    source: str,
    reads: dict[str, str],
) -> None:
    step = meeting(trace(program, wrong, answer), trace(program, right, answer))
    assert_decides(step, source, reads)


@over(
    ("program", "answer", "refused", "rewarded", "source", "reads"),
    [
        (CLOSE, 1.5, "1.6", "1.5", "if abs(given - answer[0]) <= ( 0.01 ):", {"given": "1.6"}),
        (
            LETTER,
            "A",
            "A) Crust",
            "A",
            "rewards.append(1.0 if letter(line) == right else 0.0)",
            {"right": "'A'", "line": "'A) Crust'"},
        ),
        (LETTER, "A", " ", "A", "if not line:", {"line": "''"}),
        (KEYS, {"a": 1}, "{'b': 1}", "{'a': 1}", "if right.get(key) != value:", {"key": "'b'"}),
    ],
)
def test_the_line_at_which_a_refused_reply_parts_from_a_rewarded_one_decides(
    trace: Callable[..., list[RunLine]],
    program: str,
    answer: Any,
    refused: str,
    rewarded: str,
    source: str,
    reads: dict[str, str],
) -> None:
    step = parting(trace(program, refused, answer), trace(program, rewarded, answer))
    assert_decides(step, source, reads)


COUNTED = """
def count(log, letter):
    found = 0
    for each in log:
        if each == letter:
            found += 1
    return found

def reward(completions, answer):
    right = count(answer[0], "a")
    return [float(int(completions[0]) == right)]
"""


def test_tasks_of_different_lengths_are_compared_by_the_order_of_their_lines(
    trace: Callable[..., list[RunLine]],
) -> None:
    refused, rewarded = trace(COUNTED, "3", "ab"), trace(COUNTED, "2", "abba")
    assert_decides(
        turning(refused, [rewarded]),
        "return [float(int(completions[0]) == right)]",
        {"right": "1", "completions": "['3']"},
    )
    of_another_kind: list[RunLine] = []
    step = turning(trace(LETTER, " ", "A"), [of_another_kind, trace(LETTER, "B", "B")])
    assert_decides(step, "if not line:", {"line": "''"})


def test_a_deciding_line_is_shown_with_the_results_of_its_functions(
    trace: Callable[..., list[RunLine]],
) -> None:
    program = COUNTED.replace("float(int(completions[0]) == right)", "said(completions) == right")
    program += "\n\ndef said(completions):\n    return float(completions[0])\n"
    traces = {text: trace(program, text, "ab") for text in ("1", "2")}
    replies = (
        GradedReply("t/0", "right", "right", "right", "1", 1.0),
        GradedReply("t/0", "said", "equivalent", "otherwise", "2", 0.0),
        GradedReply("t/0", "nonsense", "wrong", "nonsense", "q", 0.0),
    )
    graded = Graded(tasks=1, replies=replies)
    found = decisive_lines(graded, lambda asks: [traces[ask.reply] for ask in asks])
    values = [dict(each.values) for each in found if each.reply == "2"]
    assert values == [{"completions": "['2']", "right": "1", "said(…)": "2.0"}]


DOMAIN = """
class World:
    def __init__(self, answer):
        self.reward, self.answer = 0.0, answer

    def message(self, text):
        given = text.strip()
        self.reward = float(given in self.answer)
        return f"{given} was graded."

def reward(completions, answer):
    world = World(answer[-1])
    world.message(completions[-1])
    return [world.reward]
"""


def test_the_text_that_a_domain_writes_about_a_reward_decides_nothing(
    trace: Callable[..., list[RunLine]],
) -> None:
    step = meeting(trace(DOMAIN, "4", "48"), trace(DOMAIN, "48", "48"))
    source = "self.reward = float(given in self.answer)"
    assert_decides(step, source, {"given": "'4'", "self.answer": "'48'"})
    step = parting(trace(DOMAIN, "5", "48"), trace(DOMAIN, "48", "48"))
    assert_decides(step, source, {"given": "'5'", "self.answer": "'48'"})


def test_the_line_that_reads_what_an_earlier_reply_of_the_batch_left_decides(
    trace: Callable[..., list[RunLine]],
) -> None:
    step = carried(trace(KEPT, "none", "7", "Answer: 7"), trace(KEPT, "none", "7"))
    assert step
    assert step.source == "rewards.append(float(found == right))"
    assert step.reads["found"][1] == "'7'"


def test_replies_that_are_treated_differently_to_the_end_have_no_deciding_line(
    trace: Callable[..., list[RunLine]],
) -> None:
    assert meeting(trace(CLOSE, "7", 1.5), trace(CLOSE, "1.5", 1.5)) is None


def test_a_long_computation_has_no_trace(trace: Callable[..., list[RunLine]]) -> None:
    loop = "def reward(completions, answer):\n    for number in range(9999):\n        answer\n"
    assert trace(loop, "", 0) == []


def test_values_that_cannot_be_written_do_not_disturb_the_grader(
    trace: Callable[..., list[RunLine]],
) -> None:
    odd = """
class Odd:
    def __repr__(self):
        raise ValueError("no text")

def reward(completions, answer):
    several, huge, many = [Odd()], 10 ** 9999, list(range(5000))
    return [float(len(several) + huge + len(many) > 0)]
"""
    last = trace(odd, "", 0)[-1]
    assert {name: value[1] for name, value in last.reads.items()} == {
        "several": "<list>",
        "huge": "<int>",
        "many": "<list of 5000 items>",
    }
