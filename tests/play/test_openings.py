"""Openings with pictures and earlier messages, on the bare domain, and the checks that read them."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

import skill_tools
from skill_tools import pipeline
from skill_tools.errors import DomainError, SpecError
from skill_tools.evidence import trajectory
from skill_tools.evidence.trajectory import Trajectory
from skill_tools.frameworks.rules import load
from skill_tools.rollouts.datasets import write_dataset
from skill_tools.rollouts.records.conversation import conversation
from tests.conftest import write_counter
from tests.openings import OBSERVED, chat, write_history, write_pictures
from tests.over import over


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    return write_pictures(tmp_path / "counter")


@pytest.fixture
def history(tmp_path: Path) -> Path:
    return write_history(tmp_path / "counter")


def opened(folder: Path) -> list[dict[str, Any]]:
    return skill_tools.try_calls(folder, []).prompt


def test_a_picture_stands_where_the_prompt_shows_the_observation(pictures: Path) -> None:
    system, user = opened(pictures)
    assert system == {"role": "system", "content": "Count to the target."}
    before, picture, after = user["content"]
    assert before == {"type": "text", "text": "See:\nThe counter is at 0.\nThe target:"}
    assert after == {"type": "text", "text": "That are 17 pixels.\nNow count."}
    kind, _, data = picture["image_url"]["url"].partition(";base64,")
    assert kind == "data:image/png"
    assert base64.b64decode(data).startswith(b"\x89PNG")


def test_a_list_of_texts_and_an_object_open_with_a_plain_text(tmp_path: Path) -> None:
    several = 'return ["At", {"value": self.value}]'
    folder = write_counter(tmp_path / "counter", game=(OBSERVED, several))
    assert opened(folder)[-1] == {"role": "user", "content": 'At\n{"value":0}'}


def test_pictures_alone_are_a_prompt_without_empty_texts(tmp_path: Path) -> None:
    folder = write_counter(tmp_path / "counter", game=(OBSERVED, 'return b"\\xff\\xd8x"'))
    (part,) = opened(folder)[-1]["content"]
    assert part["image_url"]["url"] == "data:image/jpeg;base64,/9h4"


def test_a_result_that_no_model_can_see_is_a_failure_of_observe(tmp_path: Path) -> None:
    folder = write_counter(tmp_path / "counter", game=(OBSERVED, "return 7"))
    with pytest.raises(DomainError, match=r"failed in observe\(\): .*return text, PNG bytes"):
        opened(folder)


def test_earlier_messages_stand_between_the_system_and_the_user_message(history: Path) -> None:
    system, *before, user = opened(history)
    assert before == chat(0)
    assert (system["role"], user["content"]) == (
        "system",
        "The counter is at 0; the target is 17.",
    )


def test_arguments_may_be_objects_and_are_text_for_the_model(tmp_path: Path) -> None:
    more = """for call in each["chat"][1]["tool_calls"]:
        call["function"]["arguments"] = {"amount": 1}"""
    (_, _, said, *_) = opened(write_history(tmp_path / "counter", more))
    assert [call["function"]["arguments"] for call in said["tool_calls"]] == ['{"amount": 1}'] * 2


CALL = '{"id": "a", "type": "function", "function": {"name": "add", "arguments": "{}"}}'
WRONG = {
    'del each["chat"]': "it is missing",
    'each["chat"] = "Hello"': "it is 'Hello', and must be a list",
    'each["chat"] = ["Hello"]': "message 0: it is 'Hello', and must be an object",
    'each["chat"] = [{"role": "robot", "content": ""}]': "message 0: the role is 'robot'",
    'each["chat"] = [{"role": "user"}]': "message 0: the content is missing",
    'each["chat"] = [{"role": "user", "content": [1]}]': "message 0: the content is \\[1\\]",
    'each["chat"] = [{"role": "user", "content": "x", "name": "y"}]': "message 0: .* no 'name'",
    f'each["chat"] = [{{"role": "user", "content": "x", "tool_calls": [{CALL}]}}]': "no 'tool_calls'",
    'each["chat"][1]["tool_calls"] = [{"name": "add"}]': "message 1: a call is ",
    'each["chat"][1]["tool_calls"][0]["function"]["arguments"] = "{"': "message 1: the arguments of add",
    'each["chat"][1]["tool_calls"] = "add"': "message 1: tool_calls is 'add'",
    'each["chat"][3]["tool_call_id"] = "call_1"': "message 3: no call before it has .* 'call_1'",
    'del each["chat"][3]': "message 3: the call 'call_2' before it has no result",
    'del each["chat"][3:]': "the call 'call_2' has no result",
}


@pytest.mark.everything("costly")
@over("change", WRONG)
def test_wrong_earlier_messages_fail_the_episode_and_name_field_and_position(
    change: str, tmp_path: Path
) -> None:
    # Each task has messages of its own, so that a change is made once.
    folder = write_history(tmp_path / "counter", change)
    with pytest.raises(DomainError, match=f"failed in the task field 'chat': .*{WRONG[change]}"):
        opened(folder)


@pytest.mark.everything("costly")
def test_a_wrong_field_is_found_by_a_check(tmp_path: Path) -> None:
    found = pipeline.check(write_history(tmp_path / "counter", 'each["chat"] = [{}]'), play=True)
    failed = [each for each in found.report.findings if each.status == "fail"]
    assert {each.check for each in failed} == {"EPI001"}
    assert "'chat': WrongHistory: message 0: the role is missing" in failed[0].message


def test_a_history_that_is_hidden_is_refused(tmp_path: Path) -> None:
    folder = write_counter(
        tmp_path / "counter",
        env=('user: "{observation}"', 'user: "{observation}"\n  history: target_word'),
    )
    with pytest.raises(SpecError, match="'target_word' is a hidden task field"):
        load(folder)


SECRET = 'each["target_word"] = f"horse{each[\'seed\']}staple"'
LEAKS = {
    "in a message": 'each["chat"][0]["content"] = each["target_word"]',
    "in a call": 'each["chat"][1]["tool_calls"][0]["function"]["arguments"] = {"note": each["target_word"]}',
    "in a result": 'each["chat"][2]["content"] += each["target_word"]',
}


def failed(folder: Path) -> set[str]:
    found = pipeline.check(folder, play=True).report.findings
    return {each.check for each in found if each.status == "fail"}


@pytest.mark.everything("checks")
@pytest.mark.parametrize("place", LEAKS)
def test_a_hidden_value_in_earlier_messages_is_found(place: str, tmp_path: Path) -> None:
    assert "ISO002" in failed(write_history(tmp_path / "counter", f"{SECRET}; {LEAKS[place]}"))


@pytest.mark.everything("checks")
def test_a_hidden_value_next_to_a_picture_is_found(pictures: Path) -> None:
    assert "ISO002" not in failed(pictures)
    game = pictures / "game.py"
    game.write_text(game.read_text("utf-8").replace('"The target:"', "self.word"), "utf-8")
    assert "ISO002" in failed(pictures)


@pytest.mark.everything("costly")
def test_a_picture_that_cannot_be_decoded_is_found_in_the_opening(tmp_path: Path) -> None:
    broken = write_counter(
        tmp_path / "counter",
        game=(OBSERVED, 'return ["At", b"\\x89PNG" * 30] if not self.value else "At"'),
    )
    found = pipeline.check(broken, play=True).report.findings
    (first, *_) = [each.message for each in found if each.check == "OBS010"]
    assert "the picture of the opening cannot be decoded" in first


@pytest.mark.everything("frameworks")
def test_files_of_episodes_store_an_openings_picture_once(pictures: Path, tmp_path: Path) -> None:
    shown = skill_tools.try_calls(pictures, [])
    file = tmp_path / "some" / "episodes.jsonl"
    file.parent.mkdir()
    trajectory.write(file, [shown, shown])
    assert "base64,pictures/" in file.read_text("utf-8")
    assert len([*(file.parent / "pictures").iterdir()]) == 1
    (first, _) = trajectory.read(file)
    ((number, block),) = first.pictures()
    assert (number, block["media_type"]) == (0, "image/png")
    assert base64.b64decode(block["data"]).startswith(b"\x89PNG")


def test_conversations_for_training_continue_after_earlier_messages(history: Path) -> None:
    played = skill_tools.try_calls(history, [("add", {"amount": 9})])
    messages = conversation(played)
    assert len(messages) == len(played.prompt) + 1
    assert messages[played.opened]["tool_calls"][0]["function"]["arguments"] == {"amount": 9}
    silent = Trajectory(**{**played.model_dump(by_alias=True), "steps": []})
    with pytest.raises(ValueError, match="no message from the model"):
        conversation(silent)


@pytest.mark.everything("costly")
def test_datasets_have_the_opening_in_each_trainers_form(history: Path, tmp_path: Path) -> None:
    spec, rows = load(history), {}
    for trainer in ("plain", "trl", "skyrl", "nemo_gym"):
        file = tmp_path / f"{trainer}.jsonl"
        write_dataset(spec, history, file, trainer, "test")
        (rows[trainer],) = map(json.loads, file.read_text("utf-8").splitlines())
    assert rows["plain"]["prompt"][1:-1] == rows["trl"]["prompt"][1:-1] == chat(99)
    roles = [message["role"] for message in rows["skyrl"]["prompt"]]
    assert roles == ["system", "user", "assistant", "user", "assistant", "user"]
    said, results = rows["skyrl"]["prompt"][2:4]
    assert said["content"].splitlines() == [f'<add amount="{n}" note="a&lt;b"/>' for n in (1, 2)]
    assert results["content"].startswith("[1] The counter is at 1.")
    items = rows["nemo_gym"]["responses_create_params"]["input"]
    assert [item["type"] for item in items[2:6]] == ["function_call"] * 2 + [
        "function_call_output"
    ] * 2


@pytest.mark.everything("frameworks")
def test_a_row_of_nemo_gym_has_a_picture_as_an_input_image(pictures: Path, tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    write_dataset(load(pictures), pictures, file, "nemo_gym", "test")
    (row,) = map(json.loads, file.read_text("utf-8").splitlines())
    parts = row["responses_create_params"]["input"][-1]["content"]
    assert [part["type"] for part in parts] == ["input_text", "input_image", "input_text"]
