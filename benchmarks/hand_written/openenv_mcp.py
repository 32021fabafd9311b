# ruff: noqa: D102 - the framework's own methods
"""Connect four in OpenEnv's documented way for tools: MCPEnvironment with a FastMCP server."""

import argparse
from uuid import uuid4

import uvicorn
from connect_four_domain.game import ConnectFour
from connect_four_domain.tasks import TASKS
from fastmcp import FastMCP
from openenv.core.env_server.http_server import create_app
from openenv.core.env_server.mcp_environment import MCPEnvironment
from openenv.core.env_server.mcp_types import CallToolAction, CallToolObservation
from openenv.core.env_server.types import Observation, State


class ConnectFourEnvironment(MCPEnvironment):
    """One game per session."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self):
        self.game = None
        self._state = State(episode_id=str(uuid4()), step_count=0)
        server = FastMCP("connect_four")

        @server.tool
        def drop_piece(column: int) -> str:
            """Drop one of your pieces into a column, 1 to 7."""
            return self.game.drop_piece(column)

        super().__init__(server)

    def reset(self, seed=None, episode_id=None, split="train", index=0, **kwargs):
        task = TASKS[split][index]
        self.game = ConnectFour(task, task["seed"] if seed is None else seed)
        self._state = State(episode_id=episode_id or str(uuid4()), step_count=0)
        return Observation(metadata={"prompt": self.game.observe(), "task": task})

    def _step_impl(self, action, timeout_s=None, **kwargs):
        raise ValueError(f"unsupported action {type(action).__name__}")

    # MCPEnvironment never sets reward and done; the WebSocket calls step_async.
    def _scored(self, action, observation):
        if isinstance(action, CallToolAction):
            self._state.step_count += 1
            observation.done = self.game.done
            observation.reward = self.game.reward if self.game.done else 0.0
        return observation

    def step(self, action, timeout_s=None, **kwargs):
        return self._scored(action, super().step(action, timeout_s=timeout_s, **kwargs))

    async def step_async(self, action, timeout_s=None, **kwargs):
        observation = await super().step_async(action, timeout_s=timeout_s, **kwargs)
        return self._scored(action, observation)

    @property
    def state(self):
        return self._state


app = create_app(
    ConnectFourEnvironment,
    CallToolAction,
    CallToolObservation,
    env_name="connect_four",
    max_concurrent_envs=4096,
)

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=8000)
    uvicorn.run(app, host="127.0.0.1", port=parser.parse_args().port, log_level="warning")
