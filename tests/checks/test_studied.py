"""The checks of a study: each has a broken example, and all that holds for other findings."""

from __future__ import annotations

from skill_tools import checks
from skill_tools.checks import CHECKS, Finding
from skill_tools.evidence.declaration import Allowed, Excepted
from skill_tools.evidence.evidence import Evidence
from tests.over import over

from .studied import BROKEN, seen, study_of


def asked(evidence: Evidence) -> dict[str, Finding]:
    found = checks.run(evidence)
    return {f.check: f for f in found if f.status in ("fail", "warn", "note", "excepted")}


def test_every_check_of_a_study_has_a_broken_example() -> None:
    assert set(BROKEN) == {check for check in CHECKS if check.startswith("LRN")}


@over("identity", BROKEN)
def test_a_broken_study_is_told_by_the_check_meant_for_it(identity: str) -> None:
    level, studied = BROKEN[identity]
    found = asked(study_of(studied))
    assert (found[identity].status, found[identity].fix != "") == (level, True)
    worse = {f.check for f in found.values() if f.status == "fail"} - {identity}
    assert not worse


def test_a_study_alone_is_judged_by_the_checks_of_studies_and_a_build_by_none_of_them(
    good: Evidence,
) -> None:
    found = checks.run(study_of(seen()))
    assert {f.check for f in found} == set(BROKEN)
    assert {f.status for f in found} == {"pass"}
    assert not [f for f in checks.run(good) if f.check.startswith("LRN")]


def test_an_exception_is_one_in_a_study_as_well_and_one_that_never_applied_is_told() -> None:
    right = Excepted(check="tasks-nobody-solves", task="train/3", because="It is a dead end.")
    other = Excepted(check="LRN006", because="It is not flat.")
    found = asked(study_of(BROKEN["LRN002"][1], exceptions=[right, other]))
    assert found["LRN002"].status == "excepted"
    assert found["LRN002"].message.endswith("(an exception: It is a dead end.)")
    assert found["SPE006"].message == "the exception for LRN006 never applied"


@over("allowed", [None, 0.9, 0.7])
def test_env_yaml_may_allow_players_who_do_not_look_more(allowed: float | None) -> None:
    bounds = {"LRN007": Allowed(share=allowed, because="It is easy.")} if allowed else {}
    found = asked(study_of(seen(lazy={"only left()": 0.8}), bounds=bounds))
    beaten = "warn" if allowed != 0.9 else "note"  # it earns more than the half-skilled in any case
    assert found["LRN007"].status == beaten
    assert f"the bound is {allowed or 0.7:.0%}" in found["LRN007"].message
