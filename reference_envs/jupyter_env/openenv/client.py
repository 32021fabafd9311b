"""Client of Jupyter agent on OpenEnv; needs nothing of the server's code.

Rendered from env.yaml; `skill-tools render` overwrites it.

    async with JupyterEnv(base_url="http://127.0.0.1:8000") as env:
        opening = await env.reset(split="train", index=0)
        tools = await env.list_tools()
        result = await env.call_tool(tools[0].name, {...})
        result.observation.result["data"], result.reward, result.done

In synchronous code: `with JupyterEnv(base_url=...).sync() as env:`, the same without await.
"""

from typing import Any

from openenv.core import EnvClient
from openenv.core.client_types import StepResult
from openenv.core.env_server.mcp_types import (
    CallToolAction,
    CallToolObservation,
    ListToolsAction,
    ListToolsObservation,
    Tool,
)
from openenv.core.env_server.types import Action, Observation, State


class JupyterEnv(EnvClient[Action, Observation, State]):
    """One connection is one session; `reset` opens an episode in it.

    reset(split=, index=, task=, seed=, max_turns=, episode_id=): its observation's `result` holds
        `prompt` (chat messages), `data` (first observation), `task`, `seed` and `max_turns`.
    state(): episode_id, step_count, env_name, done, truncated, total_reward and the task.
    """

    async def list_tools(self) -> list[Tool]:
        """The tools to show the model, with JSON Schemas of their arguments."""
        result = await self.step(ListToolsAction())
        return result.observation.tools

    async def call_tool(
        self, name: str, arguments: dict[str, Any]
    ) -> StepResult[CallToolObservation]:
        """Play one tool call of the model's; a bad one is answered, not raised.

        The observation's `result` holds `content` (MCP text and image blocks), `data` (the text),
        `error` (None, unknown_tool, invalid_arguments, invalid_action or episode_over) and
        `truncated` (the turn limit ended the episode). Raises RuntimeError when the environment
        itself breaks.
        """
        return await self.step(CallToolAction(tool_name=name, arguments=arguments))

    async def end_episode(self) -> float:
        """End the episode because the model stopped; returns the reward that this still pays.

        For the trainer. The mark in the metadata is what a model's tool call cannot carry.
        """
        action = CallToolAction(tool_name="end_episode", metadata={"orchestrator": True})
        result = await self.step(action)
        return result.reward

    def _step_payload(self, action: Action) -> dict[str, Any]:
        return action.model_dump()

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[Observation]:
        fields = payload["observation"]
        kind = ListToolsObservation if "tools" in fields else CallToolObservation
        reward, done = payload["reward"], payload["done"]
        observation = kind(**fields, reward=reward, done=done)
        return StepResult(observation=observation, reward=reward, done=done)

    def _parse_state(self, payload: dict[str, Any]) -> State:
        return State(**payload)
