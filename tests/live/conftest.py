"""Environments built once, in real venvs of the real frameworks."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from skill_tools import pipeline
from skill_tools.frameworks import FRAMEWORKS
from skill_tools.spec.model import RENDERED_PACKAGES
from tests.conftest import CONNECT_FOUR, WORDLE
from tests.live.sandbox.e2b_cloud import MOST, StandIn, cloud

AUTHORS = shutil.ignore_patterns(
    *FRAMEWORKS, *RENDERED_PACKAGES, "runs", "*.lock.json",
    "pyproject.toml", "README.md", ".gitignore", "__pycache__",
)  # fmt: skip


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "live" in Path(item.fspath).parts:
            item.add_marker(pytest.mark.live)


@pytest.fixture(scope="session", params=[WORDLE, CONNECT_FOUR], ids=["wordle", "connect_four"])
def built(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> pipeline.Outcome:
    """An environment built from its author's files alone, in every framework."""
    folder = tmp_path_factory.mktemp("built") / "env"
    shutil.copytree(request.param, folder, ignore=AUTHORS)
    return pipeline.build(folder, list(FRAMEWORKS))


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
