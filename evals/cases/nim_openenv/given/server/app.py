"""Nim for OpenEnv. The player who takes the last stone wins."""

from openenv.core.env_server.http_server import create_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.mcp_types import (
    CallToolAction,
    CallToolObservation,
    ListToolsAction,
    ListToolsObservation,
    Tool,
)
from openenv.core.env_server.types import Observation, State

PILES = {
    "train": [5, 6, 7, 9, 10, 11, 13, 14, 15, 17, 18, 19],
    "test": [21, 22, 23, 25],
}
SCHEMA = {"type": "object", "properties": {"count": {"type": "integer"}}, "required": ["count"]}


class NimEnvironment(Environment):
    SUPPORTS_CONCURRENT_SESSIONS = True

    def reset(self, seed=None, episode_id=None, split="train", index=0, **kwargs):
        self.left, self.over = PILES[split][index], False
        text = f"Take 1 to 3 stones in turn; the last one wins.\nSTONES: {self.left}"
        return Observation(done=False, reward=0.0, metadata={"prompt": text})

    def step(self, action, timeout_s=None, **kwargs):
        if isinstance(action, ListToolsAction):
            tool = Tool(name="take", description="Take stones.", input_schema=SCHEMA)
            return ListToolsObservation(tools=[tool])
        count = action.arguments.get("count")
        if self.over or not isinstance(count, int) or not 1 <= count <= min(3, self.left):
            return self.told("You cannot take so many.", 0.0)
        self.left -= count
        reward = 0.0 if self.left else 1.0
        if self.left:
            self.left -= self.left % 4 or 1  # the computer leaves a multiple of four if it can
        self.over = not self.left
        return self.told(f"STONES: {self.left}", reward)

    def told(self, text, reward):
        result = {"content": [{"type": "text", "text": text}], "data": text}
        return CallToolObservation(tool_name="take", result=result, done=self.over, reward=reward)

    @property
    def state(self):
        return State()


app = create_app(NimEnvironment, CallToolAction, CallToolObservation, env_name="nim_env")
