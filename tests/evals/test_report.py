"""The report of results: intervals, differences, files for others, and a page that escapes."""

from __future__ import annotations

import json

import pytest

from evals.expectation import Expectation
from evals.report import benchmark, page, terminal
from evals.report.model import Report, summary
from evals.report.result import Result


def result(solver: str, score: float, epoch: int = 1, case: str = "higher_lower") -> Result:
    expected = [
        Expectation(
            scorer="behaviour", name="finding it pays 1", framework="ors", held=score == 1,
            found="it paid <b>0.5</b>", episode="finding",
        ),
        Expectation(scorer="checks", name="all", held=None, found="no env.yaml"),
    ]  # fmt: skip
    step = {"said": "guess(number=5)", "seen": "RESULT: <script>", "reward": 0.5, "done": True}
    played = {"episode": "finding", "framework": "ors", "outcomes": {}, "problem": ""}
    return Result(
        solver=solver, sample=case, case=case, epoch=epoch, score=score, explanation="why",
        expectations=expected, episodes=[{**played, "steps": [step]}],
        effort={"seconds": 12.5, "tokens": 100, "tool_calls": 4},
    )  # fmt: skip


def test_intervals_are_over_epochs_and_one_epoch_has_none() -> None:
    assert summary([0.5]).low is None
    got = summary([1.0, 0.5, None])
    assert got.mean == 0.75
    assert (got.count, got.unscored) == (2, 1)
    assert got.low < 0, "two epochs say little"
    assert got.high > 1
    assert summary([1.0] * 5).low == 1.0
    assert summary([None]).mean is None


def test_with_less_without() -> None:
    results = [result("claude+with", 1.0, epoch) for epoch in (1, 2)]
    results += [result("claude+without", each, n) for n, each in enumerate((0.5, 0.25), 1)]
    report = Report.of(results)
    (difference,) = report.differences.values()
    assert difference == {"higher_lower": 0.625, "all": 0.625}
    assert report.by_check["checks"]["claude+with"].mean is None
    reported = json.loads(benchmark.render(report))
    assert reported["run_summary"]["delta"]["pass_rate"] == "+0.62"
    assert {run["configuration"] for run in reported["runs"]} == {"with_skill", "without_skill"}
    assert reported["metadata"]["runs_per_configuration"] == 2
    (first, *_) = reported["runs"]
    assert set(first["expectations"][0]) == {"text", "passed", "evidence"}
    assert first["result"]["tokens"] == 100


def test_what_a_judge_said_stands_on_the_page() -> None:
    judged = result("claude+with", 1.0).model_copy(update={"opinion": "Tell <the> goal.\nGRADE: 3"})
    assert "Tell &lt;the&gt; goal." in page.render(Report.of([judged]))
    assert "what the judge said" not in page.render(Report.of([result("claude+with", 1.0)]))


def test_samples_of_one_epoch_that_differ_have_no_interval() -> None:
    report = Report.of([result("claude+with", 0.9), result("claude+with", 0.5)])
    reported = report.by_case["higher_lower"]["claude+with"]
    assert (reported.mean, reported.low) == (0.7, None)
    assert report.by_check["behaviour"]["claude+with"].low is None


def test_the_page_escapes_what_an_attempt_said() -> None:
    text = page.render(Report.of([result("claude+with", 0.5)]))
    assert "RESULT: &lt;script&gt;" in text
    assert "<script" not in text
    assert "http://" not in text
    assert "https://" not in text


def test_the_terminal_says_what_is_not_as_it_must_be(capsys: pytest.CaptureFixture[str]) -> None:
    from pathlib import Path

    terminal.show(Report.of([result("reference", 0.5)]), Path("runs"))
    assert "reference on higher_lower scored 0.5, not 1: why" in " ".join(
        capsys.readouterr().out.split()
    )
