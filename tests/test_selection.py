"""Which tests a run plays: none is lost, and a change plays the parts that cover what it touches."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from .conftest import ROOT
from .parts import LIVE, MOST_MINUTES, PARTS
from .selection import Plan, parts_changed, plan_of


def git(folder: Path, *arguments: str) -> None:
    settings = ("-c", "user.name=test", "-c", "user.email=test@localhost")
    command = ["git", "-C", folder, *settings, *arguments]
    subprocess.run(command, check=True, capture_output=True)


EVERY = [name for name, part in PARTS.items() if part.covers]
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
            {"costly", "installers", "mutants", "starters", "trl"},
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


def test_a_wide_change_plays_the_core_of_what_it_touches_within_its_minutes() -> None:
    plan = plan_of(EVERY)
    assert plan.core == COVERING
    assert plan.whole < plan.core
    left = plan.core - plan.whole
    whole = [PARTS[name].whole or 0.0 for name in plan.whole]
    taken = sum(whole) + sum(PARTS[name].core for name in left)
    assert 0 < taken <= MOST_MINUTES
    assert plan_of(EVERY[::-1]) == plan


def test_a_narrow_change_plays_its_parts_whole_where_that_is_known_to_be_quick() -> None:
    assert plan_of([]) == Plan()
    assert plan_of(["checks"]).whole == {"checks"}
    assert plan_of(["sandboxes"]) == Plan(core=frozenset(["sandboxes"])), "nobody measured it"


def test_every_part_covers_what_there_is_and_marks_tests() -> None:
    paths = [path for part in PARTS.values() for path in part.covers] + [*LIVE]
    assert not [path for path in paths if not (ROOT / path).exists()]
    tests = "".join(path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    marks = ('everything("{}")', '], "{}")', ', "{}"))', '"{}")')
    of_paths = set(LIVE.values())
    assert not [
        part
        for part in PARTS
        if part not in of_paths and not any(mark.format(part) in tests for mark in marks)
    ]


def test_the_workflow_plays_every_part_once() -> None:
    workflow = YAML(typ="safe").load(ROOT / ".github" / "workflows" / "tests.yml")
    shards = workflow["jobs"]["parts"]["strategy"]["matrix"]["parts"]
    played = [part for shard in shards for part in shard.split(",")]
    assert sorted(played) == sorted(PARTS)


@pytest.mark.live
def test_each_test_is_in_a_plain_run_or_in_one_part() -> None:
    everything, plain = collected("--everything"), collected()
    parts = collected("--parts", ",".join(PARTS))
    assert plain | parts == everything
    assert not plain & parts
    file = "tests/live/sandbox/test_sandbox_local.py"
    assert collected(file) == {name for name in everything if name.startswith(file)}
    assert collected("tests/live/sandbox") > collected(file)


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
