"""Environments with models inside: each is the same in every framework, and asks its models the same."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from skill_tools import pipeline
from skill_tools.evidence.trajectory import Trajectory
from skill_tools.frameworks import FRAMEWORKS
from tests.command_line import skill_tools
from tests.conftest import ROOT
from tests.reports import unwanted

pytestmark = pytest.mark.everything("frameworks")
WITH_ROLES = sorted(path.parent for path in ROOT.glob("tests/live/role_envs/*/env.yaml"))
COMPARED = ("role", "purpose", "step", "model", "messages", "schema", "reply", "error")


@pytest.mark.parametrize("mine", WITH_ROLES, ids=lambda path: path.name)
def test_models_inside_are_asked_the_same_in_every_framework(mine: Path, tmp_path: Path) -> None:
    folder = tmp_path / mine.name
    shutil.copytree(mine, folder)
    found = pipeline.build(folder, list(FRAMEWORKS), count=6)
    assert [each for each in unwanted(found.report) if each.status != "excepted"] == []
    bare = found.evidence.reference.episodes or {}
    assert set(found.evidence.variants.rollouts) == set(FRAMEWORKS)
    for framework, played in found.evidence.variants.rollouts.items():
        for policy in bare:
            for label, episode in played[policy].items():
                place = framework, policy, label
                assert (place, asked(episode)) == (place, asked(bare[policy][label]))
    assert sum(len(asked(each)) for each in bare["oracle"].values()) >= 6


def test_a_rollout_of_a_policy_names_the_models_that_stand_ins_played(tmp_path: Path) -> None:
    folder = tmp_path / "support_desk"
    shutil.copytree(ROOT / "tests/live/role_envs/support_desk_env", folder)
    pipeline.render(folder, ["gem"])
    run = skill_tools("rollout", folder, "-f", "gem")
    assert run.returncode == 0, run.stderr
    names = ", ".join(pipeline.load(folder).models)
    assert f"note: stand-ins replied for the models inside: {names}" in run.stderr


def asked(episode: Trajectory) -> list[tuple[Any, ...]]:
    """The requests of an episode, without what differs by the run."""
    return [tuple(each.get(name) for name in COMPARED) for each in episode.requests or ()]
