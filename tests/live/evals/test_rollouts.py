"""Solutions of the cases, played over the real wire by each framework's own client."""

from __future__ import annotations

from pathlib import Path

import pytest

from evals import attempt, scorers
from evals import case as cases
from evals.expectation import combined, lost_points
from evals.scorers import SCORERS
from evals.solvers import scripted

REFERENCES = [
    ("higher_lower", "openenv"),
    ("nim_python", "ors"),
    ("ledger", "verifiers"),
    ("connect_four", "nemo_gym"),
    ("reverse_word", "skyrl_gym"),
]


def tried(name: str, solver: str, frameworks: list[str] | None, place: Path) -> attempt.Attempt:
    """What a scripted solver leaves of a case, played."""
    case = cases.find(name)
    workspace = place / "workspace"
    workspace.mkdir()
    build = scripted.SCRIPTED.get(solver) or scripted.mutant(solver)
    made = build(case, workspace)
    graded = attempt.copied(workspace, place / "graded")
    return attempt.play(case, graded, frameworks or made.frameworks, place / "scratch")


@pytest.mark.everything("evals")
def test_what_is_written_by_hand_is_played(tmp_path: Path) -> None:
    got = tried("nim_openenv", "handwritten", None, tmp_path)
    found = scorers.expectations(cases.find("nim_openenv"), got)
    assert combined(found).value == 1.0, combined(found).explanation
    steps = [step for each in got.played for step in each.steps]
    assert any("STONES: 0" in (step["seen"] or "") for step in steps)


@pytest.mark.everything("evals")
@pytest.mark.parametrize(("name", "framework"), REFERENCES)
def test_every_framework_is_played(name: str, framework: str, tmp_path: Path) -> None:
    got = tried(name, "reference", [framework], tmp_path)
    for scorer in ("asked", "starts", "behaviour"):
        found = SCORERS[scorer](cases.find(name), got)
        assert not lost_points(found), [each.found for each in found if each.held is False]


@pytest.mark.everything("evals")
def test_a_defect_is_lost_by_what_is_played(tmp_path: Path) -> None:
    got = tried("nim_openenv", "empty", ["gem"], tmp_path)
    assert got.found == {}
    case = cases.find("nim_python")
    (tmp_path / "mutant").mkdir()
    got = tried("nim_python", "pays_losers", None, tmp_path / "mutant")
    lost = lost_points(SCORERS["behaviour"](case, got))
    assert lost == {"behaviour/losing pays 0@ors"}


@pytest.mark.everything("evals")
def test_a_server_that_does_not_start_says_why(tmp_path: Path) -> None:
    (tmp_path / "env" / "server").mkdir(parents=True)
    (tmp_path / "env" / "openenv.yaml").write_text("app: server.app:app\n")
    (tmp_path / "env" / "server" / "app.py").write_text("raise SystemExit('no licence for this')\n")
    case = cases.find("higher_lower")
    got = attempt.play(case, tmp_path / "env", ["openenv"], tmp_path / "scratch")
    assert "its server did not start" in got.problems["openenv"]
    assert "no licence for this" in got.problems["openenv"]
    assert combined(scorers.expectations(case, got)).value < 0.05
