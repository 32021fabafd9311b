"""The three words of a verdict, what would let an environment be judged, and the measures."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace

import pytest
from rich.console import Console

from skill_tools.evidence.declaration import Declaration
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.trajectory import by_label
from skill_tools.report.markdown import write_markdown
from skill_tools.report.measures import MEASURES
from skill_tools.report.model import Report, combine_reports
from skill_tools.report.outcome import judge
from skill_tools.report.page.contents import Contents
from skill_tools.report.terminal import print_report
from tests.checks.audited import FAILS, WARNED, audit_of
from tests.over import over


def on_terminal(report: Report) -> str:
    stream = io.StringIO()
    print_report(report, Console(file=stream, width=400))
    return stream.getvalue()


def without_solutions() -> Evidence:
    """An audit to which nobody gave a right answer."""
    every = [each for each in audit_of().every if each.model != "oracle"]
    again = by_label([each for each in every if each.model == "random"])
    return audit_of(every=every, again=again, together=again, solved=False)


def test_an_audit_that_saw_a_right_answer_paid_is_sound() -> None:
    report = judge(audit_of()).report
    assert (report.verdict, report.unjudged, report.word) == ("sound", [], "sound")
    assert "theirs: sound (" in on_terminal(report)


@pytest.mark.parametrize(
    ("make", "given"),
    [
        (without_solutions, "--solutions FILE"),
        (WARNED["AUD004"], "--dataset FILE"),
        (lambda: audit_of(again={}), "--seconds"),
    ],
)
def test_an_audit_that_could_look_at_little_says_what_to_give(
    make: Callable[[], Evidence], given: str
) -> None:
    seen = make()
    report = judge(seen).report
    assert report.ok
    assert report.verdict == "not judged"
    assert given in " ".join(report.unjudged)
    text = on_terminal(report)
    assert "theirs: not judged" in text
    assert "green" not in text
    assert "To be judged, the environment needs" in text
    assert given in text
    assert write_markdown(report, seen).startswith("# theirs: not judged\n\nTo be judged")
    told = Contents("theirs", report, [seen]).pack()["report"]
    assert told["word"] == "not judged"
    assert given in " ".join(told["unjudged"])


@over("make", FAILS.values(), ids=FAILS)
def test_what_failed_is_not_sound_however_little_was_seen(make: Callable[[], Evidence]) -> None:
    report = judge(replace(make())).report
    assert (report.ok, report.verdict, report.word) == (False, "not sound", "not sound")
    assert "To be judged" not in on_terminal(report)


def test_what_only_ours_can_show_is_not_counted_as_skipped_in_an_audit() -> None:
    report = judge(audit_of()).report
    skipped = [each for each in report.findings if each.status == "skip"]
    apart = set(report.not_for_audits)
    assert {"CON001", "REN001", "SPE001"} <= apart
    assert "REW001" not in apart, "a range could have been given"
    assert report.counts["skip"] == len({each.check for each in skipped} - apart)
    assert report.counts["skip"] < 25
    assert f"Skipped: {report.counts['skip']}," in on_terminal(report)


def test_files_that_were_only_read_are_not_judged() -> None:
    report = judge(Evidence(Declaration(name="counter"))).report
    assert report.verdict == "not judged"
    assert "check --play" in report.unjudged[0]
    assert report.word == "not judged"


def test_of_several_splits_the_worst_counts() -> None:
    sound, unsure = judge(audit_of()).report, judge(without_solutions()).report
    broken = judge(FAILS["AUD001"]()).report
    measured = sound.model_copy(update={"measures": {"ceiling": 0.1}})
    worse = unsure.model_copy(update={"measures": {"ceiling": 0.4, "false-fails": 0.0}})
    tasks = audit_of().reference.tasks
    assert tasks
    both = combine_reports([measured, worse], [tasks])
    assert both.verdict == "not judged"
    assert both.unjudged == unsure.unjudged
    assert both.measures == {"ceiling": 0.4, "false-fails": 0.0}
    assert combine_reports([sound, unsure, broken], [tasks]).verdict == "not sound"


def test_a_report_kept_before_there_were_verdicts_is_read() -> None:
    kept = judge(audit_of()).report.model_dump(mode="json")
    for name in ("verdict", "unjudged", "measures", "audited", "not_for_audits"):
        del kept[name]
    assert Report.model_validate(kept).verdict == "sound"
    assert Report.model_validate({**kept, "ok": False}).verdict == "not sound"


def test_every_measure_says_what_it_is_and_its_unit() -> None:
    assert {"ceiling", "false-fails"} <= MEASURES.keys()
    assert all(words.endswith("0 to 1") for words in MEASURES.values())
