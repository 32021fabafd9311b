"""Judges behind the clients that people use: OpenAI's, Anthropic's, requests, and Verifiers' own."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from skill_tools.audit.driver import DriverSession, SeenEpisode
from skill_tools.audit.groups import play_groups
from skill_tools.audit.target import Target, recognise
from skill_tools.audit.target_venv import target_venv
from skill_tools.runtime.progress import silent

# A venv with three clients, and one of Verifiers: half a minute.
pytestmark = pytest.mark.everything("audit")
PROMPT = '"Question: {}\\nReference answer: {}\\n<reply>{}</reply>\\nIs it right? yes or no".format'
REWARDS = f"""
import asyncio
prompt_of = {PROMPT}

def one(text):
    return [{{"role": "user", "content": text}}]

async def openai(prompt, completion, answer):
    from openai import AsyncOpenAI
    client = AsyncOpenAI(base_url="https://judge.invalid/v1", api_key="none")
    told = await client.chat.completions.create(model="a", messages=one(prompt_of(prompt, answer, completion)))
    return float(told.choices[0].message.content == "yes")

def responses(prompt, completion, answer):
    from openai import OpenAI
    told = OpenAI().responses.create(model="a", input=prompt_of(prompt, answer, completion))
    return float(told.output_text == "yes")

def anthropic(prompt, completion, answer):
    from anthropic import Anthropic
    told = Anthropic().messages.create(model="a", max_tokens=9, messages=one(prompt_of(prompt, answer, completion)))
    return float(told.content[0].text == "yes")

def posted(prompt, completion, answer):
    import requests
    body = {{"model": "a", "messages": one(prompt_of(prompt, answer, completion))}}
    told = requests.post("https://judge.invalid/v1/chat/completions", json=body, timeout=9)
    told.raise_for_status()
    return float(told.json()["choices"][0]["message"]["content"] == "yes")
"""
TASKSET = f"""
import verifiers.v1 as vf
__all__ = ["TownTaskset"]

class Data(vf.TaskData):
    answer: str

class Right(vf.Judge[bool]):
    prompt = {PROMPT.replace("{}", "{{{}}}").format("question", "answer", "response").removesuffix(".format")}
    def parse(self, response):
        return response.text.strip() == "yes"

class Town(vf.Task[Data, vf.State, vf.TaskConfig]):
    @vf.reward
    async def paid(self, trace: vf.Trace) -> float:
        said = trace.assistant_messages[-1].content or ""
        asked = {{"question": self.data.prompt_text, "answer": self.data.answer, "response": said}}
        return float((await Right(vf.JudgeConfig()).evaluate(trace=trace, **asked)).parsed)

class TownTaskset(vf.Taskset[Town, vf.TasksetConfig]):
    def load(self):
        return [Town(Data(answer=f"Town{{n}}", prompt=f"Where is {{n}}?"), self.config.task) for n in range(3)]
"""


def play(target: Target, *replies: str, url: str | None = None) -> list[SeenEpisode]:
    """The episodes of replies to the first tasks, in their order."""
    driven = DriverSession(target, target_venv(target, silent), 30.0, url=url)
    told = driven.ask("discover", 60.0, count=len(replies))
    assert told.lines, told.why
    found = json.loads(told.lines[0])
    scripts = [
        {**place, "policy": "scripted", "label": f"{place['index']}"}
        | {"calls": [{"tool": "say", "arguments": {"text": reply}}]}
        for place, reply in zip(found["places"], replies, strict=True)
    ]
    scripts[-1]["judge"] = {"status": 500}
    got, _ = play_groups(replace(driven, found=found), [{"key": "all", "scripts": scripts}], 120.0)
    return got["all"]


def assert_judged(played: list[SeenEpisode]) -> None:
    """The first reply is right, the second wrong, and the third's judge is out of order."""
    assert [each.trajectory.total for each in played] == [1.0, 0.0, None], [
        each.trajectory.failure for each in played
    ]
    for each in played[:2]:
        (seen,) = each.seen["judge"]
        assert (seen["stands"], seen["closes"], seen["key_shown"]) == ("fenced", "</reply>", True)
    assert played[2].trajectory.failure
    assert played[2].trajectory.failure.kind == "stand-in judge"


@pytest.mark.parametrize("client", ["openai", "responses", "anthropic", "posted"])
def test_the_clients_of_models_reach_a_stand_in(client: str, tmp_path: Path) -> None:
    (tmp_path / "rewards.py").write_text(REWARDS, "utf-8")
    rows = tmp_path / "tasks.jsonl"
    lines = [{"prompt": f"Where is {n}?", "answer": f"Town{n}"} for n in range(3)]
    rows.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    wanted = ["openai>=2,<4", "anthropic", "requests"]
    target = recognise(f"{tmp_path}/rewards.py:{client}", tasks=rows, requirements=wanted)
    assert_judged(play(target, "Town0", "Town2", "Town2"))


def test_a_judge_of_a_taskset_reaches_a_stand_in(tmp_path: Path) -> None:
    folder = tmp_path / "judged_town"
    folder.mkdir()
    (folder / "__init__.py").write_text(TASKSET, "utf-8")
    assert_judged(play(recognise(str(folder), "verifiers"), "Town0", "Town2", "Town2"))


SERVER = """
import re
from nemo_gym.base_resources_server import (
    BaseResourcesServerConfig, BaseVerifyRequest, BaseVerifyResponse, SimpleResourcesServer,
)
from nemo_gym.openai_utils import NeMoGymEasyInputMessage as Message, NeMoGymResponse
from nemo_gym.openai_utils import NeMoGymResponseCreateParamsNonStreaming as Params
from nemo_gym.server_utils import get_response_json, raise_for_status

class Answer(BaseVerifyRequest):
    answer: str

class Town(SimpleResourcesServer):
    config: BaseResourcesServerConfig

    async def verify(self, body: Answer) -> BaseVerifyResponse:
        said = re.findall(r"Answer: (.*)", body.response.output[-1].content[0].text)
        text = PROMPT("Where?", body.answer, (said or [""])[-1])
        asked = Params(input=[Message(role="user", content=text)])
        told = await self.server_client.post(server_name="judge", url_path="/v1/responses", json=asked)
        await raise_for_status(told)
        read = NeMoGymResponse.model_validate(await get_response_json(told))
        yes = read.output[-1].content[0].text.strip() == "yes"
        return BaseVerifyResponse(**body.model_dump(), reward=float(yes))
"""


def test_a_judge_of_a_nemo_gym_server_reaches_a_stand_in(tmp_path: Path) -> None:
    folder = tmp_path / "judged_town"
    (folder / "data").mkdir(parents=True)
    (folder / "app.py").write_text(SERVER.replace("PROMPT", PROMPT), "utf-8")
    asked = [
        {"responses_create_params": {"input": f"Where is {n}?"}, "answer": f"Town{n}"}
        for n in range(3)
    ]
    lines = "".join(f"{json.dumps(each)}\n" for each in asked)
    (folder / "data/example.jsonl").write_text(lines, "utf-8")
    target = recognise(str(folder), "nemo_gym")
    driven = DriverSession(target, target_venv(target, silent), 30.0)
    with driven.serving() as server:
        assert_judged(play(target, *(f"Answer: Town{n}" for n in (0, 2, 2)), url=server.url))
