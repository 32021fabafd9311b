"""What an audit's reports say: no more than what was seen, in OpenEnv's words too."""

from __future__ import annotations

from dataclasses import replace

import pytest

from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.trajectory import by_label
from skill_tools.report.formats.rfc008 import RESULTS
from skill_tools.report.outcome import judge
from tests.checks.audited import WARNED, audit_of, episode, oracle_episodes, step, with_seen


def graded(evidence: Evidence, check: str) -> tuple[str, str]:
    """The status and the evidence of a check of RFC 008."""
    return RESULTS[check](evidence, judge(evidence))[:2]


def test_what_was_right_passes() -> None:
    statuses = {check: graded(audit_of(), check)[0] for check in RESULTS}
    assert set(statuses.values()) == {"pass"}, statuses


def test_a_reward_is_not_missed_where_the_server_refused_the_call() -> None:
    assert graded(with_seen(rewarded=0, unrewarded=0), "runtime.reward_well_formed")[0] == "pass"
    status, why = graded(with_seen(rewarded=1, unrewarded=1), "runtime.reward_well_formed")
    assert (status, "reward is None" in why) == ("fail", True)


def test_isolation_is_not_passed_where_no_two_sessions_were_compared() -> None:
    other = oracle_episodes(steps=[step("Other.", 1.0)])
    unsteady = audit_of(again=other, together=other)
    status, why = graded(unsteady, "runtime.episode_isolation")
    assert (status, "deterministic on its own" in why) == ("skip", True)
    assert graded(WARNED["AUD008"](), "runtime.episode_isolation")[0] == "fail"


def test_seeds_are_not_passed_on_noise() -> None:
    other = oracle_episodes(steps=[step("Other.", 1.0)])
    assert graded(audit_of(again=other), "runtime.seed_control")[0] == "skip"
    assert graded(audit_of(reseeded=oracle_episodes()), "runtime.seed_control")[0] == "fail"


def test_a_solution_in_the_state_alone_is_neither_passed_nor_failed() -> None:
    noted = with_seen(answers_in_state=["expected_answer"])
    assert graded(noted, "semantic.no_solution_leakage")[0] == "skip"


def test_both_defects_of_a_state_are_told() -> None:
    states = [{"episode_id": "b", "step_count": 3, "asked": "a"}]
    status, why = graded(with_seen(states=states), "runtime.state_contract")
    assert status == "fail"
    assert "the state has 'b'" in why
    assert "counts 3" in why


def test_what_is_paid_after_the_end_is_not_the_most_that_can_be_earned() -> None:
    twice = episode("second_answer", steps=[step(), step(reward=5.0)], total=5.0)
    evidence = audit_of(every=[*audit_of().every, twice])
    assert graded(evidence, "semantic.oracle_max") == ("pass", "2 solutions earned 1")


@pytest.mark.parametrize("solved", [True, False])
def test_the_report_says_whether_solutions_were_played(solved: bool) -> None:
    every = [t for t in audit_of().every if solved or t.model != "oracle"]
    evidence = audit_of(every=every, again=by_label(every), solved=solved)
    seen = judge(replace(evidence)).report.seen
    assert "scripts that know only the tools" in seen
    assert ("the solutions of 2 tasks" in seen) is solved
