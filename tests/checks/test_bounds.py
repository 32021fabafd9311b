"""Bounds that an author sets: how much players may earn here, with a reason, and only where there is one."""

from __future__ import annotations

from pathlib import Path

import pytest

from skill_tools import pipeline
from skill_tools.checks import CHECKS
from skill_tools.checks.check import Hit
from skill_tools.checks.testing import hits_of
from skill_tools.errors import SpecError
from skill_tools.evidence.declaration import Allowed, Declaration
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.probed import Attempt, Probed
from skill_tools.evidence.trajectory import Step, Trajectory
from skill_tools.report.facts import find_check
from skill_tools.report.listing import tell_check
from tests.conftest import write_counter


def played(total: float, index: int) -> Trajectory:
    step = Step(tool="toss", arguments={}, observation=[], reward=total, done=True)
    return Trajectory(
        model="oracle", label=f"coin/train/{index}/0", end="terminated", total=total, steps=[step]
    )


def earning(probe: str, returns: list[float], **bounds: float) -> Evidence:
    """Evidence of what a probe earned on as many tasks, and of what somebody may earn."""
    tried = [
        Attempt(probe, "a call", f"coin/train/{n}/0", played(total, n))
        for n, total in enumerate(returns)
    ]
    allowed = {
        name.replace("_", "-"): Allowed(share=share, because="a coin decides")
        for name, share in bounds.items()
    }
    declared = Declaration(name="coin", reward_range=(0.0, 1.0), bounds=allowed)
    return Evidence(declared, probed=Probed(attempts={probe: tried}))


def levels(hits: list[Hit]) -> list[str | None]:
    return [each.level for each in hits]


WON = [1.0] * 6 + [0.0] * 4


def test_what_luck_may_earn_here_is_noted_with_the_reason_and_more_is_not() -> None:
    assert levels(hits_of(CHECKS["REW015"], earning("luck", WON))) == ["warn"]
    for name in ("luck_pays", "REW015"):
        (hit,) = hits_of(CHECKS["REW015"], earning("luck", WON, **{name: 0.65}))
        assert hit.level == "note"
        assert hit.message.endswith("(env.yaml allows 65%: a coin decides)")
    assert levels(hits_of(CHECKS["REW015"], earning("luck", WON, luck_pays=0.55))) == ["warn"]


def test_a_bound_of_one_check_is_none_of_another() -> None:
    evidence = earning("last", WON, luck_pays=0.9)
    assert levels(hits_of(CHECKS["REW014"], evidence)) == [None]
    evidence = earning("last", WON, last_call_alone_paid=0.9)
    assert levels(hits_of(CHECKS["REW014"], evidence)) == ["note"]


def test_who_reads_about_a_check_learns_of_its_bound() -> None:
    told = {
        name: "\n".join(map(str, tell_check(find_check(name)))) for name in ("REW015", "PAR002")
    }
    assert "bound: random legal play may earn 0.5 of the maximum on average" in told["REW015"]
    assert "bound" not in told["PAR002"]


@pytest.mark.parametrize(
    ("name", "expected"), [("luck-pay", "'luck-pays'"), ("PAR002", "that has a bound")]
)
def test_a_bound_of_a_check_that_has_none_is_refused(
    name: str, expected: str, tmp_path: Path
) -> None:
    bounds = f"bounds: {{{name}: {{share: 0.6, because: a coin decides here}}}}\nepisode:"
    folder = write_counter(tmp_path / "counter", env=("episode:", bounds))
    found = pipeline.check(folder, run_code=False).report.findings
    assert [f.status for f in found if f.check == "SPE006" and expected in f.message] == ["fail"]
    with pytest.raises(SpecError, match=expected):
        pipeline.render(folder)


def test_a_bound_changes_nothing_of_what_is_rendered(tmp_path: Path) -> None:
    bounds = "bounds: {luck-pays: {share: 0.6, because: a coin decides here}}\nepisode:"
    rendered = []
    for name, env in (("plain", []), ("bound", [("episode:", bounds)])):
        folder = write_counter(tmp_path / name / "counter", env=env)
        pipeline.render(folder)
        files = {path.relative_to(folder): path for path in folder.rglob("*") if path.is_file()}
        rendered.append({key: path.read_bytes() for key, path in files.items()})
    plain, bound = rendered
    assert {str(key) for key in plain if plain[key] != bound[key]} == {"env.yaml"}
    assert plain.keys() == bound.keys()
