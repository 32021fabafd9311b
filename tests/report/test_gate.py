"""What a gate lets pass: levels, limits of measures, what could not be judged."""

from __future__ import annotations

from typing import Any

import pytest

from skill_tools.checks import Finding
from skill_tools.errors import SkillToolsError
from skill_tools.report.gate import Gate, read_gate, rule
from skill_tools.report.model import Report
from tests.over import over


def report_of(*findings: Finding, **fields: Any) -> Report:
    ok = not any(each.status == "fail" for each in findings)
    given: dict[str, Any] = {
        "environment": "counter",
        "title": "Counter",
        "folder": "",
        "ok": ok,
        "seconds": 1.0,
        "split": "train",
        "tasks": 3,
        "not_played": "",
        "variants": [],
        "findings": list(findings),
        "counts": {},
    }
    return Report(**(given | fields))


FAILS = Finding("REW001", "reward-out-of-range", "fail", "1.4 is more than 1")
WARNS = Finding("REW011", "paid-by-a-trick", "warn", "blanks are paid")
NOTES = Finding("EPI012", "odd-words", "note", "it says soon")


def failing(words: list[str], report: Report) -> list[str]:
    return [each.fails for each in rule(read_gate(words), report) if each.fails]


@over(
    ("words", "level"),
    [([], 1), (["fail"], 1), (["warn"], 2), (["note"], 3), (["never"], 0), (["fail,note"], 3)],
)
def test_a_level_counts_itself_and_what_is_worse(words: list[str], level: int) -> None:
    found = [bool(failing(words, report_of(each))) for each in (FAILS, WARNS, NOTES)]
    assert found == [place < level for place in range(3)]


def test_what_fails_names_the_checks() -> None:
    assert failing(["warn"], report_of(FAILS, WARNS)) == [
        "1 check failed: REW001",
        "1 check to look at: REW011",
    ]


@pytest.mark.parametrize(("value", "fails"), [(0.1, False), (0.11, True), (0.0, False)])
def test_a_measure_may_reach_its_limit_and_not_exceed_it(value: float, fails: bool) -> None:
    report = report_of(measures={"ceiling": value})
    assert bool(failing(["ceiling > 0.1"], report)) is fails


def test_a_limit_adds_to_failed_checks_unless_they_never_count() -> None:
    report = report_of(FAILS, measures={"ceiling": 0.0})
    assert failing(["ceiling>0.1"], report)
    assert not failing(["never,ceiling>0.1"], report)
    assert failing(["never", "ceiling>0.1"], report_of(measures={"ceiling": 1.0}))


def test_a_measure_that_was_not_measured_does_not_pass() -> None:
    (why,) = failing(["false-fails>0.05"], report_of(measures={"ceiling": 0.0}))
    assert why == "false-fails was not measured on this target (measured: ceiling)"
    assert not failing(["never"], report_of())


def test_what_was_not_judged_fails_unless_a_level_is_named_or_nothing_was_to_be_played() -> None:
    report = report_of(
        verdict="not judged", unjudged=["--solutions FILE"], measures={"ceiling": 0.0}
    )
    for words in ([], ["ceiling>0.1"], ["unjudged"], ["warn,unjudged"]):
        assert "--solutions FILE" in failing(words, report)[0]
    for words in (["fail"], ["warn"], ["never"], ["never,ceiling>0.1"]):
        assert not failing(words, report)
    assert not any(each.fails for each in rule(read_gate([], played=False), report))


def test_what_was_not_judged_fails_on_request_also_beside_known_findings() -> None:
    unjudged = {"verdict": "not judged", "unjudged": ["--solutions FILE"]}
    assert "--solutions FILE" in failing(["unjudged"], report_of(**unjudged))[0]
    known = rule(read_gate(["unjudged"]), report_of(FAILS, unjudged=["--solutions FILE"]), {0: ""})
    assert [bool(each.fails) for each in known] == [False, True]


def test_a_known_finding_passes_and_a_new_one_of_its_check_does_not() -> None:
    report = report_of(FAILS, FAILS)
    assert not any(each.fails for each in rule(Gate(), report, {0: "", 1: ""}))
    assert any(each.fails for each in rule(Gate(), report, {0: ""}))


def test_files_that_changed_meanwhile_fail_though_no_check_did() -> None:
    report = report_of(ok=False, seen="game.py changed while it was played")
    assert failing([], report) == ["game.py changed while it was played"]


@over(
    ("word", "said"),
    [
        ("faill", "write fail, warn, note, never, unjudged, or MEASURE>NUMBER"),
        ("ceilling>0.1", "did you mean 'ceiling'?"),
        ("ceiling>lots", "does not accept"),
        ("ceiling>1e", "is not a number"),
        ("ceiling>1e999", "is not a number"),
        ("ceiling<0.1", "does not accept"),
        ("never,warn", "never and warn"),
    ],
)
def test_what_is_no_gate_is_refused_with_what_to_write(word: str, said: str) -> None:
    with pytest.raises(SkillToolsError) as error:
        read_gate([word])
    assert said in str(error.value)
    assert "fix:" in str(error.value) or "there are:" in str(error.value)
