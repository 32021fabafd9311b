"""The parts of a skill, each of which can be dropped, and what is reported of it."""

from __future__ import annotations

from pathlib import Path

from evals import skill_mutants
from evals.report.result import Result
from tests.conftest import ROOT
from tests.over import over

SKILLS = ROOT / "skills"
NAMES = sorted(path.parent.name for path in SKILLS.glob("*/SKILL.md"))


@over("skill", NAMES)
def test_every_step_and_every_page_has_parts(skill: str) -> None:
    found = skill_mutants.parts(SKILLS, skill)
    assert [each.number for each in found] == list(range(1, len(found) + 1))
    pages = {path.relative_to(SKILLS).as_posix() for path in (SKILLS / skill).rglob("*.md")}
    assert {each.file for each in found} <= pages
    assert f"{skill}/SKILL.md" in {each.file for each in found}
    for each in found:
        assert each.text in (SKILLS / each.file).read_text("utf-8")


def test_one_part_is_dropped_and_nothing_else(tmp_path: Path) -> None:
    found = skill_mutants.parts(SKILLS, "rl-env-from-description")
    (step,) = [each for each in found if each.text.startswith("6. **`render_env`**")]
    copy = skill_mutants.without(SKILLS, step, tmp_path)
    page = (copy / step.file).read_text("utf-8")
    assert "6. **`render_env`**" not in page
    assert page == (SKILLS / step.file).read_text("utf-8").replace(step.text, "", 1)
    same = {path.relative_to(copy) for path in copy.rglob("*") if path.is_file()}
    assert same == {path.relative_to(SKILLS) for path in SKILLS.rglob("*") if path.is_file()}


def test_the_cases_that_change_are_named() -> None:
    found = skill_mutants.parts(SKILLS, "rl-env-from-description")[:2]

    def result(solver: str, case: str, score: float | None) -> Result:
        base = {"solver": solver, "sample": case, "case": case, "epoch": 1}
        return Result(**base, score=score, explanation="")

    results = [result("whole", "nim", 1.0), result("whole", "chess", 1.0)]
    results += [result("without-001", "nim", 0.25), result("without-001", "chess", 1.0)]
    results += [result("without-002", "nim", 1.0), result("without-002", "chess", None)]
    changed = skill_mutants.changes(results, found)
    assert list(changed.values()) == [{"nim": -0.75}, {}]
