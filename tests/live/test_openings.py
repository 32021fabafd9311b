"""Openings with pictures and earlier messages in the frameworks' own hands, and as models receive them."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from skill_tools import checks, pipeline
from skill_tools.evidence.evidence import Evidence
from skill_tools.frameworks.rules import load
from skill_tools.policies.loopback import HttpAnswer, HttpRequest
from skill_tools.policies.scripted import Turn, as_text
from skill_tools.policies.server import ANY_LABEL, PolicyEndpoint
from skill_tools.reference.playbook import write_scripts
from skill_tools.rollouts.options import RolloutOptions
from skill_tools.rollouts.rollout import RolloutProcess, roll_out, variant_venv
from skill_tools.runtime.environment import child_environment
from tests.live.frameworks import FRAMEWORKS
from tests.openings import QUESTION, chat, write_history, write_pictures, write_question
from tests.reports import unwanted

from .rolled import program
from .served import serving

pytestmark = pytest.mark.everything("frameworks")
NO_IMAGE = "[an image that this framework cannot carry]"


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> pipeline.Outcome:
    folder = write_pictures(tmp_path_factory.mktemp("pictures") / "counter")
    return pipeline.build(folder, [*FRAMEWORKS], count=2)


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> pipeline.Outcome:
    folder = write_history(tmp_path_factory.mktemp("history") / "counter")
    return pipeline.build(folder, [*FRAMEWORKS], count=2)


def place(built: pipeline.Outcome) -> Path:
    return Path(built.report.folder)


@pytest.mark.parametrize("kind", ["pictures", "history"])
def test_an_opening_is_the_same_in_every_framework(
    kind: str, request: pytest.FixtureRequest
) -> None:
    built = request.getfixturevalue(kind)
    assert unwanted(built.report) == []
    assert set(built.evidence.variants.rollouts) == set(FRAMEWORKS)
    for framework, played in built.evidence.variants.rollouts.items():
        assert {each.total for each in played["oracle"].values()} == {1.0}, framework


Prompt = list[dict[str, Any]]


def without_picture(prompt: Prompt) -> Prompt:
    *before, last = prompt
    texts = [part for part in last["content"] if part["type"] == "text"]
    return [*before, {**last, "content": texts}]


def other_picture(prompt: Prompt) -> Prompt:
    *before, last = prompt
    first, _, *rest = last["content"]
    other = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}
    return [*before, {**last, "content": [first, other, *rest]}]


def other_role(prompt: Prompt) -> Prompt:
    return [{**m, "role": "user"} if m["role"] == "assistant" else m for m in prompt]


def other_argument(prompt: Prompt) -> Prompt:
    return json.loads(json.dumps(prompt).replace('\\"amount\\": 2', '\\"amount\\": 3'))


def without_note(prompt: Prompt) -> Prompt:
    (only,) = prompt
    return [{**only, "content": only["content"].replace(NO_IMAGE, "")}]


def without_a_call(prompt: Prompt) -> Prompt:
    return [{**m, "content": m["content"].replace('<add amount="2"', "<add")} for m in prompt]


@pytest.mark.parametrize(
    ("kind", "framework", "edit"),
    [
        ("pictures", "ors", without_picture),
        ("pictures", "skyrl_gym", other_picture),
        ("pictures", "gem", without_note),
        ("history", "nemo_gym", other_role),
        ("history", "openenv", other_argument),
        ("history", "skyrl_gym", without_a_call),
        ("history", "gem", without_a_call),
    ],
)
def test_a_variant_that_opens_otherwise_is_found(
    kind: str,
    framework: str,
    edit: Callable[[Prompt], Prompt],
    request: pytest.FixtureRequest,
) -> None:
    evidence: Evidence = request.getfixturevalue(kind).evidence
    played = evidence.variants.rollouts[framework]
    changed = {
        policy: {
            label: each.model_copy(update={"prompt": edit(each.prompt)})
            for label, each in by_label.items()
        }
        for policy, by_label in played.items()
    }
    variants = replace(
        evidence.variants, rollouts={**evidence.variants.rollouts, framework: changed}
    )
    found = {
        f.check for f in checks.run(replace(evidence, variants=variants)) if f.status == "fail"
    }
    assert "PAR002" in found


class Heard(PolicyEndpoint):
    """Keeps what it is asked."""

    bodies: list[dict[str, Any]]

    def answer(self, request: HttpRequest) -> HttpAnswer:
        if request.body:
            self.bodies.append(json.loads(request.body))
        return super().answer(request)


def asked(folder: Path, framework: str) -> Prompt:
    """The messages of the first request in an episode of a variant's rollout."""
    spec = load(folder)
    scripts = write_scripts(spec, folder, "train", 1).only("oracle")
    with Heard(scripts, partial(as_text, spec)) as endpoint:
        endpoint.bodies = []
        venv = variant_venv(spec, folder, FRAMEWORKS[framework])
        options = RolloutOptions(base_url=endpoint.base_url, split="train", indices=(0, 0))
        (played,) = roll_out(RolloutProcess(folder, framework, venv), ["oracle"], options)
    assert played.total == 1.0
    first = next(body for body in endpoint.bodies if body.get("messages"))
    return first["messages"]


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_a_model_receives_the_picture_or_a_note(framework: str, pictures: pipeline.Outcome) -> None:
    said = asked(place(pictures), framework)[-1]["content"]
    if framework == "gem":
        assert f"The target:\n{NO_IMAGE}\nThat are 17 pixels." in said
        return
    assert [part["type"] for part in said] == ["text", "image_url", "text"]
    assert said[1]["image_url"]["url"].startswith("data:image/png;base64,iVBOR")


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_a_model_receives_earlier_messages_as_it_would_say_them(
    framework: str, history: pipeline.Outcome
) -> None:
    said = asked(place(history), framework)
    tags = ['<add amount="1" note="a&lt;b"/>', '<add amount="2" note="a&lt;b"/>']
    if framework == "gem":
        assert [message["role"] for message in said] == ["user"]
        assert f"[assistant]\n{tags[0]}\n{tags[1]}\n\n[user]\n[1] The counter" in said[0]["content"]
    elif framework == "skyrl_gym":
        roles = [message["role"] for message in said]
        assert roles == ["system", "user", "assistant", "user", "assistant", "user"]
        assert said[2]["content"].splitlines() == tags
    else:
        assert [m["role"] for m in said[1:-1]] == [m["role"] for m in chat(0)]
        calls = [call["function"] for call in said[2]["tool_calls"]]
        assert [json.loads(call["arguments"])["amount"] for call in calls] == [1, 2]
        assert said[3]["tool_call_id"] == said[2]["tool_calls"][0]["id"]


