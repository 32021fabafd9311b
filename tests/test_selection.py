"""Which tests a run plays: none is lost, and a change plays the parts that cover what it touches."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import ROOT
from .selection import PARTS, WIDE, in_third, parts_changed, third


def git(folder: Path, *arguments: str) -> None:
    settings = ("-c", "user.name=test", "-c", "user.email=test@localhost")
    command = ["git", "-C", folder, *settings, *arguments]
    subprocess.run(command, check=True, capture_output=True)


EVERY = [name for name, covered in PARTS.items() if covered]
COVERING = set(EVERY)
"""All parts but those that nothing covers, which only --everything plays."""


def commit(folder: Path, *paths: str) -> None:
    for path in paths:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        with (folder / path).open("a") as file:
            file.write("changed\n")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "Change files")


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clone of a repository with one landed commit, on a branch of its own."""
    landed = tmp_path / "landed"
    landed.mkdir()
    git(landed, "init", "--quiet", "--initial-branch", "main")
    commit(landed, "README.md", "LICENSE")
    git(tmp_path, "clone", "--quiet", landed, "clone")
    git(tmp_path / "clone", "switch", "--quiet", "--create", "work")
    return tmp_path / "clone"


@pytest.mark.parametrize(
    ("path", "parts"),
    [
        ("LICENSE", set()),
        ("docs/new.md", {"site"}),
        ("docs/install.md", {"installers", "site"}),
        ("skills/one/SKILL.md", {"clients", "evals", "installers"}),
        (
            "skill_tools/archetypes/starters/x/game.py.jinja",
            {"installers", "mutants", "starters", "trl"},
        ),
        ("tests/selection.py", COVERING),
        (".ci/run", COVERING),
    ],
)
def test_a_change_plays_the_parts_that_cover_it(clone: Path, path: str, parts: set[str]) -> None:
    commit(clone, path)
    assert set(parts_changed(clone)) == parts
    commit(clone, "LICENSE")  # what counts is all that differs from what has landed
    assert set(parts_changed(clone)) == parts


def test_what_is_not_committed_counts(clone: Path) -> None:
    commit(clone, "LICENSE")
    assert parts_changed(clone) == []
    (clone / "README.md").write_text("edited")
    assert parts_changed(clone) == ["installers", "site"]
    git(clone, "checkout", "--quiet", "README.md")
    (clone / "mcp.json").write_text("new")
    assert parts_changed(clone) == ["installers"]


def test_everything_is_played_where_nobody_can_tell_what_changed(
    clone: Path, tmp_path: Path
) -> None:
    assert parts_changed(clone) == EVERY, "HEAD is what has landed"
    alone = tmp_path / "alone"
    alone.mkdir()
    assert parts_changed(alone) == EVERY, "there is no repository"
    git(alone, "init", "--quiet", "--initial-branch", "other")
    commit(alone, "LICENSE")
    assert parts_changed(alone) == EVERY, "there is no branch of what has landed"


def test_a_wide_change_plays_a_third_of_what_it_touches_and_another_commit_another(
    clone: Path,
) -> None:
    commit(clone, "README.md")
    assert third(parts_changed(clone), clone) is None, "a narrow change plays its parts whole"
    commit(clone, "dev.py")
    assert len(parts_changed(clone)) > WIDE
    first = third(parts_changed(clone), clone)
    commit(clone, "LICENSE")
    second = third(parts_changed(clone), clone)
    assert first
    assert second
    assert first != second
    names = [f"tests/test_one.py::test_that[{number}]" for number in range(1000)]
    for each in (first, second):
        assert 250 < sum(in_third(name, each) for name in names) < 420
    assert 130 < sum(in_third(n, second) for n in names if not in_third(n, first)) < 320


def test_every_part_covers_what_there_is_and_marks_tests() -> None:
    missing = {path for covered in PARTS.values() for path in covered if not (ROOT / path).exists()}
    assert not missing
    tests = "".join(path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    marks = ('everything("{}")', '], "{}")', ', "{}"))')
    assert [p for p in PARTS if not any(mark.format(p) in tests for mark in marks)] == []


@pytest.mark.live
def test_tests_are_left_out_unless_everything_is_asked_for() -> None:
    usual, everything = (
        collected("tests/live/sandbox"),
        collected("tests/live/sandbox", "--everything"),
    )
    assert usual < everything
    file = "tests/live/sandbox/test_sandbox_local.py"
    named = collected(file)
    assert named == {name for name in everything if name.startswith(file)}
    assert named - usual


@pytest.mark.xdist_group("together")
def test_workers_know_the_groups(request: pytest.FixtureRequest) -> None:
    if "PYTEST_XDIST_WORKER" not in os.environ:
        pytest.skip("there are no workers")
    assert request.node.nodeid.endswith("@together")


def collected(*arguments: str) -> set[str]:
    """The tests that a run would play."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-n", "0", *arguments]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return {line for line in run.stdout.splitlines() if "::" in line}
