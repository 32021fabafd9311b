"""Parity on every task of a split, not only on the first ten."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from skill_tools import checks, pipeline
from skill_tools.frameworks.rules import load
from skill_tools.pipeline.bare_runs import BareRuns, play_domain
from skill_tools.pipeline.collection import collect_evidence
from skill_tools.rollouts.rollout import prepare
from tests.conftest import WORDLE
from tests.live.frameworks import FRAMEWORKS

from .conftest import AUTHORS

pytestmark = pytest.mark.everything("whole split")
POLICIES = ("oracle", "random", "malformed")
SPLIT, TASKS = "test", 199


def some(bare: BareRuns) -> BareRuns:
    """The playbook with three of its policies, and what these did."""
    scripts = {policy: bare.playbook.scripts[policy] for policy in POLICIES}
    episodes = {policy: bare.reference.episodes[policy] for policy in POLICIES}
    reference = replace(bare.reference, episodes=episodes)
    return replace(bare, playbook=bare.playbook._replace(scripts=scripts), reference=reference)


def test_six_variants_of_wordle_agree_on_every_task_of_the_test_split(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(WORDLE, tmp_path / "wordle", ignore=AUTHORS))
    pipeline.render(folder)
    spec = load(folder)
    assert spec.frameworks == list(FRAMEWORKS)
    bare = play_domain(spec, folder, split=SPLIT, count=10_000)
    assert len(bare.playbook.tasks.tasks) == TASKS
    prepare(spec, folder, spec.frameworks, lambda who, what: None)
    seen = collect_evidence(spec, folder, some(bare))
    for framework in FRAMEWORKS:
        played = seen.variants.rollouts[framework]
        assert {policy: len(by_label) for policy, by_label in played.items()} == dict.fromkeys(
            POLICIES, TASKS
        )
        assert {t.total for t in played["oracle"].values()} == {1.0}
    parity = [check for check in checks.CHECKS.values() if check.family == "PAR"]
    assert {check.id: list(check.find(seen)) for check in parity} == {c.id: [] for c in parity}
