"""The Jupyter environment on E2B: its variants, the real client, a stand-in for the cloud."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from skill_tools import pipeline
from skill_tools.checks.reading.variation import comparable
from skill_tools.errors import DomainError
from skill_tools.evidence.trajectory import Trajectory
from tests.conftest import JUPYTER
from tests.live.sandbox.e2b_cloud import KEY, StandIn

TASKS = 5
VARIANTS = ("openenv", "verifiers", "nemo_gym", "gem")


@pytest.fixture(scope="module")
def jupyter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The environment as it lies in the repository."""
    return Path(shutil.copytree(JUPYTER, tmp_path_factory.mktemp("on_e2b") / "jupyter_env"))


@pytest.fixture(scope="module")
def local(jupyter: Path) -> list[Trajectory]:
    """The oracle's episodes on this machine."""
    return pipeline.rollout(jupyter, "openenv", "oracle", indices=(0, TASKS - 1))


@pytest.mark.everything("sandboxes")
@pytest.mark.parametrize("framework", VARIANTS)
def test_the_oracle_plays_the_same_episodes_in_the_cloud(
    framework: str,
    jupyter: Path,
    stand_in: StandIn,
    local: list[Trajectory],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("JUPYTER_BACKEND", "e2b")
    monkeypatch.setenv("E2B_API_KEY", KEY)
    monkeypatch.setenv("E2B_API_URL", stand_in.url)
    monkeypatch.setenv("E2B_SANDBOX_URL", stand_in.url)
    made = stand_in.made()
    found = pipeline.rollout(jupyter, framework, "oracle", indices=(0, TASKS - 1))
    assert [(t.total, t.end, t.failure) for t in found] == [(1.0, "terminated", None)] * TASKS
    # One for what the oracle tries out beforehand, one for the episode itself.
    assert stand_in.made() - made == 2 * TASKS
    assert stand_in.nothing_left()
    played = {trajectory.label: trajectory for trajectory in found}
    for here in local:
        there = played[here.label]
        assert [step.tool for step in there.steps] == [step.tool for step in here.steps]
        for ours, theirs in zip(here.steps, there.steps, strict=True):
            varies = ["address", "time", "duration", "path"]
            assert comparable(theirs.text, varies) == comparable(ours.text, varies)
    assert not any(KEY in trajectory.model_dump_json() for trajectory in found)


def test_a_build_without_a_key_names_it(jupyter: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUPYTER_BACKEND", "e2b")
    monkeypatch.delenv("E2B_API_KEY", raising=False)
    with pytest.raises(DomainError, match="E2B_API_KEY is not set"):
        pipeline.build(jupyter, ["openenv"])
