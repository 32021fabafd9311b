"""A baseline: what is known fails nothing, what is new or worse does, and the report names what is fixed."""

from __future__ import annotations

from pathlib import Path

import pytest

from skill_tools.checks import Finding
from skill_tools.checks.check import Place, Status
from skill_tools.errors import SkillToolsError
from skill_tools.report import baseline
from skill_tools.report.baseline import Baseline, KnownFinding, compare, difference, grown
from skill_tools.report.gate import Gate, read_gate
from tests.over import over
from tests.report.test_gate import report_of


def finding(
    status: Status = "fail", message: str = "it is paid", count: int = 1, **place: str
) -> Finding:
    words = ("REW011", "paid-by-a-trick", status, message, "mend it")
    return Finding(*words, place=Place(**place), count=count)  # type: ignore[arg-type]


def kept(*findings: Finding, gate: Gate | None = None) -> Baseline:
    return grown(Baseline(), report_of(*findings), gate or Gate())


def test_a_finding_is_known_by_its_place_whatever_its_words_and_line() -> None:
    there = kept(finding(task="train/1", file="game.py", line="7"))
    again = finding(message="in other words", task="train/1", file="game.py", line="99")
    assert compare(there, report_of(again)).known == {0: ""}
    elsewhere = finding(task="train/2", file="game.py")
    assert compare(there, report_of(elsewhere)).known == {}


def test_more_of_the_same_and_worse_ones_are_new() -> None:
    there = kept(finding("warn"), gate=read_gate(["warn"]))
    assert compare(there, report_of(finding("warn"))).known == {0: ""}
    assert compare(there, report_of(finding("note"))).known == {0: ""}
    assert compare(there, report_of(finding("fail"))).known == {}
    assert compare(there, report_of(finding("warn"), finding("warn"))).known == {0: ""}


def test_those_that_are_only_counted_are_counted() -> None:
    shown = [finding(task=f"train/{n}") for n in range(5)]
    there = kept(*shown, finding(message="and 7 more", count=7))
    fewer = report_of(*shown, finding(message="and 6 more", count=6))
    assert len(compare(there, fewer).known) == 6
    more = report_of(*shown, finding(message="and at least 8 more", count=8))
    assert 5 not in compare(there, more).known


def test_what_nothing_matches_is_mended_only_where_it_was_looked_at() -> None:
    there = kept(finding(task="train/1"))
    passed = report_of(Finding("REW011", "paid-by-a-trick", "pass"))
    assert [each.task for each in compare(there, passed).fixed] == ["train/1"]
    assert list(baseline.told(compare(there, passed), passed.findings)) == [
        "fixed: REW011 train/1: remove it from the baseline"
    ]
    skipped = report_of(Finding("REW011", "paid-by-a-trick", "skip", "nothing was played"))
    assert compare(there, skipped).fixed == []
    assert len(compare(there, skipped).unseen) == 1
    for fields in ({"split": "test"}, {"tasks": 1}):
        other = passed.model_copy(update=fields)
        assert compare(there, other).fixed == []


def test_a_baseline_is_written_the_same_each_time_and_read_back(tmp_path: Path) -> None:
    file = tmp_path / "known.yaml"
    odd = finding(task='a: "b" #\n- c\x1b[31m \U0001f600\ud800', tool="yes", file="1")
    for findings in ([odd, finding(task="train/1")], [finding(task="train/1"), odd]):
        made = kept(*findings)
        baseline.write(file, made)
        text = file.read_text("utf-8")
        assert baseline.read(file) == made
        assert compare(baseline.read(file), report_of(*findings)).known == {0: "", 1: ""}
    baseline.write(file, kept(odd, finding(task="train/1")))
    assert file.read_text("utf-8") == text
    assert "\x1b" not in text
    assert "why: ''" in text


def test_writing_keeps_reasons_and_what_was_not_looked_at_and_drops_what_is_mended() -> None:
    old = Baseline(
        known=[
            KnownFinding(check="REW011", level="fail", task="train/1", why="a judge of ours"),
            KnownFinding(check="REW011", level="fail", task="train/2"),
            KnownFinding(check="DET001", level="fail"),
        ]
    )
    report = report_of(finding(task="train/1"), finding(task="train/0"))
    new = grown(old, report, Gate())
    assert [(each.check, each.task, each.why) for each in new.known] == [
        ("DET001", "", ""),
        ("REW011", "train/0", ""),
        ("REW011", "train/1", "a judge of ours"),
    ]
    more, less = difference(old, new)
    assert [[each.task for each in several] for several in (more, less)] == [
        ["train/0"],
        ["train/2"],
    ]


def test_only_what_the_gate_counts_is_written() -> None:
    report = report_of(finding(), finding("warn", task="train/1"), finding("excepted", task="a"))
    assert len(grown(Baseline(), report, Gate()).known) == 1
    assert len(grown(Baseline(), report, read_gate(["warn"])).known) == 2


@over(
    ("text", "said"),
    [
        ("known: [{check: REW011}]", "known.0.level"),
        ("known: [{check: REW011, level: fail, wher: x}]", "known.0.wher"),
        ("- a\n- b", "is not a baseline"),
        ("known: [", "cannot be read as YAML"),
        ("known: [{check: A, level: fail, count: 0}]", "known.0.count"),
    ],
)
def test_what_is_no_baseline_is_refused_with_its_place(
    text: str, said: str, tmp_path: Path
) -> None:
    file = tmp_path / "known.yaml"
    file.write_text(text, "utf-8")
    with pytest.raises(SkillToolsError) as error:
        baseline.read(file)
    assert said in str(error.value)
    assert "--write-baseline" in str(error.value)


def test_a_baseline_that_is_missing_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SkillToolsError, match="there is no baseline"):
        baseline.read(tmp_path / "known.yaml")
