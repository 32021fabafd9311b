"""Rollouts over a real Ray: nodes and workers killed, a full disk, no cluster.

Ray is in a venv of its own. Every scene runs in a network of its own that has loopback alone, as Ray
listens on every address that it finds.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import skill_tools
from skill_tools.runtime import venvs
from tests.conftest import ROOT, WORDLE

pytestmark = pytest.mark.everything("ray")
ALONE = [
    "unshare",
    "-rnmpf",
    "--mount-proc",
    "--kill-child",
    "sh",
    "-c",
    'ip link set lo up && exec "$@"',
    "sh",
]
"""Runs a command where there is no network but loopback, and no process but its own: Ray would join a
cluster of others that it finds. It may mount, too."""
EPISODES = 300


@pytest.fixture(scope="module")
def python() -> Path:
    """The Python of a venv that has Ray and us."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["ray"]]
    base = venvs.base([*wanted, "psutil", "pyarrow"], Path(sys.executable), ["ray"])
    links = {"skill_tools": ROOT / "skill_tools", "packages": ROOT / "packages"}
    return venvs.overlay(base, "ray", links).python


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    left = shutil.ignore_patterns("runs", "__pycache__", "openenv", "ors", "nemo_gym", "verifiers")
    return Path(shutil.copytree(WORDLE, tmp_path / "wordle", ignore=left))


def play(scene: str, python: Path, folder: Path, room: Path) -> dict[str, Any]:
    """What was seen in a scene."""
    if subprocess.run([*ALONE, "true"], check=False).returncode:
        pytest.skip("this machine gives nobody a network of their own (unshare)")
    room.mkdir()
    script = Path(__file__).with_name("ray_scenes.py")
    command = [*ALONE, python, script, scene, folder, room]
    run = subprocess.run(command, capture_output=True, text=True, timeout=590, check=False)
    assert run.returncode == 0, run.stderr[-4000:]
    seen: dict[str, Any] = json.loads(run.stdout.splitlines()[-1])
    return seen


def test_a_node_and_a_worker_die_and_every_episode_is_there_once(
    python: Path, folder: Path, tmp_path: Path
) -> None:
    seen = play("killed", python, folder, tmp_path / "room")
    first, again, third = seen["first"], seen["again"], seen["third"]
    assert first["code"] == 0, first["errors"]
    told = json.loads(first["said"])
    counts = {"there": 0, "played": EPISODES, "failed": 0}
    assert {name: told[name] for name in counts} == counts
    assert told["again"] >= 2  # the worker's batch, and the node's
    assert first["left"] == []
    # The variant's process ended with its node, long before it had played its batch.
    assert first["child_gone_after"] < 10
    lines = [json.loads(line) for line in seen["whole"]]
    assert Counter(line["end"] for line in lines) == {"terminated": EPISODES}
    assert set(Counter(line["label"] for line in lines).values()) == {1}
    returns = {line["label"]: line["return"] for line in lines}
    local = skill_tools.rollout(folder, "gem", indices=(0, 149), samples=2)
    assert returns == {each.label: each.total for each in local}

    played = EPISODES - seen["rest"]
    told = json.loads(again["said"])
    assert (told["there"], told["played"], told["failed"]) == (seen["rest"], played, 0)
    path = Path(told["trajectories"])
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert {line["label"]: line["return"] for line in lines} == returns
    assert len(lines) == EPISODES
    assert Path(told["table"]).read_bytes()[:4] == b"PAR1"
    told = json.loads(third["said"])
    assert (third["code"], told["there"], told["played"]) == (0, EPISODES, 0)


def test_nothing_is_left_running_when_the_command_is_killed(
    python: Path, folder: Path, tmp_path: Path
) -> None:
    seen = play("interrupted", python, folder, tmp_path / "room")
    assert seen["codes"] == [-9, 130]


def test_a_full_disk_keeps_whole_lines_and_is_gone_on_with(
    python: Path, folder: Path, tmp_path: Path
) -> None:
    seen = play("full", python, folder, tmp_path / "room")
    first, second = seen["first"], seen["second"]
    assert first["code"] == 2
    assert "No space left on device" in first["errors"]
    assert "fix: free some space, and continue with --resume" in first["errors"]
    assert seen["left"] == []
    before = [json.loads(line) for line in seen["lines"].splitlines()]
    assert 0 < len(before) < 60
    assert second["code"] == 0, second["errors"]
    labels = [json.loads(line)["label"] for line in seen["whole"]]
    assert len(labels) == len(set(labels)) == 60


def test_no_cluster_no_address_and_no_node_are_said(
    python: Path, folder: Path, tmp_path: Path
) -> None:
    seen = play("lacking", python, folder, tmp_path / "room")
    said = {
        "none": "this machine does not belong to a running Ray cluster",
        "wrong": "no Ray cluster answers at ray://127.0.0.1:1",
        "stale": "no Ray cluster answers at 127.0.0.1:2",
        "idle": "no node with a processor joined the cluster in 4 s",
    }
    for name, what in said.items():
        assert seen[name]["code"] == 2, seen[name]
        assert what in seen[name]["errors"]
        assert "fix: " in seen[name]["errors"]
        assert seen[name]["seconds"] < 60
    assert seen["file"] == "None"


def test_a_model_is_asked_by_the_nodes_with_its_key_which_no_log_has(
    python: Path, folder: Path, tmp_path: Path
) -> None:
    seen = play("asked", python, folder, tmp_path / "room")
    assert seen["first"]["code"] == 0, seen["first"]["errors"]
    lines = [json.loads(line) for line in seen["lines"]]
    assert sorted((line["index"], line["sample"]) for line in lines) == [
        (index, sample) for index in range(3, 20) for sample in range(2)
    ]
    assert {line["sampling"]["temperature"] for line in lines} == {0.5}
    assert {line["return"] for line in lines} == {1.0}
    assert seen["keys"] == ["Bearer key-of-nobody-7f3a", "Bearer none"]  # the study has no key
    assert seen["logs"] > 5
    assert seen["told"] == []
    assert seen["second"]["code"] == 2
    assert "was played with sampling" in seen["second"]["errors"]
    assert seen["after"]
    assert seen["study"]["code"] in (0, 1), seen["study"]["errors"]  # 1: of the game itself
    (numbers,) = json.loads(seen["study"]["said"])["models"]
    assert (numbers["overall"]["episodes"], numbers["left"]) == (36, 0)
    assert numbers["overall"]["passed"]["1"]["mean"] == 1.0
    assert numbers["ended"] == "all 36 episodes were played"


def test_a_cluster_with_a_token_is_reached_from_its_machine_and_from_elsewhere(
    python: Path, folder: Path, tmp_path: Path
) -> None:
    seen = play("started", python, folder, tmp_path / "room")
    for where in ("here", "elsewhere"):
        assert seen[where]["code"] == 0, seen[where]["errors"]
        assert json.loads(seen[where]["said"])["played"] == 4
