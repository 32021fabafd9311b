"""Every case is whole: what it names is there, and a defect can be seeded where it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import skill_tools
from evals import case as cases
from evals.case import FRAMEWORKS, Case, CaseError
from evals.solvers.scripted import reference_of
from skill_tools.archetypes import ARCHETYPES
from skill_tools.report import exemplars
from tests.conftest import ROOT
from tests.over import over

CASES = cases.every()
BUILT = {name: case for name, case in CASES.items() if case.asks.kind == "build"}
SKILLS = {path.parent.name for path in (ROOT / "skills").glob("*/SKILL.md")}


@over("case", CASES.values(), ids=CASES)
def test_a_case_has_what_its_kind_needs(case: Case) -> None:
    assert case.file.name == case.name
    assert case.file.schema_version == "1.1"
    assert case.file.graders
    if case.asks.kind == "answer":
        for pattern in case.asks.answer.says.values():
            assert not re.search(pattern, "", re.IGNORECASE | re.DOTALL), (
                "saying nothing is no answer"
            )
        for name in ("reference", "handwritten"):
            said = (case.folder / name / "answer.md").read_text("utf-8")
            for pattern in case.asks.answer.says.values():
                assert re.search(pattern, said, re.IGNORECASE | re.DOTALL), (name, pattern)
    elif case.asks.kind == "trigger":
        assert len(case.sentences) == 12
        assert {each.skill for each in case.sentences} - {None} == SKILLS
        assert sum(each.skill is None for each in case.sentences) >= 4
    else:
        assert case.asks.frameworks
        assert set(case.asks.frameworks) <= set(FRAMEWORKS)
        assert case.asks.archetype in ARCHETYPES
        assert set(case.asks.handwritten.frameworks) <= set(case.asks.frameworks)
        assert (reference_of(case) / "env.yaml").is_file()
        assert list((case.folder / "handwritten").rglob("*.py"))
        assert all((case.folder / path).exists() for path in case.asks.given)


@over("case", BUILT.values(), ids=BUILT)
def test_hidden_episodes_have_names_that_are_points(case: Case) -> None:
    names = [name for episode in case.episodes for name in episode.names]
    assert len(names) == len(set(names)) >= 4


@over("case", BUILT.values(), ids=BUILT)
def test_a_mutant_can_be_seeded_and_costs_what_is_expected(case: Case) -> None:
    expected = {f"behaviour/{name}" for episode in case.episodes for name in episode.names}
    for name, mutant in case.mutants.items():
        text = (reference_of(case) / mutant.file).read_text("utf-8")
        assert text.count(mutant.old) == 1, name
        assert mutant.old != mutant.new
        assert any(cost in expected for cost in mutant.costs), name
        for cost in mutant.costs:
            assert cost in expected or re.fullmatch(r"checks/([A-Z]{3}\d{3}|readable)", cost), (
                name,
                cost,
            )


def test_all_archetypes_frameworks_and_kinds_are_asked_for() -> None:
    assert {case.asks.archetype for case in BUILT.values()} == set(ARCHETYPES)
    asked = {name for case in BUILT.values() for name in case.asks.frameworks}
    assert asked == set(FRAMEWORKS)
    assert {case.asks.kind for case in CASES.values()} == {"build", "answer", "trigger"}


@pytest.mark.everything("costly")
def test_a_solution_that_our_server_shows_is_marked_published() -> None:
    shown = {each.name for each in exemplars.every()}
    for name, case in BUILT.items():
        spec = skill_tools.load(reference_of(case))
        is_shown = {name, spec.name} & shown
        assert bool(is_shown) == case.asks.published, name


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(CaseError, match=r"there is no case 'chess'; there are: .*connect_four"):
        cases.find("chess")
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "case.yaml").write_text("schema_version: '1.1'\nname: mine\nprompt: x\n")
    with pytest.raises(CaseError, match=r"case\.yaml: (?s:.)*README\.md says what a case holds"):
        _ = Case(folder).file
    with pytest.raises(CaseError, match=r"asks\.yaml is missing"):
        _ = Case(folder).asks
