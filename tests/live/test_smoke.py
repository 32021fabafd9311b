"""A smoke test of each framework: a plain run builds the counter in it, and so plays it for real."""

from __future__ import annotations

from pathlib import Path

import pytest

from skill_tools import pipeline
from tests.conftest import write_counter
from tests.live.frameworks import FRAMEWORKS
from tests.reports import unwanted

pytestmark = pytest.mark.smoke


# TRL is not among them: its venv has PyTorch, of which a plain run would install 700 MB.
@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_a_framework_plays_the_counter_as_its_domain_does(framework: str, tmp_path: Path) -> None:
    found = pipeline.build(write_counter(tmp_path / "counter"), [framework], count=2)
    assert not unwanted(found.report)
    played, bare = found.evidence.variants.rollouts[framework], found.evidence.reference.episodes
    assert set(played) == set(bare) > {"oracle", "random"}
    for policy, by_task in played.items():
        for label, trajectory in by_task.items():
            assert trajectory.steps == bare[policy][label].steps, (policy, label)
            assert trajectory.end == bare[policy][label].end, (policy, label)
    assert {each.total for each in played["oracle"].values()} == {1.0}
