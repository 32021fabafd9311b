"""Logs of Inspect, written and read back by its own package, in the venv of the evals."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

import dev
from skill_tools.evidence.trajectory import Trajectory
from skill_tools.frameworks.rules import load
from skill_tools.pipeline import render, try_calls
from skill_tools.reference.playbook import write_scripts
from tests.conftest import ROOT, write_counter
from tests.live.rolled import roll

pytestmark = pytest.mark.everything("evals")
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
READ = """
import json, sys
from pathlib import Path
from inspect_ai.log import list_eval_logs, read_eval_log
from skill_tools.pipeline.views import write_logs
episodes, output = Path(sys.argv[1]), Path(sys.argv[2])
files = write_logs([episodes], output)
listed = list_eval_logs(str(output.parent))
assert len(listed) == len(files), listed
print(json.dumps([read_eval_log(str(path), resolve_attachments=True).model_dump(mode="json") for path in files]))
"""


def logs(tmp_path: Path, episodes: list[Trajectory]) -> list[dict[str, Any]]:
    """The logs as Inspect reads them."""
    file = tmp_path / "episodes.jsonl"
    file.write_text("".join(e.model_dump_json(by_alias=True) + "\n" for e in episodes), "utf-8")
    (folder := tmp_path / "logs").mkdir()
    command = [dev.set_up("evals") / "python", "-c", READ, file, folder / "log.eval"]
    found = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert found.returncode == 0, found.stderr
    read: list[dict[str, Any]] = json.loads(found.stdout)
    return read


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = write_counter(
        tmp_path_factory.mktemp("inspect") / "counter",
        env=("episode:", "frameworks: [openenv]\nepisode:"),
    )
    render(place)
    return place


def text_of(message: dict[str, Any]) -> str:
    content = message["content"]
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content)


def test_what_a_variant_recorded_is_what_inspect_reads(folder: Path, tmp_path: Path) -> None:
    scripts = write_scripts(load(folder), folder, "train", 2).scripts
    both = {name: dict(scripts[name]) for name in ("oracle", "malformed")}
    for by_label in both.values():
        by_label |= {f"{label}#1": script for label, script in by_label.items()}
    played = roll(folder, "openenv", both, 2, samples=2)
    found = logs(tmp_path, played)
    assert {log["eval"]["model"] for log in found} == {"oracle", "malformed"}
    for log in found:
        model = log["eval"]["model"]
        mine = {(e.label.partition("#")[0], e.sample + 1): e for e in played if e.model == model}
        samples = {(each["id"], each["epoch"]): each for each in log["samples"]}
        assert (len(mine), mine.keys()) == (4, samples.keys())
        for place, sample in samples.items():
            compare(sample, mine[place])
        returns = [e.total for e in mine.values() if e.total is not None]
        metrics = log["results"]["scores"][0]["metrics"]
        assert metrics["mean"]["value"] == pytest.approx(sum(returns) / 4)
        assert log["eval"]["config"]["epochs"] == 2
        assert log["stats"]["model_usage"][model]["total_tokens"] > 0


def compare(sample: dict[str, Any], episode: Trajectory) -> None:
    """Messages, calls, scores and numbers of a sample are those of the episode."""
    assert sample["scores"]["return"]["value"] == episode.total
    assert episode.end in sample["scores"]["return"]["explanation"]
    assert sample["error"] is None
    assert [each["role"] for each in sample["messages"]] == [m["role"] for m in episode.messages]
    for read, wrote in zip(sample["messages"], episode.messages, strict=True):
        assert text_of(read) == (wrote["content"] or "")
        called = [call["function"] for call in wrote.get("tool_calls") or ()]
        assert [call["function"] for call in read.get("tool_calls") or ()] == [
            call["name"] for call in called
        ]
        for call, wanted in zip(read.get("tool_calls") or (), called, strict=True):
            if call["parse_error"] is None:
                assert call["arguments"] == json.loads(wanted["arguments"] or "{}")
        assert read.get("tool_call_id") == wrote.get("tool_call_id")
    assert sample["input"] == sample["messages"][: len(episode.prompt)]
    refused = [m["error"]["message"] for m in sample["messages"] if m.get("error")]
    errors = [step.error for step in episode.steps if step.error]
    assert [message.partition(":")[0] for message in refused] == errors
    assert sample["metadata"]["rewards"] == [step.reward for step in episode.steps]
    assert sample["metadata"]["end"] == episode.end
    usage = sample["model_usage"][episode.model]
    assert usage["output_tokens"] == sum(turn["usage"]["output_tokens"] for turn in episode.turns)


def test_each_metric_is_a_score_with_a_mean_of_its_own(tmp_path: Path) -> None:
    place = {"model": "m", "steps": [], "end": "stopped", "split": "train"}
    played = [
        Trajectory(
            label=f"x/{n}", index=n, metrics={"right": n, "form": 0.5}, **place, **{"return": n}
        )
        for n in (0, 1)
    ]
    (log,) = logs(tmp_path, played)
    for sample, number in zip(log["samples"], (0, 1), strict=True):
        assert {k: v["value"] for k, v in sample["scores"].items()} == {
            "return": number,
            "right": number,
            "form": 0.5,
        }
    means = {s["name"]: s["metrics"]["mean"]["value"] for s in log["results"]["scores"]}
    assert means == {"return": 0.5, "right": 0.5, "form": 0.5}


def test_pictures_failures_thoughts_and_bare_episodes_are_there(
    folder: Path, tmp_path: Path
) -> None:
    bare = try_calls(folder, ["add amount=1", "look", "add amount=99"])
    seen = {"type": "image", "media_type": "image/png", "data": PNG}
    step = {"tool": "look", "arguments": {}, "reward": 0.5, "done": True}
    step |= {"observation": [{"type": "text", "text": "a dot"}, seen]}
    function = {"name": "look", "arguments": "{}"}
    shown = [
        {"role": "user", "content": "Look."},
        {"role": "assistant", "content": "", "reasoning_content": "A tool is there.",
         "tool_calls": [{"id": "c1", "type": "function", "function": function}]},
        {"role": "tool", "tool_call_id": "c1", "content": [
            {"type": "text", "text": "a dot"},
            {"type": "image_url", "image_url": {"url": "#/steps/0/observation/1"}}]},
        {"role": "assistant", "content": "I see it."},
    ]  # fmt: skip
    known: dict[str, Any] = {"environment": "dots", "framework": "gem", "model": "m"}
    known |= {"label": "dots/train/0/0", "split": "train", "index": 0}
    picture = Trajectory(
        **known,
        messages=shown,
        steps=[step],
        total=0.5,
        end="truncated",
        limit="turns",
        max_turns=1,
    )
    failure = {"kind": "TypeError", "message": "the world broke", "log": "line 3"}
    failed = Trajectory(**known, steps=[], end="failed", failure=failure)
    found = {log["eval"]["task"]: log for log in logs(tmp_path, [bare, picture, failed])}
    by_hand = found["counter"]["samples"][0]
    roles = [each["role"] for each in by_hand["messages"]]
    assert roles == ["system", "user", *["assistant", "tool"] * 3]
    assert by_hand["messages"][-1]["error"]["message"].startswith("invalid_arguments: ")
    first, second = found["dots"]["samples"]
    assert (first["epoch"], second["epoch"]) == (1, 2)  # two files may hold one episode each
    answer = first["messages"][2]
    assert answer["content"][1]["image"] == f"data:image/png;base64,{PNG}"
    assert first["messages"][1]["content"][0]["reasoning"] == "A tool is there."
    assert (first["scores"]["return"]["answer"], first["limit"]["type"]) == ("I see it.", "turn")
    assert second["error"]["message"] == "TypeError: the world broke"
    assert not second["scores"]
    assert found["dots"]["results"]["scores"][0]["unscored_samples"] == 1
