"""The page's data: every text and picture once, and nothing that a browser would read as markup."""

from __future__ import annotations

import base64
import gzip
import json
import math
import re
from pathlib import Path
from typing import Any

import pytest

import skill_tools
from skill_tools.errors import SkillToolsError
from skill_tools.evidence.trajectory import Trajectory, read, write
from skill_tools.report.page.packing import Packer
from skill_tools.report.page.page import write_page

from .pages import HIDDEN, HOSTILE, clicking, contents, differing, episode, evidence, png, text


def unpacked(page: str) -> dict[str, Any]:
    (data,) = re.findall(r'id="data">([^<]*)<', page)
    return json.loads(gzip.decompress(base64.b64decode(data)))


def test_the_same_evidence_gives_the_same_page() -> None:
    assert write_page(differing()) == write_page(differing())


def test_what_an_environment_says_is_in_no_markup() -> None:
    page = write_page(differing())
    assert HOSTILE not in page
    assert "window.hacked" not in page
    assert unpacked(page)["about"] == f"Dig {HOSTILE}"


def test_a_text_and_a_picture_are_packed_once() -> None:
    packer = Packer()
    shown = episode(seen=("same", "same"))
    drawn = shown.steps[0].model_copy(update={"observation": [png("red"), png("red"), png("blue")]})
    one = packer.pack(shown.model_copy(update={"steps": [drawn, drawn]}))
    two = packer.pack(shown.model_copy(update={"framework": "ors", "steps": [drawn, drawn]}))
    assert one["steps"] == two["steps"]
    assert one["prompt"] == two["prompt"]
    assert len(packer.pictures) == 2


def test_what_json_cannot_say_is_told_by_its_name() -> None:
    odd = episode(seen=("half \ud83d",), **{"return": math.nan})
    step = odd.steps[0].model_copy(update={"arguments": {"x": math.inf}, "reward": math.nan})
    data = unpacked(write_page(contents(evidence(odd.model_copy(update={"steps": [step]})))))
    (packed,) = data["episodes"]
    assert (packed["return"], packed["steps"][0][3]) == ("nan", "nan")
    assert {"x": "inf"} in data["values"]


def test_a_parity_finding_names_both_episodes_and_the_step() -> None:
    data = unpacked(write_page(differing()))
    (finding,) = data["findings"]
    assert finding["step"] == 1
    sides = [data["episodes"][finding[name]]["variant"] for name in ("episode", "other")]
    assert sides == ["ors", "domain"]


def test_what_failed_comes_first_and_levels_are_of_the_task() -> None:
    data = unpacked(write_page(differing()))
    assert data["findings"][0]["status"] == "fail"
    assert [each["level"] for each in data["episodes"]] == ["hard", "hard"]


def test_a_picture_keeps_its_pixels_in_fewer_bytes() -> None:
    page = write_page(clicking())
    (lines,) = re.findall(r'id="pictures">([^<]*)<', page)
    assert len(lines.split("\n")) == 2
    assert all(each.startswith("data:image/") for each in lines.split("\n"))


@pytest.mark.parametrize("kind", ["image/png</script><script>", "text/html", "image/svg+xml;x"])
def test_a_media_type_that_is_none_is_not_written(kind: str) -> None:
    shown = episode(seen=("x",))
    odd = {**png("red"), "media_type": kind}
    step = shown.steps[0].model_copy(update={"observation": [odd]})
    page = write_page(contents(evidence(shown.model_copy(update={"steps": [step]}))))
    (lines,) = re.findall(r'id="pictures">([^<]*)<', page)
    assert lines.startswith("data:image/png;base64,")


def test_what_a_model_wrote_stands_before_the_step_that_came_of_it() -> None:
    shown = episode(seen=("warm", "found"))
    messages = [
        {"role": "user", "content": "Dig."},
        {"role": "assistant", "content": "first", "reasoning_content": "hm", "tool_calls": [{}]},
        {"role": "tool", "content": "warm"},
        {"role": "assistant", "content": "then", "tool_calls": [{}]},
        {"role": "tool", "content": "found"},
        {"role": "assistant", "content": "done"},
    ]
    turns = [{"finish_reason": "tool_calls", "usage": {"input_tokens": 5, "output_tokens": 2}}]
    packer = Packer()
    said = packer.pack(shown.model_copy(update={"messages": messages, "turns": turns}))["said"]
    told = [(at, packer.values[words], packer.values[thoughts]) for at, words, thoughts, _ in said]
    assert told == [(0, "first", "hm"), (1, "then", ""), (2, "done", "")]
    assert said[0][3] == ["tool_calls", 5, 2, None]


