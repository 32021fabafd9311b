"""Calls that somebody types: read as they are meant, and played on the bare domain."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import skill_tools
from skill_tools.cli.app import app
from skill_tools.errors import DomainError, SkillToolsError
from skill_tools.reference.replay import read_call
from tests.conftest import write_counter
from tests.over import over

PNG = 'return b"\\x89PNG\\r\\n\\x1a\\n" + b"a picture"'


@over(
    ("text", "meant"),
    [
        ("look", ("look", {})),
        ("add amount=3", ("add", {"amount": 3})),
        ('add amount=3 note="a b"', ("add", {"amount": 3, "note": "a b"})),
        ("add amount=3 note=7", ("add", {"amount": 3, "note": "7"})),
        ("add amount=three", ("add", {"amount": "three"})),
        ('add {"amount": 3, "note": "x=y"}', ("add", {"amount": 3, "note": "x=y"})),
        ("add note=x=y", ("add", {"note": "x=y"})),
        ('add {"amount": 3, "note": "a\nb"}', ("add", {"amount": 3, "note": "a\nb"})),
        ('add amount=3 note="a\nb"', ("add", {"amount": 3, "note": "a\nb"})),
        ("add amount=3 note:='\"a\\nb\"'", ("add", {"amount": 3, "note": "a\nb"})),
        ("add amount=3 note:=7", ("add", {"amount": 3, "note": 7})),
        ("add amount:='\"3\"'", ("add", {"amount": "3"})),
        ("other at=[1,2] on=true", ("other", {"at": [1, 2], "on": True})),
        ('other at:={"x": "a b"} on=true', ("other", {"at": {"x": "a b"}, "on": True})),
        ('other on:=["a", "b c"] at=1', ("other", {"on": ["a", "b c"], "at": 1})),
    ],
)
def test_a_call_is_read_as_it_is_meant(
    text: str, meant: tuple[str, dict[str, object]], counter: Path
) -> None:
    assert read_call(skill_tools.load(counter), text) == meant


@over(
    "text",
    ["", "add 3", "add =3", "add note:=x", "add note:=", 'add {"amount": 3', "add note='open"],
)
def test_what_is_no_call_is_refused_with_how_to_write_one(text: str, counter: Path) -> None:
    with pytest.raises(SkillToolsError, match=r"cannot be read as a call[^\0]*drop_piece column=3"):
        read_call(skill_tools.load(counter), text)


def test_calls_are_played_and_a_wrong_one_is_refused_as_a_models_is(counter: Path) -> None:
    found = skill_tools.try_calls(counter, ["add amount=3", "add amount=40", ("look", {})], index=2)
    assert (found.label, found.end, found.total) == ("counter/train/2/2", "stopped", 0.0)
    assert [step.error for step in found.steps] == [None, "invalid_arguments", None]
    assert found.steps[0].text.startswith("The counter is at 3.")
    assert "the target is" in found.prompt[-1]["content"]


def test_without_calls_the_opening_is_shown_and_a_seed_gives_another(counter: Path) -> None:
    own, other = (skill_tools.try_calls(counter, seed=seed) for seed in (None, 5))
    assert own.steps == other.steps == []
    assert own.prompt != other.prompt
    assert other.label == "counter/train/0/5"


@pytest.mark.parametrize("place", [{"index": 12}, {"split": "tset"}])
def test_a_task_that_does_not_exist_is_answered_with_those_there_are(
    place: dict[str, object], counter: Path
) -> None:
    with pytest.raises(DomainError, match=r"there is no task .*train \(0 to 11\), test \(0 to 0\)"):
        skill_tools.try_calls(counter, **place)


def test_the_command_tells_every_step_and_keeps_the_pictures(tmp_path: Path) -> None:
    folder = write_counter(tmp_path / "counter", game=("return self.observe()", PNG))
    run = CliRunner().invoke(app, ["step", str(folder), "look", "add amount=3", "look"])
    assert run.exit_code == 0, run.output
    assert "step 2: add(" in run.output
    assert "end: stopped with return 0.0" in run.output
    kept = folder / "runs" / "tried" / "train-0"
    assert {path.name for path in kept.iterdir()} == {"step-1-1.png", "step-3-1.png"}
    run = CliRunner().invoke(app, ["step", str(folder), "look", "--json"])
    said = json.loads(run.output)
    assert said["pictures"] == [str(kept / "step-1-1.png")]
    assert [path.name for path in kept.iterdir()] == ["step-1-1.png"]


@pytest.mark.everything("costly")
def test_the_command_plays_the_same_calls_on_several_tasks(counter: Path) -> None:
    run = CliRunner().invoke(app, ["step", str(counter), "look", "--index", "1-3", "--json"])
    assert [each["index"] for each in json.loads(run.output)] == [1, 2, 3]
    run = CliRunner().invoke(app, ["step", str(counter), "look", "--index", "1-3"])
    assert (run.output.count("system:"), run.output.count("user:")) == (1, 3)
    run = CliRunner().invoke(app, ["step", str(counter), "look", "--index", "3-1"])
    assert run.exit_code
