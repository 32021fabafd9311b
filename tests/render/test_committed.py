"""What is committed is what rendering gives, in a clone as in the tree that it was committed from."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from skill_tools.frameworks import FRAMEWORKS
from skill_tools.frameworks.rules import load
from skill_tools.pipeline import render
from skill_tools.render.plan import plan
from skill_tools.render.writer import on_request, states
from tests.conftest import ROOT, write_counter
from tests.over import over

COMMITTED = sorted(ROOT.glob("reference_envs/*/env.lock.json"))


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that a clone has, once everything here is committed: no file that git ignores."""
    listed = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "reference_envs"]
    found = subprocess.run(["git", *listed], cwd=ROOT, capture_output=True, text=True, check=True)
    folder = tmp_path_factory.mktemp("clone")
    for name in filter(None, found.stdout.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes((ROOT / name).read_bytes())
    return folder


@pytest.mark.parametrize("lock", COMMITTED, ids=lambda path: path.parent.name)
def test_a_committed_environment_is_its_plan_in_a_clone(lock: Path, clone: Path) -> None:
    folder = clone / lock.parent.relative_to(ROOT)
    spec = load(folder)
    found = states(folder, plan(spec.with_frameworks(on_request(folder))))
    assert {item.path: item.state for item in found if item.state != "clean"} == {}


@pytest.mark.everything("frameworks")
@over("name", FRAMEWORKS)
def test_a_users_own_repository_commits_every_rendered_file(name: str, tmp_path: Path) -> None:
    # A rendered ignore file once kept a rendered file out of every commit.
    folder = tmp_path / "counter"
    write_counter(folder)
    render(folder, [name])
    git = ["git", "-C", str(folder), "-c", "user.name=x", "-c", "user.email=x@example.org"]
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "first"]):
        subprocess.run([*git, *command], check=True, capture_output=True)
    listed = subprocess.run([*git, "ls-files"], check=True, capture_output=True, text=True)
    assert set(plan(load(folder), [name])) <= set(listed.stdout.splitlines())
