"""What was seen of a mutant is kept by its files and the code that plays, and judged from there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from corpora.mutants.cache import as_result, code_key, judge_kept, keep, read_kept
from corpora.mutants.corpus import Mutant, Seen
from skill_tools.evidence.declaration import Declaration
from skill_tools.evidence.evidence import Evidence, gather_rollouts
from skill_tools.evidence.reference_run import ReferenceRun
from skill_tools.evidence.trajectory import Trajectory
from tests.checks.test_pictures import png, shown

EDIT = {"file": "game.py", "find": "a", "put": "b"}
MUTANT = Mutant("wordle-some", "wordle", "kind", "A defect.", [EDIT])
PLAYED = Evidence(
    Declaration(name="some", reward_range=(0.0, 1.0)),
    reference=ReferenceRun(
        episodes={
            "oracle": {
                "train/0": Trajectory(model="oracle", label="train/0", total=7, end="stopped")
            }
        }
    ),
)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SKILL_TOOLS_CACHE", str(tmp_path))
    return tmp_path / "mutants"


def test_what_is_kept_is_judged_as_what_was_seen() -> None:
    assert judge_kept(MUTANT) is None
    keep(MUTANT, Seen([PLAYED]))
    found = judge_kept(MUTANT)
    assert found == as_result(MUTANT, Seen([PLAYED]), code_key())
    assert "REW001" in found.checks


def test_another_edit_is_another_mutant_and_other_words_are_not() -> None:
    keep(MUTANT, Seen([PLAYED]))
    assert read_kept(replace(MUTANT, edits=[{**EDIT, "put": "c"}])) is None
    assert read_kept(replace(MUTANT, defect="In other words.", finds=("REW001",)))
    assert read_kept(replace(MUTANT, name="wordle-some-other")) is None


def test_a_control_is_kept_by_its_files(counter: Path) -> None:
    keep(counter, Seen([PLAYED]))
    assert judge_kept(counter)
    (counter / "game.py").write_text("other")
    assert judge_kept(counter) is None


def test_what_other_code_saw_is_judged_only_where_any_will_do(cache: Path) -> None:
    keep(MUTANT, Seen([PLAYED]))
    (path,) = (cache / MUTANT.name).iterdir()
    path.rename(path.with_name(path.name.replace(code_key(), "0123456789abcdef")))
    assert judge_kept(MUTANT) is None
    assert judge_kept(MUTANT, any_code=True).code == "0123456789abcdef"


def test_what_is_played_anew_replaces_what_was_there(cache: Path) -> None:
    keep(MUTANT, Seen([PLAYED]))
    keep(replace(MUTANT, edits=[]), Seen([], "the domain hangs"))
    (path,) = (cache / MUTANT.name).iterdir()
    assert path.name.endswith(".stopped.txt")
    assert judge_kept(replace(MUTANT, edits=[])).checks == ["STOPPED"]


def test_what_was_red_unplayed_is_played_when_it_is_no_longer() -> None:
    looked_at = gather_rollouts(Declaration(name="some"), [])
    keep(MUTANT, Seen([looked_at]))
    assert judge_kept(MUTANT) is None


def test_pictures_are_kept_when_other_evidence_is() -> None:
    episode = shown(png())
    drawn = ReferenceRun(episodes={"oracle": {"train/0": episode}})
    keep(MUTANT, Seen([replace(PLAYED, reference=drawn)]))
    keep(replace(MUTANT, name="wordle-other"), Seen([PLAYED]))
    kept = read_kept(MUTANT)
    assert kept
    (evidence,) = kept[0].evidence
    assert evidence.reference.episodes["oracle"]["train/0"].steps == episode.steps


def test_half_a_file_is_as_none(cache: Path) -> None:
    keep(MUTANT, Seen([PLAYED]))
    (path,) = (cache / MUTANT.name).iterdir()
    path.write_bytes(path.read_bytes()[:50])
    assert judge_kept(MUTANT) is None
