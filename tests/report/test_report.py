"""What a person reads of an outcome: nothing that was found is left out, in any of its forms."""

from __future__ import annotations

import base64
import io
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from skill_tools import checks
from skill_tools.checks import Finding
from skill_tools.evidence.evidence import Evidence, VariantRuns
from skill_tools.evidence.reference_run import Tasks
from skill_tools.frameworks.rules import load
from skill_tools.pipeline.bare_runs import play_domain
from skill_tools.pipeline.collection import inspect_domain, read_author_files
from skill_tools.report.markdown import write_markdown
from skill_tools.report.model import PolicyScore, Report, combine_reports, make_report
from skill_tools.report.storage.runs import REPORT_FILE, keep_evidence, keep_run, read_evidence
from skill_tools.report.terminal import SHOWN_POLICIES, print_report, show_progress
from skill_tools.spec.examples import Example
from tests.conftest import write_counter

OURS = {name for name in checks.CHECKS if not name.startswith(("AUD", "DAT", "GRA", "LRN"))}
POLICIES = {"oracle", "random", "noop", "malformed", "early_stop", "past_done", "turn_limit"}


@pytest.fixture(scope="module")
def evidence(tmp_path_factory: pytest.TempPathFactory) -> Evidence:
    """Bare episodes that earn too much, and a variant that did not run."""
    pays = ("self.reward = 1.0\n", "self.reward = 1.4\n")
    folder = write_counter(tmp_path_factory.mktemp("report") / "counter", game=pays)
    spec = load(folder)
    bare = play_domain(spec, folder, count=2)
    broken = {"ors": "ors: a | b\nthe last line"}
    seen = inspect_domain(spec, folder)
    return replace(bare.added_to(seen), variants=VariantRuns(broken=broken), seconds=1.234)


@pytest.fixture(scope="module")
def report(evidence: Evidence) -> Report:
    return make_report(evidence, checks.run(evidence))


def printed(report: Report, *, verbose: bool = False) -> str:
    console = Console(file=io.StringIO(), width=200)
    print_report(report, console, verbose=verbose)
    return console.file.getvalue()


@pytest.mark.everything("checks")
def test_the_report_has_what_was_found(report: Report, evidence: Evidence) -> None:
    assert (report.ok, report.environment, report.title) == (False, "counter", "Counter")
    assert (report.split, report.tasks, report.seconds) == ("train", 2, 1.23)
    assert report.not_played == "10 tasks of train, 1 tasks of test"
    assert report.findings == checks.run(evidence)
    assert sum(report.counts.values()) == len(OURS)
    domain, ors = report.variants
    assert (domain.framework, ors.framework, ors.episodes) == ("domain", "ors", 0)
    assert {score.policy for score in domain.scores} == POLICIES
    assert (domain.episodes, domain.failed) == (14, 0)
    assert ors.broken.endswith("the last line")
    # As JSON, what a program gets.
    again = Report.model_validate_json(report.model_dump_json())
    assert again == report
    first = json.loads(report.model_dump_json())["findings"][0]
    assert first.keys() == {
        "check",
        "name",
        "status",
        "message",
        "fix",
        "replay",
        "repro",
        "place",
        "untimed",
        "count",
    }
    assert first["place"].keys() == {"task", "tool", "parameter", "file", "line"}
    # An episode is long, and is replayed: what a program gets says how.
    assert report.findings[0].shown is not None
    assert again.findings[0].shown is None


