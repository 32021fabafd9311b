"""The gate on the command line: exit codes, what is printed where, and baselines from run to run."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from junitparser import JUnitXml

from skill_tools.report.formats import FORMATS
from tests.command_line import skill_tools
from tests.conftest import snapshot, write_counter
from tests.over import over


@pytest.fixture(scope="module")
def unpaid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A counter whose domain lacks a tool's method, which a check says fails."""
    folder = tmp_path_factory.mktemp("unpaid") / "counter"
    return write_counter(folder, game=("def look(", "def peek("))


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_counter(tmp_path_factory.mktemp("sound") / "counter")


@pytest.mark.parametrize(
    ("gate", "code"),
    [
        ([], 1),
        (["--fail-on", "warn"], 1),
        (["--fail-on", "never"], 0),
        (["--fail-on", "nevr"], 2),
    ],
)
def test_the_exit_code_is_the_gates(unpaid: Path, gate: list[str], code: int) -> None:
    assert skill_tools("check", unpaid, *gate).returncode == code


@pytest.mark.everything("checks")
def test_a_check_that_played_nothing_is_not_judged_and_passes_unless_that_counts(
    sound: Path,
) -> None:
    run = skill_tools("check", sound)
    assert run.returncode == 0
    assert "Counter: not judged" in run.stdout
    assert "check --play" in run.stdout
    run = skill_tools("check", sound, "--fail-on", "unjudged")
    assert run.returncode == 1
    assert "gate: it was not judged" in run.stdout
    played = skill_tools("check", sound, "--play", "--num-tasks", 2, "--fail-on", "fail,unjudged")
    assert played.returncode == 0, played.stdout
    assert "Counter: green" in played.stdout
    assert "gate: passes" in played.stdout


def test_a_measure_that_was_not_measured_fails_with_a_line_that_says_so(sound: Path) -> None:
    run = skill_tools("check", sound, "--fail-on", "ceiling>0.1", "--json")
    assert run.returncode == 1
    assert json.loads(run.stdout)["verdict"] == "not judged"
    assert "ceiling was not measured on this target" in run.stderr


@pytest.mark.everything("checks")
@over("form", FORMATS)
def test_a_format_is_all_that_is_printed(unpaid: Path, form: str) -> None:
    run = skill_tools("check", unpaid, "--format", form)
    assert run.returncode == 1
    readers = {
        "json": json.loads,
        "sarif": json.loads,
        "junit": lambda t: JUnitXml.fromstring(t.encode()),
    }
    if form in readers:
        readers[form](run.stdout)
    starts = {"markdown": "## Counter: not green", "github": "::error "}
    assert run.stdout.startswith(starts.get(form, ("{", "<?xml")))
    assert "CON" in run.stdout
    assert ("gate: 1 check failed" in run.stderr) is (form != "json")


def test_json_is_what_it_was(unpaid: Path) -> None:
    short, long = (skill_tools("check", unpaid, *w) for w in (["--json"], ["--format", "json"]))
    said = [json.loads(run.stdout) | {"seconds": 0} for run in (short, long)]
    assert said[0] == said[1]
    assert not short.stderr
    both = skill_tools("check", unpaid, "--json", "--format", "sarif")
    assert both.returncode == 2


def test_several_forms_are_saved_in_one_run(unpaid: Path, tmp_path: Path) -> None:
    saved = [word for form in FORMATS for word in ("--output", f"{form}={tmp_path / form}")]
    run = skill_tools("check", unpaid, *saved)
    assert run.returncode == 1
    assert "Counter: not green" in run.stdout
    assert all((tmp_path / form).read_text("utf-8").endswith("\n") for form in FORMATS)


