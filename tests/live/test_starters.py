"""What `skill-tools new` writes is green as written, in every framework."""

from __future__ import annotations

from pathlib import Path

import pytest

from skill_tools import build


@pytest.mark.parametrize(
    "archetype", ["pure-python-game", "stateful-sandbox", "vision-computer-use"]
)
def test_a_new_environment_is_green_in_every_framework(archetype: str, tmp_path: Path) -> None:
    folder = tmp_path / "my_env"
    build.start(folder, archetype)
    found = build.build(folder)
    assert [f for f in found.report.findings if f["status"] != "pass"] == []
    assert set(found.evidence.rollouts) == {
        "openenv",
        "ors",
        "verifiers",
        "nemo_gym",
    }
    marked = [path for path in folder.iterdir() if path.is_file() and "CHANGE" in path.read_text()]
    assert marked