OPENENV = """
import asyncio, json, sys
from openenv.core import GenericEnvClient

async def main():
    async with GenericEnvClient(base_url=sys.argv[1]) as env:
        opened = await env.reset(split="train", index=0)
        result = opened.observation["result"]
        print(json.dumps([result["content"], result["data"], result["prompt"]]))

asyncio.run(main())
"""


def test_openenvs_client_receives_the_picture_as_of_a_tool(
    pictures: pipeline.Outcome, tmp_path: Path
) -> None:
    with serving(place(pictures), "openenv", tmp_path / "log") as url:
        content, data, prompt = json.loads(program(place(pictures), "openenv", OPENENV, url))
    assert [block["type"] for block in content] == ["text", "text", "image", "text"]
    assert content[2]["mimeType"] == "image/png"
    assert data == "The counter is at 0.\nThe target:\nThat are 17 pixels."
    assert prompt[-1]["content"][1]["image_url"]["url"].endswith(content[2]["data"])


ORS = """
import json, sys
from openreward import EnvironmentsAPI

api = EnvironmentsAPI(base_url=sys.argv[1], api_key="none")
env = api.get("counter", variant="counter")
(task,) = env.list_tasks(split="train")[:1]
with env.session(task=task) as session:
    prompt = [[block.type, getattr(block, "mimeType", None)] for block in session.get_prompt()]
    blocks = [[m.role, [b.type for b in m.blocks]] for m in session.get_messages()]
    said = {f: session.get_messages(format=f) for f in ("openai", "anthropic")}
    print(json.dumps([prompt, blocks, said]))
"""


def test_ors_serves_image_blocks(pictures: pipeline.Outcome, tmp_path: Path) -> None:
    with serving(place(pictures), "ors", tmp_path / "log") as url:
        prompt, blocks, said = json.loads(program(place(pictures), "ors", ORS, url))
    assert prompt[-3:] == [["text", None], ["image", "image/png"], ["text", None]]
    assert blocks[-1] == ["user", ["text", "image", "text"]]
    assert said["anthropic"]["messages"][-1]["content"][1]["type"] == "image"


