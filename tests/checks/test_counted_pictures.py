"""A picture in which dots are counted: what texts tell of the number is told, and chance is not."""

from __future__ import annotations

from pathlib import Path

import pytest

import skill_tools

FILES = {
    "env.yaml": """\
name: dots
title: Dots
description: The agent counts dots in a picture.
version: 0.1.0
license: Apache-2.0
archetype: vision-computer-use
domain: world:Dots
tasks: tasks:TASKS
oracle: oracle:solve
packages: ["pillow>=12,<15"]
prompt:
  system: Call `look` for the picture, and `answer` with the number of its dots, once.
  user: |
    {observation}
tools:
  look: {description: Shows the picture.}
  look_closer: {description: Shows it larger. It can be called twice.}
  answer:
    description: Answers, and ends the episode.
    parameters: {count: {type: integer, minimum: 0, maximum: 50, description: How many dots there are.}}
reward: {range: [0.0, 1.0], timing: terminal}
episode: {max_turns: 8}
frameworks: [openenv]
""",
    "tasks.py": """\
TASKS = {"train": [{"id": f"train-{n}", "seed": n} for n in range(24)], "test": [{"id": f"test-{n}", "seed": 100 + n} for n in range(6)]}
""",  # noqa: E501
    "oracle.py": """\
from .world import Dots


def solve(task, seed):
    return [("look", {}), ("answer", {"count": Dots(task, seed).count})]
""",
    "world.py": """\
import io
import random

from PIL import Image, ImageDraw


class InvalidAction(Exception):
    pass


class Dots:
    def __init__(self, task, seed):
        rng = random.Random(seed)
        self.reward, self.done, self.left = 0.0, False, 2
        self.count = rng.randint(0, 9)
        self.places = rng.sample([(x, y) for x in range(8) for y in range(6)], self.count)

    def observe(self):
        return "How many dots are there?"

    def look(self):
        return [f"The picture. Closer looks left: {self.left}", self.draw(20)]

    def look_closer(self):
        if not self.left:
            raise InvalidAction("no closer look is left")
        self.left -= 1
        return [f"Larger. Closer looks left: {self.left}", self.draw(40)]

    def answer(self, count):
        if self.done:
            raise InvalidAction("it was answered")
        self.done, self.reward = True, float(count == self.count)
        return "That is the end."

    def draw(self, size):
        picture = Image.new("RGB", (8 * size, 6 * size), "white")
        pen = ImageDraw.Draw(picture)
        for x, y in self.places:
            pen.ellipse((x * size + 4, y * size + 4, x * size + 15, y * size + 15), fill="black")
        file = io.BytesIO()
        picture.save(file, "PNG")
        return file.getvalue()

    def close(self):
        pass
""",
}
LOOK, OPENING = '"The picture. Closer', '"How many dots are there?"'


def checked(folder: Path, *change: str) -> dict[str, str]:
    """What is unwanted in the environment, and says what, by check; with one text of its world changed."""
    folder.mkdir()
    for name, text in FILES.items():
        if change and name == "world.py":
            assert text.count(change[0]) == 1
            text = text.replace(*change)
        (folder / name).write_text(text, "utf-8")
    findings = skill_tools.check(folder, play=True).report.findings
    return {each.check: each.message for each in findings if each.status in ("fail", "warn")}


@pytest.mark.everything("mutants")
def test_answers_that_tasks_share_by_chance_and_a_budget_of_one_tool_are_no_findings(
    tmp_path: Path,
) -> None:
    assert checked(tmp_path / "dots") == {}


@pytest.mark.everything("mutants")
@pytest.mark.parametrize(
    ("change", "told"),
    [
        ((f"f{LOOK}", f'f"Picture number {{self.count}}. " f{LOOK}'), "the reply of look()"),
        pytest.param(
            (OPENING, f'{OPENING} + f" This is picture {{self.count + 17}}."'),
            "the opening",
            marks=pytest.mark.everything("mutants"),
        ),
        pytest.param(
            (OPENING, f'{OPENING} + f" There are {{48 - self.count}} white places."'),
            "the opening",
            marks=pytest.mark.everything("mutants"),
        ),
    ],
    ids=["told outright", "with a number added", "what is left"],
)
def test_a_number_that_a_text_tells_is_told(
    change: tuple[str, str], told: str, tmp_path: Path
) -> None:
    found = checked(tmp_path / "dots", *change)
    assert told in found["OBS007"]
