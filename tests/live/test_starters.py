"""What `skill-tools new` writes is green as written, in every framework it names."""

from __future__ import annotations

from pathlib import Path

import pytest

from skill_tools import pipeline
from skill_tools.archetypes import ARCHETYPES
from skill_tools.frameworks import FRAMEWORKS


@pytest.mark.parametrize("archetype", ARCHETYPES)
def test_a_new_environment_is_green_in_every_framework(archetype: str, tmp_path: Path) -> None:
    folder = tmp_path / "my_env"
    pipeline.new(folder, archetype)
    found = pipeline.build(folder)
    assert [f for f in found.report.findings if f.status != "pass"] == []
    acts = "text" if archetype == "text-action" else "tool-calls"
    assert set(found.evidence.rollouts) == {
        name for name, known in FRAMEWORKS.items() if known.actions == acts
    }
    marked = [path for path in folder.iterdir() if path.is_file() and "CHANGE" in path.read_text()]
    assert marked


def test_a_new_text_environment_is_the_same_by_tool_calls(tmp_path: Path) -> None:
    folder = tmp_path / "my_env"
    pipeline.new(folder, "text-action")
    found = pipeline.build(folder, list(FRAMEWORKS))
    assert [f for f in found.report.findings if f.status != "pass"] == []
    assert set(found.evidence.rollouts) == set(FRAMEWORKS)
