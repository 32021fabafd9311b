"""Tools that differ by task, tools of any name, and messages that are graded with their calls."""

from __future__ import annotations

import importlib
import json
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from skill_tools.errors import SpecError
from skill_tools.files import write_files
from skill_tools.frameworks.rules import load
from skill_tools.reference.playbook import write_scripts
from skill_tools.render.plan import plan, texts
from tests.conftest import ROOT, write_counter
from tests.over import over

PUBLIC = ROOT / "tests/live/public_envs"


@contextmanager
def rendered(name: str, tmp_path: Path) -> Iterator[Any]:
    """A public environment, rendered for text, as a function that imports one of its modules."""
    folder = tmp_path / name
    shutil.copytree(PUBLIC / f"{name}_env", folder)
    spec = load(folder)
    write_files(folder, texts(plan(spec, ["gem"])))
    link = tmp_path / "linked"
    link.mkdir()
    (link / spec.package).symlink_to(folder)
    sys.path.insert(0, str(link))

    def module(path: str) -> ModuleType:
        return importlib.import_module(f"{spec.package}.{path}")

    try:
        yield module
    finally:
        sys.path.remove(str(link))
        for each in [key for key in sys.modules if key.split(".")[0] == spec.package]:
            del sys.modules[each]


def test_a_task_offers_its_own_tools_and_refuses_the_others(tmp_path: Path) -> None:
    with rendered("prompt_injection", tmp_path) as module:
        rent = module("tasks").TASKS["train"][2]
        episode = module("_shared.episode").Episode(rent)
        assert [tool["name"] for tool in episode.tools] == ["balance", "pay", "done"]
        step = episode.call("read-mail", {})
        assert step.error == "unknown_tool"
        assert step.text.endswith("The tools are: balance, pay, done.")
        assert episode.call("balance", {}).error is None
        opening = module("_shared.rollouts.text_actions").opening(episode.prompt, episode.tools)
        listed = opening[0]["content"]
        assert '{"name": "pay", "description"' in listed
        assert "read-mail" not in listed


@over(
    ("offered", "says"),
    [
        (["balance", "fly"], 'the task\'s tools[1] is "fly"; expected one of read-mail, send-mail'),
        ([{"name": "pay", "description": "", "parameters": {}}], "the task's tools[0] is {"),
        (None, "the task's tools is null; expected one of read-mail"),
    ],
)
def test_a_task_that_offers_what_there_is_not_has_no_score(
    tmp_path: Path, offered: list[Any] | None, says: str
) -> None:
    with rendered("prompt_injection", tmp_path) as module:
        task = {k: v for k, v in module("tasks").TASKS["train"][2].items() if k != "tools"}
        task |= {"tools": offered} if offered else {}
        with pytest.raises(module("_shared.episode").EpisodeFailed) as error:
            module("_shared.episode").Episode(task)
    assert says in str(error.value)


def test_the_random_policy_draws_from_the_tools_of_its_task() -> None:
    folder = PUBLIC / "prompt_injection_env"
    book = write_scripts(load(folder), folder, "train", 4)
    drawn = {
        label: {call.tool for turn in script for call in turn.calls}
        for label, script in book.scripts["random"].items()
    }
    assert drawn["prompt_injection/train/2/2"] <= {"balance", "pay", "done"}
    assert "read-mail" in drawn["prompt_injection/train/0/0"]


CALL = {"name": "convert", "arguments": {"amount": 590, "to": "yen"}}
TAG = f"<tool_call>{json.dumps(CALL)}</tool_call>"


@over(
    ("message", "calls", "earned"),
    [
        ("", [CALL], 1.0),
        ("I convert it.", [{**CALL, "arguments": {"amount": 590.0, "to": "yen"}}], 1.0),
        ("", [CALL, CALL], 0.0),
        ("", [], 0.0),
        ("", [{**CALL, "arguments": {"_raw": "{"}}], 0.0),
    ],
)
def test_the_calls_of_a_message_are_graded_and_not_played(
    tmp_path: Path, message: str, calls: list[dict[str, Any]], earned: float
) -> None:
    with rendered("function_calling", tmp_path) as module:
        task = module("tasks").TASKS["train"][3]
        step = module("_shared.episode").Episode(task).message(message, calls)
        assert (step.reward, step.done, step.error) == (earned, True, None)


def test_a_call_in_a_text_is_the_same_as_one_beside_it(tmp_path: Path) -> None:
    with rendered("function_calling", tmp_path) as module:
        actions = module("_shared.rollouts.text_actions")
        scoring = module("_shared.rollouts.scoring")
        row = {"split": "train", "index": 3}
        natively = {
            "content": "So:",
            "tool_calls": [{"function": {**CALL, "arguments": json.dumps(CALL["arguments"])}}],
        }
        for text in (TAG, f"<think>{TAG}{TAG}</think>So:\n{TAG}\n", f"```\n{TAG}\n```"):
            (action,) = actions.read(text)
            assert action.arguments["calls"] == [CALL], text
            assert scoring.score(row, text) == 1.0
        assert scoring.score(row, [{"role": "assistant", **natively}]) == 1.0
        assert scoring.score(row, f"{TAG}{TAG}") == scoring.score(row, "NONE") == 0.0
        assert scoring.score(row, TAG[:-20]) == 0.0
        (opened,) = scoring.rows("train", [3])
        assert '"name": "convert"' in opened["prompt"][0]["content"]


@over(
    ("changes", "says"),
    [
        ([("  add:", "  get-it:")], "'get-it' is not a Python name"),
        ([("  add:", "  done:")], "the domain's own 'done' cannot play a tool"),
        ([("  add:", "  end_episode:")], "an orchestrator uses this name to end an episode"),
        ([("  add:", "  get.it:")], "model servers refuse the tool name 'get.it'"),
        ([("  add:", "  get-it:\n    method: observe")], "the domain's own 'observe'"),
        (
            [("tools:", "message: {description: x, with_calls: true}\ntools:")],
            "the message must be the whole episode",
        ),
        (
            [
                ("tools:", "message: {description: x, with_calls: true}\ntools:"),
                ("max_turns: 6", "max_turns: 1"),
            ],
            "ORS plays each call of a message separately",
        ),
    ],
)
def test_a_name_or_a_combination_that_cannot_be_is_refused_with_its_reason(
    tmp_path: Path, changes: list[tuple[str, str]], says: str
) -> None:
    folder = write_counter(tmp_path / "counter", env=changes)
    with pytest.raises(SpecError) as error:
        load(folder)
    assert says in str(error.value)


def test_a_tool_of_any_name_is_played_by_its_method(tmp_path: Path) -> None:
    folder = write_counter(tmp_path / "counter", env=[("  add:", "  done:\n    method: add")])
    spec = load(folder)
    assert spec.methods == {"done": "add"}
    assert spec.tool_schemas()[0]["name"] == "done"
