"""Messages in the frameworks' own hands: their clients and harnesses, and trainers' reward functions."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import httpx
import pytest

from skill_tools import pipeline
from skill_tools.frameworks.rules import load
from skill_tools.policies.scripted import Turn, spoken
from skill_tools.policies.server import ANY_LABEL, PolicyEndpoint
from skill_tools.reference.playbook import write_scripts
from skill_tools.rollouts.rollout import variant_venv
from skill_tools.runtime.environment import child_environment
from tests.live.frameworks import FRAMEWORKS
from tests.reports import unwanted

from .rolled import program
from .served import serving

pytestmark = pytest.mark.everything("frameworks")
EVERY = [*FRAMEWORKS]
RIGHT = "<think>50 times 41, let me see.</think>\nAnswer: 2050"
"""To train/0 of the starter."""


@pytest.fixture(scope="module")
def sums(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("messages") / "word_sums"
    pipeline.new(folder, "single-turn")
    pipeline.render(folder, EVERY)
    return folder


@pytest.mark.parametrize("kind", ["single-turn", "conversation"])
def test_messages_are_the_same_in_every_framework(kind: str, tmp_path: Path) -> None:
    folder = tmp_path / "my_env"
    pipeline.new(folder, kind)
    found = pipeline.build(folder, EVERY, count=4)
    assert unwanted(found.report) == []
    assert set(found.evidence.variants.rollouts) == set(EVERY)


OPENENV = """
import asyncio, sys
from openenv.core import GenericEnvClient

async def main():
    async with GenericEnvClient(base_url=sys.argv[1]) as env:
        await env.reset(split="train", index=0)
        played = await env.step({"type": "message", "text": sys.argv[2]})
        print(played.reward, played.done, played.observation["result"]["data"])
        await env.reset(split="train", index=0)
        print((await env.step({"type": "list_tools"})).observation["tools"])
        called = await env.step({"type": "call_tool", "tool_name": "look", "arguments": {}})
        print(called.reward, called.observation["result"]["error"])

asyncio.run(main())
"""


def test_openenvs_client_sends_a_text_or_a_call(sums: Path, tmp_path: Path) -> None:
    with serving(sums, "openenv", tmp_path / "log") as url:
        said, tools, called = program(sums, "openenv", OPENENV, url, RIGHT).splitlines()
    assert said == "1.0 True Right."
    assert tools == "[]"
    assert called == "0.0 unknown_tool"


ORS = """
import sys
from openreward import EnvironmentsAPI

api = EnvironmentsAPI(base_url=sys.argv[1], api_key="none")
env = api.get("word_sums", variant="word_sums")
(task,) = env.list_tasks(split="train")[:1]
with env.session(task=task) as session:
    print(len(session.list_tools()), session.get_prompt()[-1].text)
    ended = session.call_terminal_tool(sys.argv[2])
    print(ended.reward, ended.finished, ended.blocks[0].text)
with env.session(task=task) as session:
    print(session.call_terminal_tool("").blocks[0].text)
"""


def test_ors_ends_with_the_message_as_its_terminal_one(sums: Path, tmp_path: Path) -> None:
    with serving(sums, "ors", tmp_path / "log") as url:
        told, ended, silent = program(sums, "ors", ORS, url, RIGHT).splitlines()[-3:]
    assert told.startswith("0 ")
    assert "Dana packs 50 boxes" in told
    assert ended == "1.0 True Right."
    assert silent == "There is no answer in the last line."


def test_nemo_gyms_rows_have_the_whole_prompt_and_verify_scores_a_response(
    sums: Path, tmp_path: Path
) -> None:
    rows = program(sums, "nemo_gym", "import server; server.dataset_rows.main(['train'])")
    lines = [line for line in rows.splitlines() if line.startswith("{")]
    row = json.loads(lines[0])
    assert [m["role"] for m in row["responses_create_params"]["input"]] == ["system", "user"]
    with serving(sums, "nemo_gym", tmp_path / "log") as url:
        for text, reward in ((RIGHT, 1.0), ("Answer: 7", 0.0), ("", 0.0)):
            answer = httpx.post(f"{url}/verify", json={**row, "response": response(text)})
            assert answer.json()["reward"] == reward, answer.text
        wrong = httpx.post(f"{url}/verify", json={**row, "index": 999, "response": response("")})
        assert wrong.status_code == 422


def response(text: str) -> dict[str, Any]:
    said = {"type": "output_text", "text": text, "annotations": []}
    message = {"type": "message", "id": "m", "role": "assistant", "status": "completed"}
    about = {"id": "r", "created_at": 0, "model": "m", "object": "response", "tools": []}
    about |= {"parallel_tool_calls": False, "tool_choice": "auto"}
    return {**about, "output": [{**message, "content": [said]}]}


@pytest.mark.parametrize("harness", ["word-sums", "null"])
def test_any_harness_of_verifiers_plays_one_message(
    sums: Path, tmp_path: Path, harness: str
) -> None:
    venv = variant_venv(load(sums), sums, FRAMEWORKS["verifiers"])
    script = (Turn(text=RIGHT),)
    with PolicyEndpoint({"right": {ANY_LABEL: script}}) as endpoint:
        options = ["-n", "1", "--model", "right", "--client.base-url", endpoint.base_url]
        options += ["--no-rich", "--no-push", "-o", str(tmp_path / "out")]
        options += ["--env.agent.harness.id", harness, "--env.agent.runtime.type", "subprocess"]
        run = subprocess.run(
            [*map(str, venv.script("vf-eval")), "word-sums", *options],
            cwd=sums / "verifiers",
            env=child_environment(FRAMEWORKS["verifiers"].environment),
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
    assert run.returncode == 0, run.stdout[-3000:] + run.stderr[-3000:]
    (traces,) = (tmp_path / "out").rglob("traces.jsonl")
    (trace,) = json.loads(traces.read_text("utf-8").splitlines()[0])["traces"]
    assert trace["rewards"]["episode_return"]["score"] == 1.0, trace.get("errors")


TEXT = {
    "gem": """
import sys, gem, word_sums_gem
env = gem.make("word_sums:train", index=0)
text, _ = env.reset()
print(env.step(sys.argv[1])[1:4])
print("<" in text)
""",
    "skyrl_gym": """
import sys, skyrl_gym, word_sums_skyrl
place = {"extra_info": {"split": "train", "index": 0}}
env = skyrl_gym.make("word_sums", env_config={}, extras=place)
prompt, _ = env.init([])
out = env.step(sys.argv[1])
print((out["reward"], out["done"], out["metadata"]["truncated"]))
print("<" in prompt[0]["content"])
""",
}


@pytest.mark.parametrize("framework", TEXT)
def test_text_environments_take_a_message_without_tags(sums: Path, framework: str) -> None:
    played, tagged = program(sums, framework, TEXT[framework], RIGHT).splitlines()[-2:]
    assert played == "(1.0, True, False)"
    assert tagged == "False"


def test_the_oracles_conversation_is_spoken_as_text(tmp_path: Path) -> None:
    folder = tmp_path / "parcel_talk"
    pipeline.new(folder, "conversation")
    script = next(iter(write_scripts(load(folder), folder, "train", 1).scripts["oracle"].values()))
    turns = spoken(script)
    assert [bool(turn.calls) for turn in turns[:5]] == [False, False, True, True, False]
