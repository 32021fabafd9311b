"""Environments built once, in real venvs of the real frameworks."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from skill_tools import pipeline
from skill_tools.spec.model import RENDERED_FOLDERS
from tests.conftest import CONNECT_FOUR, WORDLE
from tests.live.frameworks import FRAMEWORKS
from tests.live.sandbox.e2b_cloud import MOST, StandIn, cloud

AUTHORS = shutil.ignore_patterns(
    *FRAMEWORKS, "trl", *RENDERED_FOLDERS, "runs", "*.lock.json",
    "pyproject.toml", "README.md", ".git*", "__pycache__",
)  # fmt: skip


@pytest.fixture(
    scope="session",
    params=[
        pytest.param(WORDLE, id="wordle"),
        pytest.param(CONNECT_FOUR, id="connect_four", marks=pytest.mark.everything("frameworks")),
    ],
)
def built(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> pipeline.Outcome:
    """An environment built from its author's files alone, in every framework.

    Variables that somebody set for rollouts by hand are there, and must not matter.
    """
    folder = tmp_path_factory.mktemp("built") / "env"
    shutil.copytree(request.param, folder, ignore=AUTHORS)
    with pytest.MonkeyPatch.context() as changed:
        changed.setenv("MAX_TURNS", "2")
        for facts in FRAMEWORKS.values():
            if facts.url_variable:
                changed.setenv(facts.url_variable, "http://127.0.0.1:9")
        return pipeline.build(folder, list(FRAMEWORKS))


@pytest.fixture(scope="session")
def wordle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Wordle, rendered."""
    folder = tmp_path_factory.mktemp("wordle") / "wordle"
    shutil.copytree(WORDLE, folder, ignore=AUTHORS)
    pipeline.render(folder, list(FRAMEWORKS))
    return folder


@pytest.fixture(scope="session")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Connect four, rendered; tests that change it copy it first."""
    folder = tmp_path_factory.mktemp("game") / "connect_four"
    shutil.copytree(CONNECT_FOUR, folder)
    pipeline.render(folder, list(FRAMEWORKS))
    return folder


@pytest.fixture
def own_game(game: Path, tmp_path: Path) -> Path:
    """A rendered connect four that the test may change."""
    return Path(shutil.copytree(game, tmp_path / "connect_four"))


@pytest.fixture(scope="module")
def stand_in(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StandIn]:
    with cloud(tmp_path_factory.mktemp("e2b"), MOST) as found:
        yield found
