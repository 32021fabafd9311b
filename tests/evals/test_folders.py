"""Variants are found by what their files are, and reports and copies of tests are not."""

from __future__ import annotations

import shutil
from pathlib import Path

from evals import case as cases
from evals.case import FRAMEWORKS
from evals.rollouts.folders import find
from evals.solvers import scripted
from tests.conftest import WORDLE
from tests.over import over

BUILT = {name: case for name, case in cases.every().items() if case.asks.kind == "build"}


@over("name", BUILT)
def test_what_is_written_by_hand_is_found(name: str, tmp_path: Path) -> None:
    made = scripted.handwritten(BUILT[name], tmp_path)
    assert set(find(tmp_path)) == set(made.frameworks)


def test_what_is_rendered_is_found_in_every_framework(tmp_path: Path) -> None:
    shutil.copytree(WORDLE, tmp_path / "some" / "where")
    found = find(tmp_path)
    assert set(found) == set(FRAMEWORKS)
    for name, each in found.items():
        assert name in each.file.parts
        assert (each.project / "pyproject.toml").is_file()


def test_nothing_is_found_where_nothing_is(tmp_path: Path) -> None:
    assert find(tmp_path) == {}
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "openenv.yaml").write_text("app: x:y\n")
    (tmp_path / "notes.py").write_text("# openreward: class X(Environment) is what I would write\n")
    assert set(find(tmp_path)) <= {"ors"}
