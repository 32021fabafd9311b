"""Comparing an environment with its original, action by action."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

import skill_tools
from skill_tools import CompareOptions
from skill_tools.evidence.certificate import Certificate, read_certificate

from ..over import over

ORIGINAL = Path(__file__).parent / "counting"
OPTIONS = CompareOptions()


class Change(NamedTuple):
    """An edit of a port, and the part of an action in which it shows."""

    file: str
    before: str
    after: str
    part: str


DIFFERENCES = {
    "reward": Change("game.py", "round(2 / (", "round(1 / (", "reward"),
    "bound": Change("env.yaml", "maximum: 3", "maximum: 4", "error"),
    "off-by-one": Change(
        "game.py", "sorted(self.added)[-1:]", "sorted(self.added)[-2:]", "observation"
    ),
    "message": Change("game.py", "Took back", "Removed", "observation"),
    "seed ignored": Change("game.py", "random.Random(seed)", "random.Random(7)", "opening"),
    "end too late": Change(
        "game.py", "total > self.target or", "total > self.target + 1 or", "observation"
    ),
    "metric": Change("game.py", "total / self.target", "total / 10", "metrics"),
    "order": Change(
        "game.py", '[{"added": self.added}', '[{"added": sorted(self.added)}', "observation"
    ),
    "rounding": Change("game.py", "self.undone), 2)", "self.undone), 1)", "reward"),
    "stale state after reset": Change(
        "game.py",
        "self.added: list[int] = []",
        "self.added = self.__dict__.get('a', _ADDED)",
        "observation",
    ),
}
"""Ten ways in which a rewritten environment differs from its original."""


def port_with(folder: Path, change: Change | None = None) -> Path:
    """Return a copy of the original, changed in one place."""
    shutil.copytree(ORIGINAL, folder, ignore=shutil.ignore_patterns("__pycache__"))
    if change:
        file = folder / change.file
        text = file.read_text("utf-8")
        assert text.count(change.before) == 1
        text = text.replace(change.before, change.after)
        if "_ADDED" in change.after:
            text = text.replace("import random\n", "import random\n\n_ADDED: list[int] = []\n")
        file.write_text(text, "utf-8")
    return folder


def compared(folder: Path) -> Certificate:
    return skill_tools.compare(folder, ORIGINAL, options=OPTIONS).certificate


@pytest.mark.everything("costly")
def test_an_unchanged_port_has_a_certificate_of_equal_actions(tmp_path: Path) -> None:
    folder = port_with(tmp_path / "port")
    seen = compared(folder)
    assert (seen.verdict, seen.agreed == seen.actions, seen.actions >= 2_000) == (
        "equal",
        True,
        True,
    )
    assert {"oracle", "random", "mixed", "boundary", "noop"} <= seen.by_policy.keys()
    assert read_certificate(folder) == seen


@pytest.mark.everything("costly")
@over("name", DIFFERENCES, few=2, part="ports")
def test_one_difference_fails_the_certificate_at_its_action(tmp_path: Path, name: str) -> None:
    folder = port_with(tmp_path / name.replace(" ", "_"), DIFFERENCES[name])
    seen = compared(folder)
    assert seen.verdict == "different"
    first = seen.disagreements[0]
    assert first.part == DIFFERENCES[name].part
    again = skill_tools.compare_episode(folder, first.script.key, ORIGINAL)
    assert again.difference
    assert (again.difference.step, again.difference.part) == (first.step, first.part)
    assert first.alone == ("stale" not in name)
