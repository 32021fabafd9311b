"""The rendered files on the other releases that a framework's users have."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from uv import find_uv_bin

from skill_tools import pipeline
from skill_tools.errors import InterpreterError
from skill_tools.evidence.trajectory import Trajectory
from skill_tools.frameworks.rules import load
from skill_tools.reference.playbook import write_scripts
from skill_tools.render import wheel
from skill_tools.rollouts.rollout import SHARED_REQUIREMENTS, variant_venv
from skill_tools.runtime import interpreters, venvs
from tests.live.frameworks import FRAMEWORKS

from .rolled import roll

pytestmark = pytest.mark.everything("releases")


def play(folder: Path, framework: str, venv: venvs.Overlay) -> list[Trajectory]:
    tasks, scripts = write_scripts(load(folder), folder, None, 4)
    return roll(folder, framework, scripts, 4, venv=venv, split=tasks.split)


def same_as_default(folder: Path, framework: str, found: list[Trajectory]) -> None:
    expected = pipeline.validate(folder, [framework], count=4).evidence.reference.episodes
    for trajectory in found:
        bare = expected[trajectory.model][trajectory.label]
        assert trajectory.steps == bare.steps
        assert (trajectory.end, trajectory.total) == (bare.end, bare.total)


def test_the_openenv_variant_runs_on_openenv_core(game: Path) -> None:
    spec = load(game)
    pins = ["openenv-core==0.3.0"]
    venv = variant_venv(spec, game, FRAMEWORKS["openenv"], requirements=pins)
    found = play(game, "openenv", venv)
    assert {tuple(t.versions.items()) for t in found} == {(("openenv-core", "0.3.0"),)}
    same_as_default(game, "openenv", found)


def test_the_gem_variant_runs_on_the_release_that_roll_pins(game: Path) -> None:
    spec = load(game)
    pins = ["gem-llm==0.0.4", "requests>=2", "rstr>=3"]
    found = play(game, "gem", variant_venv(spec, game, FRAMEWORKS["gem"], requirements=pins))
    assert {t.versions["gem-llm"] for t in found} == {"0.0.4"}
    same_as_default(game, "gem", found)


def test_the_nemo_gym_variant_runs_on_the_newest_release(
    game: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    try:
        python = interpreters.find(">=3.13")
    except InterpreterError as error:
        pytest.fail(f"nemo-gym 0.7 needs Python 3.13: {error}")
    folder = tmp_path_factory.mktemp("nemo-gym-0.7") / "base"
    uv = find_uv_bin()
    environment = {**os.environ, "UV_LINK_MODE": "hardlink"}
    subprocess.run([uv, "venv", "--quiet", "--python", python, folder], check=True)
    # 0.7 asks for 3.13.14; it runs on earlier patches of 3.13, which the resolver must not know.
    install = [uv, "pip", "install", "--quiet", "--python", folder / "bin" / "python"]
    wanted = ["--python-version", "3.13.14", "nemo-gym==0.7.0", *SHARED_REQUIREMENTS]
    subprocess.run([*install, *wanted], check=True, env=environment)
    base = venvs.Base(folder, ("nemo-gym==0.7.0",))
    harness = wheel.HARNESS.unpacked(game, folder.parent / "wheels")
    links = {load(game).package: game, wheel.HARNESS.imported: harness}
    venv = venvs.overlay(base, "nemo-gym-0.7", links)
    found = play(game, "nemo_gym", venv)
    assert {t.versions["nemo-gym"] for t in found} == {"0.7.0"}
    same_as_default(game, "nemo_gym", found)
