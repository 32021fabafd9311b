"""What was played and kept is judged again: the same is found, nothing is played, and its age is told."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import skill_tools
from skill_tools.errors import SkillToolsError
from skill_tools.evidence import saved
from skill_tools.evidence.saved import EVIDENCE_FILE
from skill_tools.frameworks.rules import load
from skill_tools.pipeline.bare_runs import play_domain
from skill_tools.pipeline.collection import inspect_domain
from skill_tools.report import outcome
from skill_tools.report.outcome import Outcome
from tests.checks.audited import audit_of
from tests.checks.test_own import install
from tests.conftest import ROOT, snapshot, write_counter

PAYS = ("self.reward = 1.0\n", "self.reward = 1.4\n")


OWN = '''
from skill_tools.checks.check import Hit, check

@check("KEP001", "first-shown", fix="None is needed.")
def first_shown(evidence):
    """Nothing was played."""
    for by_label in (evidence.reference.episodes or {}).values():
        yield from (Hit(each.label, each) for each in list(by_label.values())[:1])

CHECKS = [first_shown]
'''
"""A finding that shows an episode, whatever our checks find."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    """Two splits of a counter that pays too much, on the bare domain."""
    folder = write_counter(tmp_path_factory.mktemp("played") / "counter", game=PAYS)
    spec = load(folder)
    runs = [play_domain(spec, folder, count=2, split=s, exploring=False) for s in ("train", "test")]
    return outcome.judge_bare([each.added_to(inspect_domain(spec, folder)) for each in runs])


@pytest.fixture
def built(played: Outcome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Outcome]:
    """The same in a folder of its own, kept as a build keeps it."""
    install(tmp_path / "site", "kept-checks", OWN, "kept_checks:CHECKS")
    monkeypatch.syspath_prepend(tmp_path / "site")
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path / 'site'}{os.pathsep}{ROOT}")
    folder = write_counter(tmp_path / "counter", game=PAYS)
    yield outcome.judge_and_keep([replace(each, folder=folder) for each in played.seen])
    sys.modules.pop("kept_checks", None)


def run(*arguments: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "skill_tools.cli", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
        env={**os.environ, "COLUMNS": "200"},
    )


def test_the_same_is_found_again_and_none_of_the_authors_code_is_needed(built: Outcome) -> None:
    folder = built.evidence.folder
    for path in ("game.py", "tasks.py", "oracle.py"):
        (folder / path).unlink()
    report = (folder / "runs" / "report.md").read_bytes()
    judged = skill_tools.judge(folder / "env.yaml")
    assert judged.report.findings == built.report.findings
    assert judged.report.variants == built.report.variants
    assert [each.reference.tasks.split for each in judged.seen] == ["train", "test"]
    assert judged.shown == built.shown
    assert (folder / "runs" / "report.md").read_bytes() == report


def test_what_a_finding_shows_can_be_replayed_after_judging(built: Outcome) -> None:
    folder = built.evidence.folder
    shown = folder / "runs" / "shown"
    shutil.rmtree(shown)
    judged = skill_tools.judge(folder)
    assert "KEP001" in {each.replay.rpartition(" ")[2] for each in judged.failures}
    assert {path.stem for path in shown.iterdir()} == set(judged.shown)
    assert skill_tools.replay(folder, "first-shown").recorded == judged.shown["KEP001"]


@pytest.mark.everything("checks")
def test_the_command_says_of_which_day_it_is_and_ends_as_check_does(built: Outcome) -> None:
    folder = built.evidence.folder
    done = run("recheck", folder)
    assert done.returncode == 1
    assert "FAIL REW001" in done.stdout
    assert f"by skill-tools {skill_tools.__version__}, judged again" in done.stdout
    assert done.stderr == ""
    reported = json.loads(run("recheck", folder, "--json").stdout)
    assert reported["findings"] == json.loads(built.report.model_dump_json())["findings"]


@pytest.mark.everything("costly")
def test_files_that_changed_since_are_named_and_it_is_judged_all_the_same(built: Outcome) -> None:
    folder = built.evidence.folder
    with (folder / "env.yaml").open("a") as file:
        file.write("\n# another line\n")
    done = run("recheck", folder, "--json")
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith("warning: env.yaml changed since it was played on ")
    assert json.loads(done.stdout)["counts"] == built.report.counts


@pytest.mark.everything("costly")
def test_where_nothing_was_kept_it_ends_with_two_and_says_what_to_run(counter: Path) -> None:
    before = snapshot(counter)
    done = run("recheck", counter)
    assert done.returncode == 2
    assert "skill-tools build" in done.stderr
    assert snapshot(counter) == before


def test_an_audit_that_was_kept_is_judged_in_its_folder(tmp_path: Path) -> None:
    evidence = replace(audit_of(), seconds=2.0)
    saved.write(tmp_path / EVIDENCE_FILE, [evidence])
    judged = skill_tools.judge(tmp_path)
    assert judged.report.findings == outcome.judge(evidence).report.findings
    assert [path.name for path in tmp_path.iterdir()] == [EVIDENCE_FILE]


@pytest.mark.everything("costly")
def test_an_environment_that_was_moved_is_judged_where_it_is_now(
    built: Outcome, tmp_path: Path
) -> None:
    moved = built.evidence.folder.rename(tmp_path / "elsewhere")
    judged = skill_tools.judge(moved)
    assert judged.evidence.folder == moved
    assert all(str(moved) in each.replay for each in judged.failures if each.replay)
    assert any(each.replay for each in judged.failures)


def test_evidence_lies_where_git_leaves_it_out(built: Outcome) -> None:
    runs = built.evidence.folder / "runs"
    assert (runs / EVIDENCE_FILE).is_file()
    assert (runs / ".gitignore").read_text() == "*\n"


def test_a_folder_that_is_none_is_named(tmp_path: Path) -> None:
    with pytest.raises(SkillToolsError, match="is not a folder"):
        skill_tools.judge(tmp_path / "nowhere")
