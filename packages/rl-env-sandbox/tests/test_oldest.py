"""Tests of the oldest protocol that is still supported, played by an environment rendered for it."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest
from rl_env_sandbox import OLDEST, PROTOCOL

HERE = Path(__file__).parent


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return the domain of the environment that was rendered for the oldest protocol."""
    monkeypatch.syspath_prepend(HERE / f"protocol_{OLDEST}")
    return importlib.import_module("oldest_domain.world")


def test_the_oldest_supported_rendering_plays(world: Any) -> None:
    assert OLDEST <= PROTOCOL
    opened = world.Oldest()
    try:
        assert opened.backend == "local"
        assert opened.run("cat data/in.txt; echo $WORD; pwd") == f"1\nw\n{world.HOME}"
        assert opened.run("exit 3") == "[exit code 3]"
        assert opened.files() == [b"written", None, 0]
        assert opened.cell() == "run_code needs ipython among the packages of open_sandbox"
    finally:
        opened.close()
        opened.close()


def test_no_session_reads_the_environments_files(world: Any) -> None:
    opened = world.Oldest()
    try:
        folder = Path(world.__file__).parent
        said = opened.run(f"cat {folder}/world.py; ls {folder} {HERE}")
        assert "No such file" in said
        assert "Oldest" not in said
    finally:
        opened.close()


def test_its_variables_carry_its_name(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLDEST_BACKEND", "moon")
    with pytest.raises(world.SandboxUnavailable, match="OLDEST_BACKEND is 'moon'; the backends"):
        world.Oldest()
