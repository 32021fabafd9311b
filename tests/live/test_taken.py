"""A second build: episodes that an edit cannot have changed are taken from before, others are played."""

from __future__ import annotations

import gzip
import json
import shutil
from pathlib import Path

import pytest

from skill_tools import pipeline
from skill_tools.evidence.saved import EVIDENCE_FILE
from tests.conftest import write_counter

NAMES = ["skyrl_gym", "gem"]
"""Of the variants those that start at once."""


def _build(folder: Path, **options: bool) -> pipeline.Outcome:
    return pipeline.build(folder, NAMES, count=3, **options)


def _taken(found: pipeline.Outcome) -> dict[str, set[str]]:
    """The policies that were taken, by variant."""
    return {
        name: {policy for policy, origin in by_policy.items() if origin.taken}
        for name, by_policy in found.evidence.variants.origins.items()
    }


def _policies(found: pipeline.Outcome) -> set[str]:
    return set(found.evidence.variants.rollouts["gem"])


def _add(path: Path, line: str) -> None:
    path.write_text(f"{path.read_text('utf-8')}\n{line}\n", "utf-8")


def _change(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


@pytest.fixture(scope="module")
def built_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment that was built once."""
    made = write_counter(tmp_path_factory.mktemp("taken") / "counter")
    found = _build(made)
    assert found.report.ok
    assert not found.report.taken
    return made


@pytest.fixture
def folder(built_once: Path, tmp_path: Path) -> Path:
    """A copy of it, with what it left behind."""
    return Path(shutil.copytree(built_once, tmp_path / "counter"))


def test_what_nothing_has_changed_is_taken_and_said(folder: Path) -> None:
    (folder / "NOTES.md").write_text("Thoughts.\n", "utf-8")
    first = pipeline.validate(folder, NAMES, count=3)
    assert not first.report.taken  # a validation plays everything
    found = _build(folder)
    assert _taken(found) == dict.fromkeys(NAMES, _policies(found))
    assert found.evidence.variants.rollouts == first.evidence.variants.rollouts
    assert found.report.findings == first.report.findings
    (said,) = found.report.taken
    assert said.startswith("all episodes of skyrl_gym, gem, played at 2")
    assert "--no-cache" in said
    assert f"Reused from an earlier run: {said}" in (folder / "runs" / "report.md").read_text(
        "utf-8"
    )
    again = _build(folder, no_cache=True)
    assert not again.report.taken


def test_only_the_policies_whose_scripts_changed_are_played(folder: Path) -> None:
    # Looks first, which its half does as well: what does without the solution is as before.
    _change(folder / "oracle.py", "    return ", '    return [("look", {})] + ')
    found = _build(folder)
    solved = {"oracle", "early_stop", "past_done"}
    assert _taken(found) == dict.fromkeys(NAMES, _policies(found) - solved)
    assert found.report.taken[0].split(",")[0].endswith(" of gem")
    assert {
        t.steps[0].tool for t in found.evidence.variants.rollouts["gem"]["oracle"].values()
    } == {"look"}
    assert found.report.ok


@pytest.mark.everything("frameworks")
def test_what_a_changed_world_answers_is_seen(folder: Path) -> None:
    before = _build(folder).evidence.variants.rollouts["gem"]["oracle"]
    _change(folder / "game.py", "The counter is at", "The counter shows")
    found = _build(folder)
    assert _taken(found) == {name: set() for name in NAMES}
    after = found.evidence.variants.rollouts["gem"]["oracle"]
    assert all(t.steps != before[label].steps for label, t in after.items())


@pytest.mark.everything("frameworks")
def test_another_task_is_played_and_a_task_of_a_split_that_is_not_played_is_none(
    folder: Path,
) -> None:
    tasks = folder / "tasks.py"
    _add(tasks, "TASKS['more'] = [{**TASKS['train'][0], 'id': 'more', 'seed': 99}]")
    found = _build(folder)
    assert _taken(found) == dict.fromkeys(NAMES, _policies(found))
    _add(tasks, "TASKS['train'][0]['seed'] += 100")
    assert _taken(_build(folder)) == {name: set() for name in NAMES}


@pytest.mark.everything("frameworks")
def test_a_variant_that_a_finding_is_about_is_played_again(folder: Path) -> None:
    # As a defect that shows by chance leaves it: one variant pays otherwise, in what was kept.
    kept = folder / "runs" / EVIDENCE_FILE
    saved = json.loads(gzip.decompress(kept.read_bytes()))
    for episode in saved["evidence"][0]["rollouts"]["gem"]["oracle"].values():
        episode["steps"][-1]["reward"] = episode["return"] = 0.25
    kept.write_bytes(gzip.compress(json.dumps(saved).encode()))
    found = _build(folder)
    assert _taken(found) == {"skyrl_gym": _policies(found), "gem": set()}
    assert found.report.ok


@pytest.mark.everything("frameworks")
def test_a_broken_file_of_evidence_costs_nothing_but_time(folder: Path) -> None:
    (folder / "runs" / EVIDENCE_FILE).write_bytes(b"half")
    found = _build(folder)
    assert found.report.ok
    assert not found.report.taken
