"""The rendered program on a real Ray of two nodes: what it serves, who dies, how it ends."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from skill_tools.frameworks.rules import load
from skill_tools.pipeline import render
from skill_tools.pipeline.deployments import Scale, deploy
from skill_tools.rollouts.rollout import variant_venv
from skill_tools.runtime import venvs
from tests.conftest import ROOT, WORDLE
from tests.live.conftest import AUTHORS
from tests.live.frameworks import FRAMEWORKS
from tests.live.test_ray import ALONE

from .engine import NEEDS_HAPROXY
from .test_balanced import COUNT, MORE, SECONDS, SERVED, solutions

pytestmark = [pytest.mark.live, pytest.mark.everything("deploy"), NEEDS_HAPROXY]


@pytest.fixture(scope="module")
def ray_python() -> Path:
    """The Python of a venv that has Ray, and these tests."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["ray"]]
    base = venvs.base([*wanted, "psutil", "pytest"], Path(sys.executable), ["ray"])
    links = {
        "skill_tools": ROOT / "skill_tools",
        "packages": ROOT / "packages",
        "tests": ROOT / "tests",
    }
    return venvs.overlay(base, "ray", links).python


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    env = tmp_path_factory.mktemp("ray") / "wordle"
    shutil.copytree(WORDLE, env, ignore=AUTHORS)
    render(env, SERVED)
    return env


def play(scene: str, framework: str, ray_python: Path, folder: Path, room: Path) -> dict[str, Any]:
    """What was seen in a scene."""
    if subprocess.run([*ALONE, "true"], check=False).returncode:
        pytest.skip("this machine gives nobody a network of their own (unshare)")
    room.mkdir()
    made = deploy(folder, framework, "ray", room / "made", scale=Scale(sessions=256)).folder
    python = variant_venv(load(folder), folder, FRAMEWORKS[framework]).python
    words = json.dumps(solutions(folder, COUNT + MORE))
    script = [ray_python, "-m", "tests.live.deployed.ray_scenes"]
    command = [*ALONE, *script, scene, made, framework, python, words, room]
    run = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    (room / "said.log").write_text(run.stdout + run.stderr)
    assert run.returncode == 0, run.stderr[-4000:]
    seen: dict[str, Any] = json.loads(run.stdout.splitlines()[-1])
    return seen


@pytest.mark.parametrize("framework", SERVED)
def test_a_killed_worker_takes_its_own_sessions_along_comes_back_and_all_drains(
    framework: str, ray_python: Path, folder: Path, tmp_path: Path
) -> None:
    seen = play("served", framework, ray_python, folder, tmp_path / "room")
    assert seen["opened"] == {}
    assert seen["nodes"] == 2, "Ray spreads the workers"
    assert set(seen["hosts"]) == {"127.0.0.1"}, "they listen where the cluster knows their node"
    assert seen["guessed"] == ["[0.0, False]"]
    assert sum(seen["had"]) == COUNT
    assert min(seen["had"]) >= COUNT // 4, "both workers carry sessions"
    assert seen["new"] == {}
    assert seen["seconds"] < SECONDS
    assert seen["new_won"] == [[1.0, True]] * MORE
    assert sum(isinstance(what, str) for what in seen["came"]) == seen["had"][0]
    assert seen["came"].count([1.0, True]) == seen["had"][1]
    assert "ended with code -9" in seen["said"]

    assert seen["again"] == {}
    assert min(seen["had_again"]) >= COUNT // 4, (
        "the worker that was started again carries sessions"
    )
    assert seen["running"] == 2, "nothing ends before its sessions have"
    assert seen["won"] == [[1.0, True]] * COUNT
    assert seen["code"] == 0
    assert seen["said"].endswith("ended\n")
    assert seen["address_file"] == []


def test_nothing_is_left_of_a_program_that_is_killed_and_its_token_is_nowhere(
    ray_python: Path, folder: Path, tmp_path: Path
) -> None:
    seen = play("killed", "ors", ray_python, folder, tmp_path / "room")
    assert seen["opened"] == {}
    assert seen["without"] == 401
    assert seen["ran"] == 4, "two workers, HAProxy, the program"
    assert (seen["code 9"], seen["code 15"]) == (-9, 143)
    assert seen["told"] == seen["in_logs"] == []
    assert seen["logs"] > 5


def test_a_node_that_dies_takes_its_own_sessions_along_and_its_worker_comes_elsewhere(
    ray_python: Path, folder: Path, tmp_path: Path
) -> None:
    seen = play("node_dies", "openenv", ray_python, folder, tmp_path / "room")
    assert seen["opened"] == seen["new"] == {}
    assert seen["came"].count([1.0, True]) == seen["had"][0] >= COUNT // 4
    assert seen["won"] == [[1.0, True]] * MORE
    assert seen["code"] == 0


def test_what_is_lacking_is_said_and_nothing_is_left_running(
    ray_python: Path, folder: Path, tmp_path: Path
) -> None:
    seen = play("lacking", "ors", ray_python, folder, tmp_path / "room")
    said = {
        "none": "there is no Ray cluster to join at auto",
        "wrong": "there is no Ray cluster to join at 127.0.0.1:1",
        "odd": "there is no Ray cluster to join at here",
        "client": "is for clients elsewhere",
        "python": "there is no /nowhere/python",
        "bundle": "there is no _bundle in",
        "old": "is older than 2.6",
        "idle": "0 of 2 workers found a node in 3 s",
        "broken": "this world is broken",
        "taken": "HAProxy ended with code 1",
        "ray": "Ray is not installed beside",
    }
    assert set(said) == set(seen)
    for name, what in said.items():
        assert seen[name]["code"] == 2, seen[name]
        assert what in seen[name]["said"]
        assert "    fix: " in seen[name]["said"]
        assert seen[name]["seconds"] < 60
