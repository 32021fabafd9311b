# ruff: noqa: D102 - the framework's own methods
"""Connect four as somebody writes it by hand for OpenEnv: a plain Environment over game.py.

The leanest way there is: tool actions are answered without FastMCP and arguments are checked with
an `if`. Served as `openenv init` serves, with uvicorn's defaults; `--tuned` serves it as ours is.
"""

import argparse
from uuid import uuid4

import uvicorn
from connect_four_domain.game import ConnectFour, InvalidAction
from connect_four_domain.tasks import TASKS
from openenv.core.env_server.http_server import create_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.mcp_types import (
    CallToolAction,
    CallToolObservation,
    ListToolsAction,
    ListToolsObservation,
    Tool,
    ToolError,
    ToolErrorType,
)
from openenv.core.env_server.types import Observation, State

TOOLS = [
    Tool(
        name="drop_piece",
        description="Drop one of your pieces into a column.",
        input_schema={
            "type": "object",
            "properties": {"column": {"type": "integer", "minimum": 1, "maximum": 7}},
            "required": ["column"],
            "additionalProperties": False,
        },
    )
]


class ConnectFourEnvironment(Environment):
    """One game per session."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self):
        super().__init__()
        self.game = None
        self._state = State(episode_id=str(uuid4()), step_count=0)

    def reset(self, seed=None, episode_id=None, split="train", index=0, **kwargs):
        task = TASKS[split][index]
        self.game = ConnectFour(task, task["seed"] if seed is None else seed)
        self._state = State(episode_id=episode_id or str(uuid4()), step_count=0)
        return Observation(metadata={"prompt": self.game.observe(), "task": task})

    def step(self, action, timeout_s=None, **kwargs):
        if isinstance(action, ListToolsAction):
            return ListToolsObservation(tools=TOOLS)
        self._state.step_count += 1
        arguments = action.arguments
        if action.tool_name != "drop_piece":
            return self._error(action, ToolErrorType.TOOL_NOT_FOUND, "no such tool")
        column = arguments.get("column")
        if type(column) is not int or set(arguments) != {"column"}:
            return self._error(action, ToolErrorType.INVALID_ARGS, "column must be an integer")
        try:
            text = self.game.drop_piece(column)
        except InvalidAction as error:
            return self._error(action, ToolErrorType.EXECUTION_ERROR, str(error))
        return CallToolObservation(
            tool_name="drop_piece",
            result={"content": [{"type": "text", "text": text}], "data": text},
            done=self.game.done,
            reward=self.game.reward if self.game.done else 0.0,
        )

    def _error(self, action, kind, message):
        error = ToolError(error_type=kind, message=message)
        return CallToolObservation(
            tool_name=action.tool_name, error=error, done=self.game.done, reward=0.0
        )

    @property
    def state(self):
        return self._state


class InlineEnvironment(ConnectFourEnvironment):
    """The same, played on the event loop instead of in a thread per session."""

    async def reset_async(self, seed=None, episode_id=None, **kwargs):
        return self.reset(seed, episode_id, **kwargs)

    async def step_async(self, action, timeout_s=None, **kwargs):
        return self.step(action)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--tuned", action="store_true", help="no threads, no compression")
    parser.add_argument("--port", type=int, default=8000)
    args = parser.parse_args()
    app = create_app(
        InlineEnvironment if args.tuned else ConnectFourEnvironment,
        CallToolAction,
        CallToolObservation,
        env_name="connect_four",
        max_concurrent_envs=4096,
    )
    options = {"ws_per_message_deflate": False} if args.tuned else {}
    uvicorn.run(app, host="127.0.0.1", port=args.port, log_level="warning", **options)