@pytest.mark.everything("costly")
def test_a_report_of_several_splits_has_each_and_fails_where_one_does(report: Report) -> None:
    green = report.model_copy(
        update={
            "ok": True,
            "split": "test",
            "tasks": 1,
            "findings": [replace(f, status="pass", message="") for f in report.findings],
        }
    )
    sizes = {"train": 12, "test": 1}
    played = [Tasks("test", [{}], sizes), Tasks("train", [{}, {}], sizes)]
    both = combine_reports([green, report], played)
    assert (both.ok, both.split, both.tasks) == (False, "test, train", 3)
    assert both.not_played == "10 tasks of train"
    assert both.variants == [*green.variants, *report.variants]
    failed = {f.check for f in report.findings if f.status == "fail"}
    assert {f.check for f in both.findings if f.status == "fail"} == failed
    assert all(f.message.startswith("train: ") for f in both.findings if f.status == "fail")
    assert {f.check for f in both.findings} == OURS
    assert sum(both.counts.values()) == len(OURS)


def test_an_exception_that_applied_in_one_split_is_needed(report: Report) -> None:
    warned = Finding(
        "SPE006",
        "unused-exception",
        "warn",
        "the exception for WOR008 never applied",
        in_every_split=True,
    )
    other = replace(warned, message="the exception for TAS003 never applied")
    passed = Finding("SPE006", "unused-exception", "pass")
    one = report.model_copy(update={"split": "one", "findings": [passed, warned, other]})
    two = report.model_copy(update={"split": "two", "findings": [passed, other]})
    played = [Tasks(name, [{}], {"one": 1, "two": 1}) for name in ("one", "two")]
    assert combine_reports([one, two], played).findings == [other]


def test_every_variant_has_the_policies_in_one_order(evidence: Evidence) -> None:
    turned = dict(reversed(evidence.reference.episodes.items()))
    made = make_report(
        replace(evidence, variants=replace(evidence.variants, rollouts={"gem": turned})), []
    )
    domain, gem, _ = ([score.policy for score in row.scores] for row in made.variants)
    assert gem == domain == list(evidence.reference.episodes)


def test_a_mean_is_told_with_its_standard_error_where_returns_differ() -> None:
    score = {"policy": "random", "episodes": 10, "failed": 0, "ends": {}}
    unsure = PolicyScore(mean_return=0.4, standard_error=0.1633, **score)
    assert unsure.text == "0.400 ± 0.163"
    assert PolicyScore(mean_return=1.0, standard_error=0.0, **score).text == "1.000"
    assert PolicyScore(mean_return=1.0, **score).text == "1.000"
    assert PolicyScore(mean_return=None, **score).text == ""


def test_the_standard_error_is_that_of_the_mean_over_tasks(evidence: Evidence) -> None:
    (first, second) = evidence.reference.episodes["oracle"].values()
    by_label = {"a": first, "b": second.model_copy(update={"total": first.total - 1})}
    tasks = [
        Example(task=f"{each.split}/{each.index}", calls=[{"tool": "look"}])
        for each in by_label.values()
    ]
    seen = replace(
        evidence,
        declaration=evidence.declaration.model_copy(update={"examples": tasks}),
        reference=replace(evidence.reference, episodes={"oracle": by_label, "example": by_label}),
        variants=replace(evidence.variants, rollouts={}),
    )
    oracle, example = make_report(seen, []).variants[0].scores
    assert oracle.standard_error == pytest.approx(0.5)
    assert (example.mean_return, example.standard_error) == (oracle.mean_return, None)


@pytest.mark.everything("checks")
def test_the_terminal_shows_every_defect_once_with_its_fix(report: Report) -> None:
    text, everything = printed(report), printed(report, verbose=True)
    assert "Counter: mean return on 2 tasks of train" in text
    assert all(f" {policy} " in text for policy in (*SHOWN_POLICIES, "episodes", "failed"))
    (row,) = (line for line in text.splitlines() if "bare domain" in line)
    assert "1.400" in row
    assert [line for line in text.splitlines() if "ors" in line and "did not run" in line]
    for finding in report.findings:
        line = f"FAIL {finding.check} {finding.name}: {finding.message}"
        assert (line in text) is (finding.status == "fail")
        if finding.status == "fail":
            assert text.count(f"     fix: {finding.fix}\n") == 1
        if finding.status == "skip":
            assert f"skip {finding.check} {finding.name}" not in text
            assert f"skip {finding.check} {finding.name} ({finding.message})" in everything
        passed = f"pass {finding.check} {finding.name}"
        assert passed not in text
        assert (passed in printed(report, verbose=True)) is (finding.status == "pass")
    counts = ("fail", "failed"), ("note", "noted"), ("pass", "checks passed"), ("skip", "skipped")
    reported = ", ".join(f"{report.counts[status]} {word}" for status, word in counts)
    assert f"Counter: not green ({reported})" in text
    assert "Not played: 10 tasks of train, 1 tasks of test" in text