@pytest.mark.everything("costly")
@over(
    ("words", "said"),
    [
        (["--format", "serif"], "did you mean 'sarif'"),
        (["--output", "sarif"], "FORMAT=FILE"),
        (["--output", "text=a.txt"], "save markdown instead"),
        (["--output", "sarif=no/such/folder/a.sarif"], "a folder that exists"),
        (["--baseline", "no.yaml"], "there is no baseline"),
        (["--write-baseline", "no/such/folder/a.yaml"], "a folder that exists"),
        (["--fail-on", "ceilling>1"], "there is no measure"),
    ],
)
def test_what_cannot_be_done_is_refused_before_anything_runs(
    unpaid: Path, words: list[str], said: str
) -> None:
    before = snapshot(unpaid)
    run = skill_tools("check", unpaid, *words)
    assert run.returncode == 2
    assert said in run.stderr
    assert not run.stdout
    assert snapshot(unpaid) == before


@pytest.mark.everything("checks")
def test_a_baseline_passes_what_is_known_fails_what_is_new_and_tells_what_is_mended(
    tmp_path: Path,
) -> None:
    folder, file = tmp_path / "counter", tmp_path / "known.yaml"
    write_counter(folder, game=("def look(", "def peek("))
    wrote = skill_tools("check", folder, "--write-baseline", file)
    assert wrote.returncode == 0, wrote.stdout
    assert re.search(r"known.yaml: 1 known, 1 added, 0 removed", wrote.stdout)
    file.write_text(file.read_text("utf-8").replace("why: ''", "why: renamed soon"), "utf-8")
    known = skill_tools("check", folder, "--baseline", file)
    assert known.returncode == 0, known.stdout
    assert "KNOWN fail CON" in known.stdout
    assert "Counter: not green" in known.stdout, "it is known, and not mended"
    assert "known: 1 finding listed" in known.stdout
    # Another defect: new.
    write_counter(folder, game=[("def look(", "def peek("), ("InvalidAction", "Invalid")])
    new = skill_tools("check", folder, "--baseline", file)
    assert new.returncode == 1
    assert new.stdout.count("KNOWN fail") == 1
    again = skill_tools("check", folder, "--write-baseline", file)
    assert re.search(r"2 known, 1 added, 0 removed", again.stdout)
    assert "why: renamed soon" in file.read_text("utf-8")
    # Both mended.
    write_counter(folder)
    mended = skill_tools("check", folder, "--baseline", file)
    assert mended.returncode == 0
    assert mended.stdout.count("fixed: CON") == 2
    fewer = skill_tools("check", folder, "--write-baseline", file)
    assert "0 known, 0 added, 2 removed" in fewer.stdout


def test_a_file_that_is_no_baseline_is_not_written_over(unpaid: Path, tmp_path: Path) -> None:
    file = tmp_path / "notes.yaml"
    file.write_text("groceries: [milk]\n", "utf-8")
    run = skill_tools("check", unpaid, "--write-baseline", file)
    assert run.returncode == 2
    assert file.read_text("utf-8") == "groceries: [milk]\n"


@pytest.mark.everything("costly")
def test_a_study_has_the_gates_the_formats_and_the_baseline_of_every_report(
    tmp_path: Path,
) -> None:
    unpaid = ("self.reward = 1.0", "self.reward = 0.0")
    folder, known = write_counter(tmp_path / "counter", game=unpaid), tmp_path / "known.yaml"
    asked = ("learnability", folder, "--num-tasks", 5, "--samples", 2)
    failed = skill_tools(*asked)
    assert failed.returncode == 1
    assert "Counter: flat" in failed.stdout
    assert "FAIL LRN006 flat-reward: the return does not rise with skill" in failed.stdout
    assert "     fix: reward only what more skilled players achieve" in failed.stdout
    assert skill_tools(*asked, "--fail-on", "never").returncode == 0
    assert skill_tools(*asked, "--write-baseline", known).returncode == 0
    again = skill_tools(*asked, "--baseline", known)
    assert again.returncode == 0
    assert "KNOWN fail LRN006" in again.stdout
    told = skill_tools(*asked, "--json", "--output", f"sarif={tmp_path / 'study.sarif'}")
    assert json.loads(told.stdout)["verdict"] == "flat"
    assert "LRN006" in (tmp_path / "study.sarif").read_text("utf-8")
