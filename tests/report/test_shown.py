"""A finding that shows an episode says how to play it again, and that is what it plays."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path

import pytest

import skill_tools
from skill_tools import archetypes
from skill_tools.checks import CHECKS, Finding, run
from skill_tools.cli import app
from skill_tools.errors import DomainError, SkillToolsError
from skill_tools.evidence.evidence import Evidence
from skill_tools.files import write_files
from skill_tools.report.storage.replays import first_difference, with_replays
from tests.checks.exploited import EXPLORED, WORDS
from tests.checks.test_checks import EDITS
from tests.conftest import write_counter
from tests.selection import few

NO_PICTURE = [{"type": "text", "text": "nothing to see"}]
PAYS = ("self.reward = 1.0\n", "self.reward = 1.4\n")
NAMED_BY_EPISODE = {
    "EPI003", "EPI004", "EPI007", "EPI008", "EPI009", "ISO005", "ISO006", "PAR002", "PAR004",
    "PAR005", "PAR006", "RES001", "RES005", "REW010", "REW011", "REW012", "REW013", "REW014",
    "REW015", "REW016", "REW017", "WOR008",
}  # fmt: skip
"""Those of the broken examples below whose findings are about one episode."""


@pytest.mark.parametrize("identity", few(sorted(NAMED_BY_EPISODE), 5, "checks"))
def test_a_finding_about_an_episode_shows_that_episode(identity: str, good: Evidence) -> None:
    edit = {**EDITS, **{name: edit for name, (edit, _) in {**EXPLORED, **WORDS}.items()}}[identity]
    findings = [f for f in run(edit(good)) if f.check == identity]
    reported, shown = with_replays(Path("counter"), findings)
    assert shown[identity].steps is not None
    assert reported[0].replay == f"skill-tools replay counter {identity}"


def test_each_finding_of_another_episode_has_a_command_of_its_own(good: Evidence) -> None:
    one, other = list(good.reference.episodes["oracle"].values())[:2]
    findings = [Finding("REW001", "", "fail", "", shown=each) for each in (one, other, one)]
    reported, shown = with_replays(Path("counter"), findings)
    assert shown == {"REW001": one, "REW001-2": other}
    keys = [finding.replay.rpartition(" ")[2] for finding in reported]
    assert keys == ["REW001", "REW001-2", "REW001"]


def test_what_is_excepted_is_not_to_be_replayed(good: Evidence) -> None:
    one = next(iter(good.reference.episodes["oracle"].values()))
    findings = [Finding("REW001", "", "excepted", "", shown=one)]
    assert with_replays(Path("counter"), findings) == (findings, {})


@pytest.mark.everything("costly")
def test_the_command_of_a_finding_plays_what_it_showed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_counter(tmp_path / "a counter", game=PAYS)
    found = skill_tools.check(folder, play=True).failures[0]
    assert found.check == "REW001"
    words = shlex.split(found.replay)
    assert words == ["skill-tools", "replay", str(folder), "REW001"]
    monkeypatch.setattr("sys.argv", words)
    with pytest.raises(SystemExit) as ended:
        app.main()
    assert not ended.value.code
    said = capsys.readouterr().out
    assert "reward 1.4, done true" in said
    assert "as when the finding was made" in said


@pytest.mark.everything("checks")
def test_after_the_mending_a_replay_says_what_is_else(tmp_path: Path) -> None:
    folder = write_counter(tmp_path / "counter", game=PAYS)
    skill_tools.check(folder, play=True)
    before = skill_tools.replay(folder, "rew001")
    assert first_difference(before, []) == ""
    write_counter(folder)
    after = skill_tools.replay(folder, CHECKS["REW001"].name)
    assert after.recorded == before.recorded
    last = len(after.now.steps)
    assert first_difference(after, []) == f"step {last}: reward 1; before, the reward was 1.4"
    # What is right shows nothing, so nothing is kept of the last time.
    skill_tools.check(folder, play=True)
    with pytest.raises(SkillToolsError, match=r"has no episode of 'REW001'; it has none"):
        skill_tools.replay(folder, "REW001")


@pytest.mark.everything("mutants")
def test_an_attempt_that_saw_pictures_is_as_it_was_when_it_is_played_again(tmp_path: Path) -> None:
    folder = tmp_path / "shapes"
    write_files(folder, archetypes.start("vision-computer-use", "shapes"))
    world = folder / "world.py"
    text, right = world.read_text("utf-8"), "if hit == self.targets[self.hits]:"
    assert text.count(right) == 1
    any_colour = "if hit and hit.kind == self.targets[self.hits].kind:"
    world.write_text(text.replace(right, any_colour), "utf-8")
    findings = skill_tools.check(folder, play=True).report.findings
    shown = next(f.shown for f in findings if f.check == "REW011")
    assert shown
    assert any("[image " in step.text for step in shown.steps)
    again = skill_tools.replay(folder, "REW011")
    assert first_difference(again, []) == ""
    moved = [step.model_copy(update={"observation": NO_PICTURE}) for step in again.now.steps]
    other = replace(again, now=again.now.model_copy(update={"steps": moved}))
    assert first_difference(other, []) == "step 1: a different observation"


@pytest.mark.everything("checks")
def test_an_episode_of_another_split_is_played_on_its_task(tmp_path: Path) -> None:
    folder = write_counter(tmp_path / "counter", game=PAYS)
    found = skill_tools.check(folder, play=True, split=["test"])
    assert found.failures[0].replay
    again = skill_tools.replay(folder, "REW001")
    assert (again.now.split, again.now.index) == ("test", 0)
    assert first_difference(again, []) == ""


@pytest.mark.everything("checks")
def test_an_episode_whose_task_is_gone_is_an_error(tmp_path: Path) -> None:
    folder = write_counter(tmp_path / "counter", game=PAYS)
    skill_tools.check(folder, play=True)
    tasks = folder / "tasks.py"
    tasks.write_text(tasks.read_text("utf-8").replace('"train"', '"other"'), "utf-8")
    with pytest.raises(DomainError, match=r"playing .* again"):
        skill_tools.replay(folder, "REW001")
