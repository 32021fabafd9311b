"""A ledger for OpenEnv, written by hand."""

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

NAME = {"type": "string", "enum": list("ABCD")}
PARAMETERS = {
    "balance": {"account": NAME},
    "transfer": {"source": NAME, "target": NAME, "amount": {"type": "integer", "minimum": 1}},
    "settle": {},
}


class LedgerEnvironment(Environment):
    SUPPORTS_CONCURRENT_SESSIONS = True

    def reset(self, seed=None, episode_id=None, split="train", index=0, **kwargs):
        n = index + (50 if split == "test" else 0)
        first = [20 + n, 30 + 3 * n, 41 + n, 70]
        first[3] += -sum(first) % 4
        self.money, self.over = dict(zip("ABCD", first)), False
        text = "Give A, B, C and D the same, then settle."
        return Observation(done=False, reward=0.0, metadata={"prompt": text})

    def step(self, action, timeout_s=None, **kwargs):
        if isinstance(action, ListToolsAction):
            return ListToolsObservation(tools=[self.tool(name) for name in PARAMETERS])
        name, given = action.tool_name, action.arguments
        if self.over:
            return self.told("It is over.", 0.0)
        if name == "settle":
            self.over = True
            return self.told("Settled.", float(len(set(self.money.values())) == 1))
        if name == "balance":
            return self.told(f"BALANCE: {self.money[given['account']]}", 0.0)
        if given["amount"] > self.money[given["source"]]:
            return self.told("There is not so much.", 0.0)
        self.money[given["source"]] -= given["amount"]
        self.money[given["target"]] += given["amount"]
        return self.told("Moved.", 0.0)

    def tool(self, name):
        schema = {"type": "object", "properties": PARAMETERS[name]}
        return Tool(name=name, description=name, input_schema=schema)

    def told(self, text, reward):
        result = {"content": [{"type": "text", "text": text}], "data": text}
        return CallToolObservation(tool_name="", result=result, done=self.over, reward=reward)

    @property
    def state(self):
        return State()


app = create_app(
    LedgerEnvironment, CallToolAction, CallToolObservation, env_name="ledger", max_concurrent_envs=9
)