def test_actions_in_text_are_told_apart_by_the_answers() -> None:
    shown = episode("gem", seen=("warm", "found"))
    messages = [
        {"role": "user", "content": "Dig."},
        {"role": "assistant", "content": "what?"},
        {"role": "user", "content": "There is no call in it."},
        {"role": "assistant", "content": "<dig>1</dig>"},
        {"role": "user", "content": "warm"},
        {"role": "assistant", "content": "<dig>2</dig>"},
        {"role": "user", "content": "found"},
    ]
    said = Packer().pack(shown.model_copy(update={"messages": messages}))["said"]
    assert [each[0] for each in said] == [0, 0, 1]


def kept(path: Path, *episodes: Trajectory) -> Path:
    write(path, episodes)
    return path


def test_files_of_episodes_become_a_page_beside_the_first(tmp_path: Path) -> None:
    files = [kept(tmp_path / name, episode(seen=(name,))) for name in ("a.jsonl", "b.jsonl.gz")]
    page = skill_tools.view(files)
    assert page == tmp_path / "a.html"
    data = unpacked(page.read_text("utf-8"))
    assert [data["values"][each["steps"][0][2]] for each in data["episodes"]] == [
        text("a.jsonl"),
        text("b.jsonl.gz"),
    ]
    assert skill_tools.view(files) == page  # a page of ours is replaced


def test_a_picture_is_kept_once_for_files_that_show_it(tmp_path: Path) -> None:
    shown = episode(seen=("x", "y"))
    drawn = [step.model_copy(update={"observation": [png("red")]}) for step in shown.steps]
    both = [shown.model_copy(update={"steps": drawn}) for _ in range(2)]
    path = kept(tmp_path / "a.jsonl", *both)
    assert len(list((tmp_path / "pictures").iterdir())) == 1
    assert path.stat().st_size < 4_000
    (one, two) = read(path)
    assert one == two
    first = {**one.steps[0].observation[0], "data": ""}
    assert first == {**png("red"), "data": ""}


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("missing.jsonl", "does not exist"),
        ("empty.jsonl", "contains no episode"),
        ("text.jsonl", "line 1 is not a trajectory"),
        ("broken.jsonl.gz", "is not a trajectory file"),
    ],
)
def test_a_file_that_is_none_is_named(tmp_path: Path, name: str, said: str) -> None:
    (tmp_path / "empty.jsonl").write_text("")
    (tmp_path / "text.jsonl").write_text("hello\n")
    (tmp_path / "broken.jsonl.gz").write_bytes(b"\x1f\x8b\x00")
    with pytest.raises(SkillToolsError, match=said):
        skill_tools.view([tmp_path / name])
    assert not list(tmp_path.glob("*.html"))


def test_nothing_but_a_page_of_ours_is_replaced(tmp_path: Path) -> None:
    path, mine = kept(tmp_path / "a.jsonl", episode()), tmp_path / "a.html"
    mine.write_text("<p>mine")
    with pytest.raises(SkillToolsError, match="was not written by skill-tools"):
        skill_tools.view([path])
    assert mine.read_text() == "<p>mine"


def test_a_hidden_character_is_packed_as_it_is() -> None:
    data = unpacked(write_page(contents(evidence(episode(seen=(HIDDEN,))))))
    assert text(HIDDEN) in data["values"]


def test_metrics_are_with_each_episode_and_as_means_with_each_policy() -> None:
    measured = episode().model_copy(update={"metrics": {"right": 0.25}})
    data = unpacked(write_page(contents(evidence(measured, episode(index=1)))))
    assert [each["metrics"] for each in data["episodes"]] == [{"right": 0.25}, {}]
    (variant,) = data["report"]["variants"]
    assert [each["metrics"] for each in variant["scores"]] == [{"right": 0.25}]
