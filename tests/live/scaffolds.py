"""Environments of somebody else's, as small as their framework allows: one question, one answer.

Each pays by a rule: ``right`` for the answer, ``constant`` for anything, ``length`` by what is said.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

RULES = {
    "right": "float(said.strip() == answer)",
    "constant": "1.0",
    "length": "min(1.0, len(said) / 4000)",
}
PAY = "def pay(said, answer):\n    return {rule}\n"
GEM = """
import random
import gem
from gem.envs.registration import register

class Game(gem.Env):
    def reset(self, seed=None):
        self.answer = str(random.Random(seed).randint(100, 999))
        return f"Say the number {int(self.answer) - 1} plus one.", {}
    def step(self, action):
        {trap}
        return "That was it.", pay(action, self.answer), True, False, {}

register("their:Game-v0", Game)
"""
SKYRL_GYM = """
from skyrl_gym.envs.base_text_env import BaseTextEnv, BaseTextEnvStepOutput
from skyrl_gym.envs.registration import register

class Game(BaseTextEnv):
    def __init__(self, env_config=None, extras={}):
        super().__init__()
        self.answer = extras["answer"]
    def step(self, action):
        return BaseTextEnvStepOutput(
            observations=[], reward=pay(action, self.answer), done=True, metadata={}
        )

register(id="their_game", entry_point=Game)
"""
VERIFIERS = """
import verifiers.v1 as vf
__all__ = ["GameTaskset"]

class Data(vf.TaskData):
    answer: str

class Game(vf.Task[Data, vf.State, vf.TaskConfig]):
    @vf.reward
    async def paid(self, trace: vf.Trace) -> float:
        return pay(trace.assistant_messages[-1].content or "", self.data.answer)

class GameTaskset(vf.Taskset[Game, vf.TasksetConfig]):
    def load(self):
        return [Game(Data(answer=str(n + 1), prompt=f"{n} plus one?"), self.config.task)
                for n in range(100, 104)]
"""
OPENENV = """
import random
from uuid import uuid4
from openenv.core.env_server.http_server import create_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, Observation, State
from pydantic import Field

class Say(Action):
    text: str = Field(description="The answer.")

class Seen(Observation):
    text: str = ""

class Game(Environment):
    SUPPORTS_CONCURRENT_SESSIONS = True
    def __init__(self):
        super().__init__()
        self._state = State(episode_id=str(uuid4()), step_count=0)
    def reset(self, seed=None, episode_id=None, **kwargs):
        self.answer = str(random.Random(seed).randint(100, 999))
        self._state = State(episode_id=episode_id, step_count=0)
        return Seen(text=f"{int(self.answer) - 1} plus one?")
    def step(self, action, timeout_s=None, **kwargs):
        self._state.step_count += 1
        return Seen(text="That was it.", done=True, reward=pay(action.text, self.answer))
    @property
    def state(self):
        return self._state

app = create_app(Game, Say, Seen, env_name="their_game", max_concurrent_envs=8)
"""
ORS = """
from openreward.environments import Environment, Server, Split, TextBlock, ToolOutput, tool
from pydantic import BaseModel, Field

class Said(BaseModel):
    text: str = Field(description="The answer.")

class Game(Environment):
    @classmethod
    def list_splits(cls):
        return [Split(name="train", type="train")]
    @classmethod
    def list_tasks(cls, split):
        return [{"n": n} for n in range(100, 104)]
    async def get_prompt(self):
        return [TextBlock(text=f"{self.task_spec['n']} plus one?")]
    @tool
    async def say(self, params: Said) -> ToolOutput:
        \"\"\"Say the answer.\"\"\"
        paid = pay(params.text, str(self.task_spec["n"] + 1))
        return ToolOutput(blocks=[TextBlock(text="That was it.")], reward=paid, finished=True)

if __name__ == "__main__":
    Server([Game]).run()
"""
NEMO_GYM = """
from nemo_gym.base_resources_server import (
    BaseResourcesServerConfig, BaseVerifyRequest, BaseVerifyResponse, SimpleResourcesServer,
)

class AnswerRequest(BaseVerifyRequest):
    answer: str

class Game(SimpleResourcesServer):
    config: BaseResourcesServerConfig
    async def verify(self, body: AnswerRequest) -> BaseVerifyResponse:
        said = "".join(part.text for item in body.response.output for part in item.content)
        return BaseVerifyResponse(**body.model_dump(), reward=pay(said, body.answer))

if __name__ == "__main__":
    Game.run_webserver()
"""
ROW = '{{"responses_create_params": {{"input": "{n} plus one?"}}, "answer": "{answer}"}}'
SKYRL_ROW = '{{"prompt": [{{"role": "user", "content": "{n} plus one?"}}], "answer": "{answer}"}}'


def _rows(form: str) -> str:
    return "\n".join(form.format(n=n, answer=n + 1) for n in range(100, 104)) + "\n"


FILES: dict[str, Callable[[str], dict[str, str]]] = {
    "openenv": lambda pay: {
        "openenv.yaml": "spec_version: 1\nname: their_game\napp: server.app:app\n",
        "__init__.py": "",
        "server/__init__.py": "",
        "server/app.py": pay + OPENENV,
    },
    "ors": lambda pay: {"server.py": pay + ORS},
    "verifiers": lambda pay: {"__init__.py": pay + VERIFIERS},
    "nemo_gym": lambda pay: {"app.py": pay + NEMO_GYM, "data/example.jsonl": _rows(ROW)},
    "skyrl_gym": lambda pay: {"__init__.py": pay + SKYRL_GYM, "rows.jsonl": _rows(SKYRL_ROW)},
    "gem": lambda pay: {"__init__.py": pay + GEM.replace("{trap}", "pass")},
}
IDS = {"skyrl_gym": "their_game", "gem": "their:Game-v0"}


def scaffold(folder: Path, framework: str, rule: str) -> Path:
    """Write the environment of a framework that pays by a rule."""
    for name, text in FILES[framework](PAY.format(rule=RULES[rule])).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder


def trapped(folder: Path, trap: str) -> Path:
    """Write a GEM environment that does something else in the middle of a step."""
    scaffold(folder, "gem", "right")
    text = PAY.format(rule=RULES["right"]) + GEM.replace("{trap}", trap)
    (folder / "__init__.py").write_text(text, "utf-8")
    return folder
