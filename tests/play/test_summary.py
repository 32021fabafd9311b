"""The numbers of trajectory files are those that a rollout tells at its end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import skill_tools
from skill_tools.errors import SkillToolsError
from tests.play.test_export import PROMPT, episode, step, written
from tests.test_cli import skill_tools as command


def played(index: int, paid: float, sample: int = 0, **more: Any) -> dict[str, Any]:
    usage = {"input_tokens": 100, "output_tokens": 10}
    turn = {"finish_reason": "stop", "usage": usage, "seconds": 2.0}
    messages = [*PROMPT, {"role": "assistant", "content": "Well."}]
    place = {"label": f"count/train/{index}/0", "index": index, "sample": sample, "model": "m"}
    reported = {"messages": messages, "turns": [turn], "reward_range": [0.0, 1.0], "end": "stopped"}
    return {**episode(step({}, "Ok.", reward=paid)), **place, **reported, **more}


def test_the_numbers_are_of_all_samples_and_the_interval_is_over_tasks(tmp_path: Path) -> None:
    lines = [played(0, 1.0), played(0, 0.0, 1), played(1, 0.5), played(1, 0.5, 1)]
    numbers = skill_tools.summarize([written(tmp_path, *lines)]).models["m"]
    assert numbers["mean"] == 0.5
    assert numbers["interval"] == 0.0  # both tasks have the mean 0.5
    assert numbers["pass@1"] == 0.25
    assert numbers["pass@2"] == 0.5
    assert (numbers["input_tokens"], numbers["output_tokens"]) == (400, 40)
    assert numbers["seconds_per_turn"] == 2.0


def test_what_earns_the_most_is_known_from_the_file_or_not_told(tmp_path: Path) -> None:
    lines = [played(0, 2.0, reward_range=[-1.0, 2.0]), played(1, 1.0, reward_range=[-1.0, 2.0])]
    assert skill_tools.summarize([written(tmp_path, *lines)]).models["m"]["pass@1"] == 0.5
    for line in lines:
        del line["reward_range"]
    found = skill_tools.summarize([written(tmp_path, *lines)])
    assert found.models["m"]["pass@1"] is None
    assert found.lines[0] == "m: 2 episodes, mean return 1.500 ± 0.980 (95 %)"


def test_solved_is_what_earned_the_most_of_its_task_where_that_is_told(tmp_path: Path) -> None:
    lines = [played(0, 0.5, best=0.5), played(1, 0.5, best=0.8)]
    assert skill_tools.summarize([written(tmp_path, *lines)]).models["m"]["pass@1"] == 0.5
    found = skill_tools.summarize([written(tmp_path, *lines)])
    assert found.models["m"]["of_best"] == pytest.approx(1.0 / 1.3)
    assert "0.769 of the best" in found.lines[0]
    untold = [{**line, "best": None} for line in lines]
    assert skill_tools.summarize([written(tmp_path, *untold)]).models["m"]["of_best"] is None
    assert skill_tools.summarize([written(tmp_path, *untold)]).models["m"]["pass@1"] is None


def test_failed_episodes_are_counted_and_have_no_score(tmp_path: Path) -> None:
    failure = {"kind": "x", "message": "y"}
    broke = played(1, 0.0, end="failed", failure=failure) | {"return": None}
    numbers = skill_tools.summarize([written(tmp_path, played(0, 1.0), broke)]).models["m"]
    assert (numbers["episodes"], numbers["scored"], numbers["mean"]) == (2, 1, 1.0)


def test_one_model_in_two_frameworks_is_told_apart(tmp_path: Path) -> None:
    file = written(tmp_path, played(0, 1.0), played(0, 0.0, framework="gem"))
    assert list(skill_tools.summarize([file]).models) == ["m (openenv)", "m (gem)"]


def test_the_command_prints_numbers_and_warns_apart_from_them(tmp_path: Path) -> None:
    silent = [played(0, 0.0), played(1, 0.0)]
    for line in silent:
        line |= {"steps": [], "return": 0.0}
    file = written(tmp_path, *silent)
    run = command("summary", file)
    assert run.returncode == 0, run.stderr
    assert "m: 2 episodes, mean return 0.000 ± 0.000 (95 %), pass@1 0.000" in run.stdout
    assert "1.0 turns an episode, 200 tokens in, 20 out, 2.00 s a turn" in run.stdout
    assert "warning: no tool was called in any of 2 episodes" in run.stderr
    run = command("summary", file, "--json")
    assert json.loads(run.stdout)["m"]["ends"] == {"stopped": 2}


def test_no_episode_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SkillToolsError, match="no episode"):
        skill_tools.summarize([written(tmp_path, played(0, 1.0))], models=["other"])


def test_each_metric_has_a_mean_over_the_episodes_that_report_it(tmp_path: Path) -> None:
    lines = [
        played(0, 1.0, metrics={"right": 1.0, "form": 0.0}),
        played(1, 0.0, metrics={"right": 0.0, "form": 0.0}),
        played(2, 0.0, end="failed", metrics=None) | {"return": None},
    ]
    found = skill_tools.summarize([written(tmp_path, *lines)])
    assert found.models["m"]["metrics"] == {"right": 0.5, "form": 0.0}
    assert found.lines[1] == "    mean metrics: right 0.500, form 0.000"
    plain = skill_tools.summarize([written(tmp_path, played(0, 1.0))])
    assert "metrics" not in plain.models["m"]
