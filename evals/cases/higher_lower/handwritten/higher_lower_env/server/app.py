"""Higher or lower, written with OpenEnv alone."""

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

SECRETS = {"train": [(i * 37) % 100 + 1 for i in range(20)], "test": [99, 5, 51, 77, 20]}
NUMBER = {"type": "integer", "minimum": 1, "maximum": 100}
SCHEMA = {"type": "object", "properties": {"number": NUMBER}, "required": ["number"]}


class HigherLowerEnvironment(Environment):
    SUPPORTS_CONCURRENT_SESSIONS = True

    def reset(self, seed=None, episode_id=None, split="train", index=0, **kwargs):
        self.secret, self.left, self.over = SECRETS[split][index], 7, False
        text = "Find the number from 1 to 100. You have seven guesses; call guess."
        return Observation(done=False, reward=0.0, metadata={"prompt": text})

    def step(self, action, timeout_s=None, **kwargs):
        if isinstance(action, ListToolsAction):
            tool = Tool(name="guess", description="Guess the number.", input_schema=SCHEMA)
            return ListToolsObservation(tools=[tool])
        number = action.arguments.get("number")
        if self.over or not isinstance(number, int) or not 1 <= number <= 100:
            text = "Over." if self.over else "Use a whole number from 1 to 100."
            return self.told(text, 0.0)
        self.left -= 1
        if number == self.secret:
            self.over = True
            return self.told("RESULT: correct", 1.0)
        self.over = self.left == 0
        return self.told("RESULT: higher" if self.secret > number else "RESULT: lower", 0.0)

    def told(self, text, reward):
        result = {"content": [{"type": "text", "text": text}], "data": text}
        return CallToolObservation(tool_name="guess", result=result, done=self.over, reward=reward)

    def list_splits(self):
        return list(SECRETS)

    def list_tasks(self, split):
        return [{"index": index} for index in range(len(SECRETS[split]))]

    def num_tasks(self, split):
        return len(SECRETS[split])

    def get_task(self, split, index):
        return {"index": index}

    def get_task_range(self, split, start=None, stop=None):
        return self.list_tasks(split)[start:stop]

    @property
    def state(self):
        return State()


app = create_app(
    HigherLowerEnvironment,
    CallToolAction,
    CallToolObservation,
    env_name="higher_lower_env",
    max_concurrent_envs=64,
)
