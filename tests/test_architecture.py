"""Module sizes and the direction of imports."""

from __future__ import annotations

import ast
from pathlib import Path
from statistics import median

import pytest

from .conftest import ROOT

PACKAGE = ROOT / "skill_tools"
LAYERS = (
    ("errors", "environment", "__init__"),
    ("fitting",),
    ("answers", "approval", "workspace"),
    ("parameters",),
    ("spec",),
    ("varying",),
    ("spec_rules",),
    ("backends",),
    ("archetypes",),
    ("frameworks",),
    ("loading",),
    ("exemplars",),
    ("text_actions",),
    ("render",),
    ("writing",),
    ("policies",),
    ("endpoint",),
    ("supervisor",),
    ("supervise",),
    ("jobs",),
    ("outcomes",),
    ("interpreters",),
    ("venvs",),
    ("probe",),
    ("domain",),
    ("trajectory",),
    ("rollout",),
    ("evidence",),
    ("checks",),
    ("catalogue", "doctor", "progress", "translation"),
    ("skill_parts",),
    ("skill_pages",),
    ("report",),
    ("build", "bundle"),
    ("terminal", "verbs", "worker"),
    ("mcp_tools",),
    ("server",),
    ("cli",),
)
RANK = {name: rank for rank, names in enumerate(LAYERS) for name in names}
MODULES = [path for path in PACKAGE.rglob("*.py") if "starters" not in path.parts]


def layer(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_layers(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module == "skill_tools":
            names = [f"skill_tools.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        else:
            continue
        found |= {name.split(".")[1] for name in names if name.startswith("skill_tools.")}
    return found - {"__version__"}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_follow_the_data(path: Path) -> None:
    here = layer(path)
    assert here in RANK, f"name the layer of {here} in LAYERS"
    for other in imported_layers(path) - {here}:
        assert RANK[other] < RANK[here], f"{here} imports {other}, which comes after it"


def test_modules_are_small() -> None:
    sizes = {path: len(path.read_text("utf-8").splitlines()) for path in MODULES}
    assert not [str(path) for path, lines in sizes.items() if lines > 300]
    assert median(sizes.values()) <= 140


def test_no_module_has_a_name_that_says_nothing() -> None:
    names = {path.stem for path in MODULES}
    assert not names & {"utils", "util", "helpers", "helper", "manager", "common", "misc"}


def test_no_check_imports_a_framework_package() -> None:
    for path in (PACKAGE / "checks").glob("*.py"):
        text = path.read_text("utf-8")
        assert "import openenv" not in text
        assert "import verifiers" not in text


def test_frameworks_do_not_know_each_other() -> None:
    folders = [path for path in (PACKAGE / "frameworks").iterdir() if path.is_dir()]
    for folder in folders:
        for path in folder.glob("*.py"):
            others = {f"frameworks.{other.name}" for other in folders if other != folder}
            assert not [name for name in others if name in path.read_text("utf-8")]
