"""The evals use the public API, apart from starting processes; scorers know no solver."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import skill_tools
from tests.conftest import ROOT
from tests.over import over

EVALS = ROOT / "evals"
MODULES = [path for path in EVALS.rglob("*.py") if "cases" not in path.parts]
PROCESSES = {
    "skill_tools.runtime", "skill_tools.runtime.venvs", "skill_tools.runtime.environment",
}  # fmt: skip
"""What README.md says that they use besides: whatever starts a process goes through supervise."""


def imported(path: Path) -> set[str]:
    tree = ast.parse(path.read_text("utf-8"))
    found = {alias.name for n in ast.walk(tree) if isinstance(n, ast.Import) for alias in n.names}
    return found | {n.module or "" for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}


@pytest.mark.everything("costly")
@over("path", MODULES, ids=lambda path: str(path.relative_to(EVALS)))
def test_modules_are_small_and_use_the_public_api(path: Path) -> None:
    text = path.read_text("utf-8")
    assert len(text.splitlines()) <= 300
    ours = {name for name in imported(path) if name.split(".")[0] == "skill_tools"}
    assert ours - {"skill_tools", "skill_tools.errors"} <= PROCESSES
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Attribute) and ast.unparse(node).startswith("skill_tools."):
            assert ast.unparse(node).split(".")[1] in skill_tools.__all__


def test_scorers_know_no_solver_and_playing_knows_neither() -> None:
    for path in MODULES:
        room = path.relative_to(EVALS).parts[0]
        for name in imported(path):
            if room == "scorers":
                assert not name.startswith("evals.solvers"), path
            if room == "playing":
                assert not name.startswith(("evals.solvers", "evals.scorers")), path