def test_the_file_holds_every_score_every_check_and_an_episode(
    report: Report, evidence: Evidence
) -> None:
    lines = write_markdown(report, evidence).splitlines()
    assert lines[:3] == ["# Counter: not green", "", evidence.spec.description]
    for score in report.variants[0].scores:
        ends = ", ".join(f"{end} {number}" for end, number in score.ends.items())
        cells = f"| domain |  | train | {score.policy} | 2 | 0 | {score.text} | {ends} |"
        assert cells in lines
    assert "| ors | | train | did not run | | | | |" in lines
    assert "Not played: 10 tasks of train, 1 tasks of test." in lines
    rows = [line for line in lines if line[:5].removeprefix("| ") in tuple(checks.FAMILIES)]
    assert len(rows) == len(report.findings)
    assert any("a \\| b<br>the last line" in row for row in rows)
    head = lines.index("## The oracle on counter/train/0/0")
    (first, *_) = evidence.reference.episodes["oracle"].values()
    reported = "\n".join(lines[head:])
    for number, step in enumerate(first.steps, 1):
        call = f"**step {number}**: `{step.tool}({json.dumps(step.arguments)})`"
        reward = f"reward {step.reward:g}, done {str(step.done).lower()}"
        assert f"{call}\n\n```text\n{step.text}\n```\n\n{reward}" in reported
    assert lines[-1] == "End: terminated, return 1.4"


def test_a_run_is_kept_as_a_file_to_read_and_files_to_work_with(
    report: Report, evidence: Evidence
) -> None:
    keep_run(report, evidence)
    kept = evidence.folder / REPORT_FILE
    assert kept.read_text("utf-8") == write_markdown(report, evidence)
    # What is kept there is no part of what an author commits.
    assert (kept.parent / ".gitignore").read_text("utf-8") == "*\n"
    assert {path.name for path in kept.parent.iterdir()} == {".gitignore", "report.md"}


PICTURE = b"no PNG, and kept as it is all the same"


def test_the_pictures_of_the_episode_lie_beside_the_report(
    report: Report, evidence: Evidence
) -> None:
    runs = (evidence.folder / REPORT_FILE).parent
    (first, *others) = evidence.reference.episodes["oracle"].values()
    look, *later = first.steps
    drawn = {"type": "image", "media_type": "image/png", "data": base64.b64encode(PICTURE).decode()}
    odd = {**drawn, "media_type": "image/../../up"}
    look = look.model_copy(update={"observation": [drawn, odd, drawn]})
    seen = first.model_copy(update={"steps": [look, *later]})
    played = {"oracle": {each.label: each for each in (seen, *others)}}
    with_pictures = replace(
        evidence,
        reference=replace(evidence.reference, episodes={**evidence.reference.episodes, **played}),
    )
    keep_evidence(evidence.folder, [with_pictures])
    keep_run(report, with_pictures)
    (kept,) = (runs / "pictures").iterdir()
    assert kept.read_bytes() == PICTURE
    link = f"![step 1](pictures/{kept.name})\n"
    assert f"{link}\n{link}\n{link}" in (runs / "report.md").read_text("utf-8")
    (again,) = read_evidence(evidence.folder).evidence
    assert again.reference.episodes["oracle"][seen.label].steps[0] == look
    keep_evidence(evidence.folder, [evidence])
    assert not list((runs / "pictures").iterdir())


