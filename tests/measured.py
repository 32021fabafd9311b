"""Environments with two metrics: the counter, and the starter of one question and one answer."""

from __future__ import annotations

from pathlib import Path

from skill_tools import archetypes
from skill_tools.files import write_files
from tests.conftest import write_counter

DECLARED = """metrics:
  progress: The share of the way to the target.
  excess: How often the agent wanted to add too much.
"""
SPEC = [("episode:", f"{DECLARED}episode:")]
GAME = [
    ("        self.value = 0\n", "        self.value = self.excess = 0\n"),
    ("            raise InvalidAction(", "            self.excess += 1\n            raise InvalidAction("),
    (
        "    def look(self):",
        """\
    @property
    def metrics(self):
        return {"excess": self.excess, "progress": self.value / self.target}

    def look(self):""",
    ),
]  # fmt: skip

SUMS = [
    (
        '        self._answer: int = task["answer"]\n',
        """\
        self._answer: int = task["answer"]
        self.metrics = {"right": 0, "form": 0}
""",
    ),
    (
        "        if given is None:\n",
        """\
        self.metrics = {"right": self.reward, "form": given is not None}
        if given is None:
""",
    ),
]


def measured_counter(folder: Path, *changes: tuple[str, str]) -> Path:
    """Write a counter with metrics, with further changes of game.py."""
    return write_counter(folder, env=SPEC, game=[*GAME, *changes])


def measured_sums(folder: Path) -> Path:
    """Write the starter of one message, with a metric for the answer and one for its form."""
    write_files(folder, archetypes.start("single-turn", "word_sums"))
    world = folder / "world.py"
    text = world.read_text("utf-8")
    for old, new in SUMS:
        assert old in text, old
        text = text.replace(old, new, 1)
    world.write_text(text, "utf-8")
    declared = "metrics:\n  right: Whether it is right.\n  form: Whether there is an answer.\n"
    spec = folder / "env.yaml"
    spec.write_text(spec.read_text("utf-8") + declared, "utf-8")
    return folder