def test_ors_serves_earlier_calls_and_results_as_blocks(
    history: pipeline.Outcome, tmp_path: Path
) -> None:
    with serving(place(history), "ors", tmp_path / "log") as url:
        _, blocks, said = json.loads(program(place(history), "ors", ORS, url))
    assert blocks[1:-1] == [
        ["user", ["text"]],
        ["assistant", ["tool_call", "tool_call"]],
        ["user", ["tool_result"]],
        ["user", ["tool_result"]],
        ["assistant", ["text"]],
    ]
    roles = [message["role"] for message in said["openai"]]
    assert roles == ["system", "user", "assistant", "tool", "tool", "assistant", "user"]


ROWS = """
import json, sys
from nemo_gym.openai_utils import NeMoGymResponseCreateParamsNonStreaming as Params
import server
server.dataset_rows.main([sys.argv[1]])
"""
VALID = """
import json, sys
from nemo_gym.openai_utils import NeMoGymResponseCreateParamsNonStreaming as Params
params = Params.model_validate(json.loads(sys.argv[1])["responses_create_params"])
print(json.dumps([item.model_dump(exclude_unset=True) for item in params.input]))
"""


def rows(folder: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The first row of NeMo Gym's, and its input as NeMo Gym reads it."""
    lines = program(folder, "nemo_gym", ROWS, "train").splitlines()
    line = next(line for line in lines if line.startswith("{"))
    read = program(folder, "nemo_gym", VALID, line).splitlines()[-1]
    return json.loads(line), json.loads(read)


def test_nemo_gyms_rows_have_the_picture_as_an_input_image_and_reset_nothing_more(
    pictures: pipeline.Outcome, tmp_path: Path
) -> None:
    row, read = rows(place(pictures))
    assert [part["type"] for part in read[-1]["content"]] == [
        "input_text",
        "input_image",
        "input_text",
    ]
    with serving(place(pictures), "nemo_gym", tmp_path / "log") as url:
        opened = httpx.post(f"{url}/reset", json=row).json()
    assert opened["observation"] is None
    assert opened["info"]["messages"][-1]["content"][1]["type"] == "image_url"


def test_nemo_gyms_rows_have_earlier_calls_as_items(
    history: pipeline.Outcome, tmp_path: Path
) -> None:
    row, read = rows(place(history))
    kinds = [item["type"] for item in read]
    assert kinds == ["message"] * 2 + ["function_call"] * 2 + ["function_call_output"] * 2 + [
        "message"
    ]
    with serving(place(history), "nemo_gym", tmp_path / "log") as url:
        opened = httpx.post(f"{url}/reset", json=row).json()
    assert opened["observation"] == "The counter is at 0; the target is 17."
    assert opened["info"]["messages"][1:] == chat(0)


@pytest.mark.parametrize("harness", ["word-sums", "null"])
def test_any_harness_of_verifiers_asks_a_question_with_a_picture_after_earlier_ones(
    harness: str, tmp_path: Path
) -> None:
    folder = write_question(tmp_path / "word_sums")
    pipeline.render(folder, ["verifiers"])
    venv = variant_venv(load(folder), folder, FRAMEWORKS["verifiers"])
    script = (Turn(text="Answer: 2050", earlier=tuple(QUESTION)),)
    with Heard({"right": {ANY_LABEL: script}}) as endpoint:
        endpoint.bodies = []
        options = ["-n", "1", "--model", "right", "--client.base-url", endpoint.base_url]
        options += ["--no-rich", "--no-push", "-o", str(tmp_path / "out")]
        options += ["--env.agent.harness.id", harness, "--env.agent.runtime.type", "subprocess"]
        run = subprocess.run(
            [*map(str, venv.script("vf-eval")), "word-sums", *options],
            cwd=folder / "verifiers",
            env=child_environment(FRAMEWORKS["verifiers"].environment),
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
    assert run.returncode == 0, run.stdout[-3000:] + run.stderr[-3000:]
    (said, *_) = [body["messages"] for body in endpoint.bodies]
    assert [message["role"] for message in said] == ["system", "user", "assistant", "user"]
    assert [part["type"] for part in said[-1]["content"]] == ["text", "image_url"]
    (traces,) = (tmp_path / "out").rglob("traces.jsonl")
    (trace,) = json.loads(traces.read_text("utf-8").splitlines()[0])["traces"]
    assert trace["rewards"]["episode_return"]["score"] == 1.0, trace.get("errors")