def test_worked_examples_are_counted_where_a_task_has_one(evidence: Evidence) -> None:
    (label, first), *others = evidence.reference.episodes["oracle"].items()
    played = {"example": dict([(label, first), *others])}
    worked = [Example(task="train/0", calls=[{"tool": "look"}])]
    declared = evidence.declaration.model_copy(update={"examples": worked})
    made = make_report(
        replace(
            evidence, declaration=declared, reference=replace(evidence.reference, episodes=played)
        ),
        [],
    )
    (score,) = made.variants[0].scores
    assert (score.policy, score.episodes) == ("example", 1)


def test_a_link_among_the_kept_files_is_replaced_and_not_written_through(
    report: Report, evidence: Evidence, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("mine", "utf-8")
    runs = (evidence.folder / REPORT_FILE).parent
    runs.mkdir(exist_ok=True)
    for name in (".gitignore", "report.md"):
        (runs / name).unlink(missing_ok=True)
        (runs / name).symlink_to(elsewhere)
    keep_run(report, evidence)
    assert elsewhere.read_text("utf-8") == "mine"
    assert (runs / ".gitignore").read_text("utf-8") == "*\n"


def test_progress_is_a_line_per_change() -> None:
    console = Console(file=io.StringIO(), width=80)
    with show_progress(console) as tell:
        tell("ors", "preparing the venv")
        tell("ors", "done")
    said = console.file.getvalue().splitlines()
    assert [line.partition(" s  ")[2] for line in said] == ["ors: preparing the venv", "ors: done"]


def test_evidence_without_any_play_is_reported_too(tmp_path: Path) -> None:
    folder = write_counter(tmp_path / "counter")
    seen = read_author_files(load(folder), folder)
    made = make_report(seen, checks.run(seen))
    assert (made.variants, made.tasks, made.split, made.not_played) == ([], 0, None, "")
    assert "skip" not in printed(made).partition(" (")[0]
    assert write_markdown(made, seen).startswith("# Counter: not judged\n")


@pytest.mark.everything("checks")
def test_the_report_tells_who_earned_the_most_without_looking(tmp_path: Path) -> None:
    folder = write_counter(tmp_path / "counter")
    spec = load(folder)
    seen = play_domain(spec, folder).added_to(inspect_domain(spec, folder))
    made = make_report(seen, [])
    (told,) = made.thoughtless
    earned = re.search(
        r"the best blind player, (.+), earns ([0-9.]+) \u00b1 [0-9.]+ \(95 %, 10 of", told
    )
    assert earned, told
    tried = [each for kind in ("constant", "copy") for each in seen.probed.attempts[kind]]
    own = [each.trajectory.total for each in tried if each.words == earned[1]]
    assert sum(own) / len(own) == pytest.approx(float(earned[2]), abs=5e-4)
    assert f"Blind players: {told}" in printed(made).replace("\n", " ")
    assert make_report(replace(seen, probed=None), []).thoughtless == []


def test_metrics_have_a_table_of_means_only_where_an_environment_declares_them(
    evidence: Evidence,
) -> None:
    assert "progress" not in write_markdown(make_report(evidence, []), evidence)
    played = {
        policy: {
            label: each.model_copy(update={"metrics": {"progress": 0.5, "excess": 2.0}})
            for label, each in by_label.items()
        }
        for policy, by_label in (evidence.reference.episodes or {}).items()
    }
    measured = replace(evidence, reference=replace(evidence.reference, episodes=played))
    text = write_markdown(make_report(measured, []), measured)
    assert "| variant | split | policy | progress | excess |\n|---|---|---|---|---|" in text
    assert "| domain | train | oracle | 0.500 | 2.000 |" in text
    assert ", progress 0.5, excess 2\n" in text
