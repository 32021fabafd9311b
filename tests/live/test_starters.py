"""What `skill-tools new` writes is green as written, in every framework it names."""

from __future__ import annotations

from pathlib import Path

import pytest

from skill_tools import pipeline
from skill_tools.archetypes import ARCHETYPES
from skill_tools.checks import needs
from tests.live.frameworks import FRAMEWORKS
from tests.reports import unwanted
from tests.selection import some

from .desktop.place import here

MOST_KEPT = 5_000_000
"""Bytes of the runs of an environment that shows pictures."""


def named_by(archetype: str) -> set[str]:
    """The frameworks that a starter names."""
    acts = "text" if archetype == "text-action" else "tool-calls"
    return {name for name, known in FRAMEWORKS.items() if known.actions == acts}


@pytest.mark.parametrize("archetype", some(ARCHETYPES, ["pure-python-game"], "starters"))
def test_a_new_environment_is_green_as_written(archetype: str, tmp_path: Path) -> None:
    folder = tmp_path / "my_env"
    pipeline.new(folder, archetype)
    assert set(pipeline.load(folder).frameworks) == named_by(archetype)
    one = "gem" if archetype == "text-action" else "openenv"
    found = pipeline.build(folder, [one])
    assert unwanted(found.report) == []
    assert set(found.evidence.variants.rollouts) == {one}
    assert found.page_file.is_file()
    marked = [path for path in folder.iterdir() if path.is_file() and "CHANGE" in path.read_text()]
    assert marked


@pytest.mark.everything("starters")
@pytest.mark.parametrize("archetype", [name for name in ARCHETYPES if name != "text-action"])
def test_a_new_environment_is_green_in_every_framework(archetype: str, tmp_path: Path) -> None:
    folder = tmp_path / "my_env"
    pipeline.new(folder, archetype)
    found = pipeline.build(folder)
    assert unwanted(found.report) == []
    assert set(found.evidence.variants.rollouts) == named_by(archetype)


@pytest.mark.everything("starters")
def test_a_new_text_environment_is_the_same_by_tool_calls(tmp_path: Path) -> None:
    folder = tmp_path / "my_env"
    pipeline.new(folder, "text-action")
    found = pipeline.build(folder, list(FRAMEWORKS))
    assert unwanted(found.report) == []
    assert set(found.evidence.variants.rollouts) == set(FRAMEWORKS)


@here
@pytest.mark.everything("desktops")
def test_a_new_desktop_is_green_in_every_framework(tmp_path: Path) -> None:
    folder = tmp_path / "my_env"
    pipeline.new(folder, "desktop")
    found = pipeline.build(folder, count=2)
    # Episodes on a screen cost too much to try anything beyond the policies.
    left = [each for each in unwanted(found.report) if each.message != needs.PROBED.reason]
    assert left == []
    assert set(found.evidence.variants.rollouts) == named_by("desktop")
    # A picture is kept once, however many episodes of seven runs show it.
    kept = [path.stat().st_size for path in (folder / "runs").rglob("*") if path.is_file()]
    assert sum(kept) < MOST_KEPT
