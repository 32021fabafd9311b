"""Openings with pictures and earlier messages in TRL's rows, environments and chat templates."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from skill_tools import pipeline
from tests.live.rolled import program
from tests.live.trl.test_trl import run
from tests.openings import write_history, write_pictures, write_question
from tests.reports import unwanted

pytestmark = pytest.mark.everything("trl")
NO_IMAGE = "[an image that this framework cannot carry]"


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_pictures(tmp_path_factory.mktemp("pictures") / "counter")
    with (folder / "env.yaml").open("a", encoding="utf-8") as declared:
        declared.write("packages: [pillow]\n")  # as a vision model brings it
    return built(folder)


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(write_history(tmp_path_factory.mktemp("history") / "counter"))


def built(folder: Path) -> Path:
    assert unwanted(pipeline.build(folder, ["trl"], count=2).report) == []
    return folder


TRL = """
import json
from datasets import Dataset
from trl import chat_template_utils
from trl.data_utils import prepare_multimodal_messages
import counter_trl, rollout

row = Dataset.from_list(list(counter_trl.rows("train", [0, 1])), on_mixed_types="use_json")[0]
environment = counter_trl.CounterEnvironment()
shown_first = environment.reset(**{k: v for k, v in row.items() if k != "prompt"})
counter_trl.CounterEnvironment.pictures = True
shown = environment.reset(**{k: v for k, v in row.items() if k != "prompt"})
merged = None
if isinstance(shown, list):  # as GRPOTrainer adds it to the last message
    prompt = [*row["prompt"][:-1], {"role": "user", "content": [{"type": "text", "text": ""}, *shown]}]
    merged = [
        [part["type"], getattr(part.get("image"), "size", None)]
        for part in prepare_multimodal_messages(prompt)[-1]["content"]
    ]
text = rollout.bytes_as_tokens().apply_chat_template(
    [*row["prompt"][:-1], {"role": "user", "content": shown_first}], tools=counter_trl.TOOLS, tokenize=False
)
print(json.dumps([shown_first, merged, text]))
"""


def test_trls_environment_shows_pictures_to_a_vision_model_and_a_note_to_others(
    pictures: Path,
) -> None:
    shown_first, merged, _ = json.loads(program(pictures, "trl", TRL).splitlines()[-1])
    assert (
        shown_first
        == f"See:\nThe counter is at 0.\nThe target:\n{NO_IMAGE}\nThat are 17 pixels.\nNow count."
    )
    assert [kind for kind, _ in merged] == ["text", "text", "image", "text"]
    assert merged[2][1] == [17, 1]


def test_trls_rows_have_earlier_calls_that_a_chat_template_writes(
    history: Path,
) -> None:
    shown_first, merged, text = json.loads(program(history, "trl", TRL).splitlines()[-1])
    assert (shown_first, merged) == ("The counter is at 0; the target is 17.", None)
    assert '{"name": "add", "arguments": {"amount": 2, "note": "a<b"}}' in text
    assert "<tool_response>\nThe counter is at 1. a<b\n</tool_response>" in text


def test_a_model_is_trained_after_earlier_messages(history: Path, tmp_path: Path) -> None:
    call = '<tool_call>\n{"name": "add", "arguments": {"amount": 9}}\n</tool_call>'
    model, output = tmp_path / "model", tmp_path / "trained"
    run(history, Path(__file__).parent / "tiny_model.py", model, call)
    for actions in ("tools", "text"):
        asked = ["--model", model, "--output", output / actions, "--actions", actions]
        settings = ["--steps", "1", "--episodes", "2", "--tasks-per-step", "2", "--tokens", "400"]
        run(history, "train.py", *asked, *settings)
        assert (output / actions / "trainer_state.json").is_file()


IMAGES = """
import json
from datasets import Dataset
from trl.data_utils import prepare_multimodal_messages
import word_sums_trl

row = Dataset.from_list(word_sums_trl.rows("train", [0, 1]), on_mixed_types="use_json")[0]
found = prepare_multimodal_messages(row["prompt"], images=row["images"])
print(json.dumps([[m["role"], [p["type"] for p in m["content"]]] for m in found]))
"""


def test_rows_of_questions_have_their_pictures_in_the_column_images(tmp_path: Path) -> None:
    folder = write_question(tmp_path / "word_sums")
    with (folder / "env.yaml").open("a", encoding="utf-8") as declared:
        declared.write("packages: [pillow]\n")
    found = json.loads(program(built(folder), "trl", IMAGES).splitlines()[-1])
    assert found == [
        ["system", ["text"]],
        ["user", ["text"]],
        ["assistant", ["text"]],
        ["user", ["text", "image"]],
    ]
