"""Checks of what only an audit sees."""

from __future__ import annotations

from dataclasses import replace

import pytest

from skill_tools import checks
from skill_tools.play.evidence import Evidence

from .audited import FAILS, FILLED, TOLD, audit_of, episode, step


def found(evidence: Evidence, *statuses: str) -> set[str]:
    return {f.check for f in checks.run(evidence) if f.status in statuses}


def test_a_right_environment_of_others_passes_all_that_can_be_judged() -> None:
    findings = checks.run(audit_of())
    assert not [f for f in findings if f.status not in ("pass", "skip")]
    passed = {f.check for f in findings if f.status == "pass" and f.check.startswith("AUD")}
    assert len(passed) == 15


@pytest.mark.parametrize("identity", FAILS)
def test_a_defect_fails_the_check_meant_for_it_and_no_other(identity: str) -> None:
    assert found(FAILS[identity](), "fail") == {identity}


@pytest.mark.parametrize("identity", TOLD)
def test_what_a_person_should_look_at_is_told_and_fails_nothing(identity: str) -> None:
    evidence = TOLD[identity]()
    assert found(evidence, "warn", "note") == {identity}
    assert not found(evidence, "fail")


def test_what_an_audit_alone_sees_is_not_asked_elsewhere() -> None:
    asked = {f.check for f in checks.run(audit_of()) if f.check.startswith("AUD")}
    assert len(asked) == 15
    evidence = replace(audit_of(), audited=None)
    assert not [f for f in checks.run(evidence) if f.check.startswith("AUD")]


def test_filler_paid_with_a_cap_is_still_paid_by_its_length() -> None:
    capped = {name: min(1.0, int(name[7:]) / 40) for name in FILLED}
    assert found(audit_of(capped), "fail") == {"AUD002"}


def test_who_pays_for_anything_but_what_it_refuses_pays_for_anything() -> None:
    refused = step()
    refused["error"] = "refused"
    every = [
        episode("malformed", 0.0, t.index or 0, steps=[refused]) if t.model == "malformed" else t
        for t in audit_of(dict.fromkeys(FILLED, 1.0)).every
    ]
    assert found(audit_of(every=every), "fail") == {"AUD001"}


def test_the_same_pay_for_every_filler_is_not_by_its_length() -> None:
    assert not found(audit_of(dict.fromkeys(FILLED, 0.2)), "fail")


def test_a_replay_that_only_reads_otherwise_is_a_warning() -> None:
    other = {
        "oracle": {
            f"theirs/train/{i}/0": episode("oracle", 1.0, i, steps=[step("Yes!", 1.0)])
            for i in range(2)
        }
    }
    assert found(audit_of(again=other), "warn") == {"AUD005"}


def test_a_call_after_the_end_fails_only_if_it_is_paid() -> None:
    late = [*audit_of().every, episode("past_done", steps=[step(), step(done=False)])]
    assert "EPI003" in found(audit_of(every=late), "warn")
    paid = [*audit_of().every, episode("past_done", steps=[step(), step(reward=0.5)])]
    assert "EPI003" in found(audit_of(every=paid), "fail")
