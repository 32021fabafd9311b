"""Tests of the options of a rollout, which have one definition for rollout.py and the command line."""

from __future__ import annotations

import sys
from dataclasses import fields, replace
from pathlib import Path
from typing import Annotated

import pytest
import typer
from stand_in._shared import env_spec
from stand_in._shared.rollouts import command_line
from stand_in._shared.screen import computer_models
from typer.testing import CliRunner

from skill_tools.cli.app import app
from skill_tools.cli.options import Only, grouped
from skill_tools.rollouts.options import RolloutOptions, SamplePlan

EVERY = RolloutOptions(
    base_url="http://127.0.0.1:8000/v1",
    indices=(0, 1),
    split="train",
    seed=3,
    max_turns=2,
    samples=4,
    concurrency=5,
    episode_seconds=6.0,
    api="responses",
    temperature=0.5,
    top_p=0.25,
    max_tokens=7,
    sampling_seed=8,
    stop=("one", "two"),
    extra_body='{"a": 1}',
    stream=True,
    strip_reasoning=True,
    action_api="qwen",
    coordinates="640x480",
    roles_model="other",
    roles_base_url="http://127.0.0.1:8001/v1",
    replies="replies.jsonl",
)
"""Each field has another value than its default."""


def test_rollout_py_takes_every_option_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not [each.name for each in fields(EVERY) if getattr(EVERY, each.name) == each.default]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(env_spec, "MODELS", {"judge": {"stand_in": "world:solve"}})
    for name in ("ROLES_MODEL", "ROLES_BASE_URL", "REPLIES", "RECORDS_REQUESTS"):
        monkeypatch.setenv(f"COUNTER_{name}", "")
    monkeypatch.setattr(sys, "argv", ["rollout.py", "--model", "m", *EVERY.arguments()])
    args = computer_models.parse_arguments("openenv", "")
    for each in fields(EVERY):
        value = getattr(EVERY, each.name)
        if each.name not in ("indices", "stop", "action_api", "coordinates", "replies"):
            assert getattr(args, each.name) == value, each.name
    assert (args.index, args.stop, args.actions) == ("0-1", ["one", "two"], "qwen")
    assert (args.space.size, len(args.assignments)) == ((640, 480), 8)


def test_rollout_py_takes_the_former_names_of_its_options(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    given = ["--model", "m", "--base-url", "http://127.0.0.1:8000/v1", "--drop-reasoning"]
    given += ["--actions", "qwen", "--space=pixels"]
    monkeypatch.setattr(sys, "argv", ["rollout.py", *given])
    args = computer_models.parse_arguments("openenv", "")
    assert (args.actions, args.strip_reasoning) == ("qwen", True)
    monkeypatch.setattr(sys, "argv", ["rollout.py", "--help"])
    with pytest.raises(SystemExit):
        computer_models.parse_arguments("openenv", "")
    shown = capsys.readouterr().out
    assert "--strip-reasoning" in shown
    assert "--action-api" in shown
    assert not {"--drop-reasoning", "--actions", "--space"} & set(shown.split())


def test_defaults_are_left_to_rollout_py() -> None:
    assert RolloutOptions().arguments() == ["--index", "0-0"]
    assert replace(RolloutOptions(), temperature=0.0).arguments()[2:] == ["--temperature", "0.0"]
    assert command_line.EPISODE_SECONDS == 3600  # as the help of the option says


@pytest.mark.parametrize("kind", [RolloutOptions, SamplePlan])
def test_every_field_is_an_option_with_a_help_text_or_is_documented(kind: type) -> None:
    plain = {each.name for each in fields(kind) if not each.metadata.get("help")}
    assert plain == {RolloutOptions: {"indices"}, SamplePlan: {"num_tasks"}}[kind]
    command = "rollout" if kind is RolloutOptions else "learnability"
    known = typer.main.get_command(app).commands[command].params  # type: ignore[attr-defined]
    assert {each.name for each in known} >= {each.name for each in fields(kind)} - plain


def test_a_command_receives_the_fields_of_a_group_as_one_value() -> None:
    seen: list[RolloutOptions] = []
    some = typer.Typer()

    @some.command()
    @grouped
    def play(
        *, options: Annotated[RolloutOptions, Only({"stop": "", "samples": "how many"})]
    ) -> None:
        seen.append(options)

    run = CliRunner().invoke(some, ["--stop", "a", "--stop", "b", "--samples", "2"])
    assert (run.exit_code, seen) == (0, [RolloutOptions(stop=("a", "b"), samples=2)])
    assert "how many" in CliRunner().invoke(some, ["--help"]).stdout
    assert CliRunner().invoke(some, ["--temperature", "1"]).exit_code == 2
    assert CliRunner().invoke(some, ["--samples", "0"]).exit_code == 2
