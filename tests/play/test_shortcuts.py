"""The shortcut player: what it learns on half of the tasks, and earns on the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from skill_tools import pipeline
from skill_tools.graders.extraction_rules import find_rules
from tests.selection import few

everything = pytest.mark.everything("mutants")
SPEC = """
name: safe_word
title: Safe word
description: The agent opens a safe by the number that two notes add up to.
archetype: pure-python-game
domain: world:Safe
tasks: tasks:TASKS
oracle: oracle:solve
prompt:
  system: "SYSTEM"
  user: "{observation}"
tools:
  dial:
    description: Turn the dial to a number, and open the safe.
    parameters:
      number: {type: integer, minimum: 0, maximum: 100000, description: The number.}
  look:
    description: Look at the safe once more.
    parameters: {}
reward: {range: [0.0, 1.0], timing: terminal}
episode: {max_turns: 6}
backend: none
frameworks: [gem]
"""
WORLD = '''
import random


class InvalidAction(Exception):
    """Refused; nothing has changed."""


class Safe:
    def __init__(self, task: dict, seed: int) -> None:
        rng = random.Random(f"safe {seed}")
        self.one, self.other = rng.randint(100, 999), rng.randint(100, 999)
        self.right, self.id = self.one * self.other % 9973, task["id"]
        self.reward, self.done = 0.0, False

    def observe(self) -> str:
        return f"The notes say {self.one} and {self.other}.MORE"

    def dial(self, number: int) -> str:
        if self.done:
            raise InvalidAction("it is over")
        REFUSED
        self.done, self.reward = True, float(number == self.right)
        return "It clicks."

    def look(self) -> str:
        if self.done:
            raise InvalidAction("it is over")
        return LOOK
'''
TASKS = """
import random


def right(seed: int) -> int:
    rng = random.Random(f"safe {seed}")
    return rng.randint(100, 999) * rng.randint(100, 999) % 9973


TASKS = {"train": [{"id": ID, "seed": seed} for seed in range(30)]}
"""
ORACLE = """
from .world import Safe


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    return [("dial", {"number": Safe(task, seed).right})]
"""


def told(folder: Path, **changes: str) -> dict[str, str]:
    """What is found of the environment with some parts of it changed: messages by check, with their level."""
    usual = {
        "SYSTEM": "Open the safe: dial the product of the notes modulo 9973.",
        "MORE": "",
        "REFUSED": "pass",
        "LOOK": "self.observe()",
        "ID": 'f"safe-{seed}"',
    }
    files = {"env.yaml": SPEC, "world.py": WORLD, "tasks.py": TASKS, "oracle.py": ORACLE}
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        for mark, put in (usual | changes).items():
            text = text.replace(mark, put)
        (folder / name).write_text(text, "utf-8")
    findings = pipeline.check(folder, play=True, count=6).report.findings
    return {each.check: f"{each.status}: {each.message}" for each in findings}


@pytest.mark.everything("costly")
def test_what_is_worked_out_is_no_rule(tmp_path: Path) -> None:
    assert told(tmp_path)["ISO019"].startswith("pass")


@pytest.mark.everything("checks")
@pytest.mark.parametrize(
    ("part", "put", "rule"),
    [
        ("ID", 'f"safe-{3 * right(seed) + 17}"', "dial: number is"),
        pytest.param("REFUSED", 'if number % 3 != self.right % 3: raise '
                                'InvalidAction(f"jammed at '
                                '{self.right + 40}")', "the refusal of dial", marks=everything),
        pytest.param("LOOK", 'f"Scratches: {self.right}"', "of the reply to look()", marks=everything),
    ],
)  # fmt: skip
def test_a_rule_that_was_learned_on_half_of_the_tasks_and_is_paid_on_the_others_fails(
    part: str, put: str, rule: str, tmp_path: Path
) -> None:
    found = told(tmp_path, **{part: put})["ISO019"]
    assert found.startswith("fail")
    assert rule in found
    assert "earns 100%" in found


@everything
def test_what_the_words_may_ask_for_is_a_warning(tmp_path: Path) -> None:
    look = {"LOOK": 'f"Scratches: {self.right}"'}
    words = "Look at the safe, and copy the scratches to the dial."
    assert told(tmp_path, SYSTEM=words, **look)["ISO019"].startswith("warn")


@pytest.mark.parametrize(
    ("texts", "answers", "words"),
    few([
        (["a 12 b", "c 7 d", "e 30 f"], ["12", "7", "30"], "the 1st number of it"),
        (["no: gnorts", "no: kaew", "no: tnaig"], ["strong", "weak", "giant"], "backwards"),
        (["so\nul", "no\now", "be\nit"], ["su", "no", "bi"], "the first letters of the lines of it"),
        (["x" * 15, "x" * 19, "x" * 31], ["5", "9", "21"], "the number of characters in it plus -10"),
    ], 2, "graders"),
)  # fmt: skip
def test_a_rule_says_in_words_what_it_takes(
    texts: list[str], answers: list[str], words: str
) -> None:
    pairs = list(zip(texts, answers, strict=True))
    rules = list(find_rules(pairs, "it"))
    assert any(words in each.words for each in rules)
    assert all(each.right(pairs) == len(pairs) for each in rules)
