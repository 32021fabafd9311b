"""Frameworks are known by their own records: checks and audits name none."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from skill_tools import checks
from skill_tools.frameworks import FRAMEWORKS
from skill_tools.frameworks.rules import load
from skill_tools.pipeline.collection import read_author_files
from tests.conftest import ROOT, write_counter
from tests.over import over

NAMES = {
    name
    for each in FRAMEWORKS.values()
    for name in (each.name, *each.packages, *each.distributions)
}
"""Of frameworks, packages and distributions."""
JUDGING = [
    path
    for room in ("checks", "audit")
    for path in sorted((ROOT / "skill_tools" / room).rglob("*.py"))
]


def said(path: Path) -> Iterator[str]:
    """The texts in a module's code, except for docstrings."""
    tree = ast.parse(path.read_text("utf-8"))
    documented = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        text = isinstance(node, ast.Constant) and isinstance(node.value, str)
        if text and id(node) not in documented:
            yield node.value


@pytest.mark.everything("costly")
@over("path", JUDGING, ids=lambda path: path.stem)
def test_what_judges_names_no_framework_so_that_one_more_is_judged_as_well(path: Path) -> None:
    assert not [text for text in said(path) if NAMES & set(re.findall(r"[\w-]+", text))]


def found(folder: Path) -> dict[str, str]:
    """What CON005 and CON010 say of the author's files."""
    findings = checks.run(read_author_files(load(folder), folder))
    return {f.check: f.message for f in findings if f.status == "fail"}


IMPORTED = "import random\n"


@over("name", sorted({p for e in FRAMEWORKS.values() for p in e.packages}), few=3, part="checks")
def test_a_framework_may_not_be_imported_and_a_module_of_the_authors_by_its_name_may(
    name: str, tmp_path: Path
) -> None:
    own = write_counter(
        tmp_path / "own",
        game=(IMPORTED, f"{IMPORTED}\nfrom .{name} import Ruby\nfrom . import {name}\n"),
    )
    (own / f"{name}.py").write_text("class Ruby: ...\n")
    assert found(own) == {}
    for line in (f"import {name}", f"from {name} import Ruby", f"import {name}.envs"):
        foreign = write_counter(tmp_path / "foreign", game=(IMPORTED, f"{IMPORTED}\n{line}\n"))
        assert found(foreign).keys() == {"CON005"}
