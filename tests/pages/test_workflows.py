"""What GitHub and pre-commit are told: pinned, with few rights, and nothing but the scripts of .ci/."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from tests.conftest import ROOT

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
SCRIPTS = sorted(path for path in (ROOT / ".ci").iterdir() if not path.suffix)
PINNED = re.compile(r"[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")


def read(path: Path) -> dict[str, Any]:
    return YAML(typ="safe", pure=True).load(path.read_text("utf-8"))


def steps(path: Path) -> list[dict[str, Any]]:
    return [step for job in read(path)["jobs"].values() for step in job["steps"]]


def test_there_is_a_workflow_for_tests_pages_and_a_release() -> None:
    assert [path.stem for path in WORKFLOWS] == ["docs", "release", "tests"]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_runs_scripts_that_anybody_can_run(path: Path) -> None:
    commands = [step["run"] for step in steps(path) if "run" in step]
    assert commands
    for command in commands:
        found = re.fullmatch(r"bash (\.ci/\w+)( \w+)?", command)
        assert found, command
        assert (ROOT / found[1]) in SCRIPTS


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_pins_actions_by_commit_and_starts_with_no_rights(path: Path) -> None:
    used = re.findall(r"uses: (.*)", path.read_text("utf-8"))
    assert used
    assert not [action for action in used if not PINNED.fullmatch(action)]
    assert read(path)["permissions"] == {}
    for name, job in read(path)["jobs"].items():
        assert job["permissions"], name
        writes = {right for right, level in job["permissions"].items() if level == "write"}
        # What builds may write nothing: it runs code of everybody whose package it installs.
        assert not writes or not any("run" in step for step in job["steps"]), name


def test_one_action_is_of_one_release_everywhere() -> None:
    lines = [line for path in WORKFLOWS for line in re.findall(r"uses: (.*)", path.read_text())]
    assert len({line.partition("@")[0] for line in lines}) == len(set(lines))


def test_what_lands_passes_every_script_but_the_release_and_what_shards_play() -> None:
    run = (ROOT / ".ci" / "run").read_text("utf-8")
    for path in SCRIPTS:
        assert path.name in ("run", "release", "parts") or f"bash .ci/{path.name}" in run
        subprocess.run(["bash", "-n", path], check=True)


def test_hooks_of_pre_commit_are_steps_of_what_lands() -> None:
    hooks = [
        hook for repo in read(ROOT / ".pre-commit-config.yaml")["repos"] for hook in repo["hooks"]
    ]
    assert {repo["repo"] for repo in read(ROOT / ".pre-commit-config.yaml")["repos"]} == {"local"}
    commands = {hook["entry"] for hook in hooks}
    assert commands == {
        "bash .ci/style", "bash .ci/workflows", ".venv/bin/python -m tools --check"
    }  # fmt: skip


@pytest.mark.everything("site")
def test_workflows_and_forms_are_what_github_takes() -> None:
    done = subprocess.run(
        ["bash", ".ci/workflows"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.everything("site")
@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("workflows/tests.yml", "@3d3c42e5aac5ba805825da76410c181273ba90b1", "@v7"),
        ("workflows/tests.yml", "run: bash .ci/run", "run: echo ${{ github.head_ref }}"),
        ("workflows/tests.yml", "runs-on: ubuntu-24.04", "run-on: ubuntu-24.04"),
        ("workflows/tests.yml", "    timeout-minutes: 90\n", ""),
        ("ISSUE_TEMPLATE/bug.yml", "type: textarea", "type: textfield"),
        ("dependabot.yml", "interval: monthly", "interval: often"),
    ],
)
def test_what_github_would_refuse_is_refused_here(
    file: str, old: str, new: str, tmp_path: Path
) -> None:
    shutil.copytree(ROOT / ".github", tmp_path / ".github")
    shutil.copytree(ROOT / ".ci", tmp_path / ".ci")
    for name in ("action.yml", ".pre-commit-config.yaml"):
        shutil.copy2(ROOT / name, tmp_path)
    (tmp_path / ".venv").symlink_to(ROOT / ".venv")
    path = tmp_path / ".github" / file
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")
    done = subprocess.run(
        ["bash", tmp_path / ".ci" / "workflows"], capture_output=True, check=False
    )
    assert done.returncode
