# Rendered from env.yaml; `skill-tools render` overwrites it.
"""Wordle as an OpenEnv environment, and the server of it: one WebSocket on /ws is one session.

Start it with `uv run server`; ENABLE_WEB_INTERFACE=true adds a page for people at /web.
"""

import os
from collections.abc import Sequence
from typing import Any
from uuid import uuid4

from openenv.core.env_server import mcp_types as mcp
from openenv.core.env_server.http_server import create_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import EnvironmentMetadata, State
from wordle_domain._shared import env_spec, task_table
from wordle_domain._shared.episode import Step
from wordle_domain._shared.servers import asgi_server
from wordle_domain._shared.servers.served import ServedEpisode as Episode

END_EPISODE, ORCHESTRATOR = "end_episode", "orchestrator"
"""The action that ends an episode, and the mark in its metadata: a trainer's, never a model's."""
ERROR_TYPES = {
    "unknown_tool": mcp.ToolErrorType.TOOL_NOT_FOUND,
    "invalid_arguments": mcp.ToolErrorType.INVALID_ARGS,
}


class WordleEnvironment(Environment[mcp.CallToolAction, mcp.CallToolObservation, State]):
    """One session; `reset` opens an episode in it, and closes the one before.

    A plain `Environment`: `MCPEnvironment` sets neither reward nor done, and a call costs it 3 ms.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True
    REQUIRES_SINGLE_THREAD_EXECUTOR = True  # for all that is not played: no thread per session

    def __init__(self) -> None:
        """Set up nothing: the server also makes throw-away instances to read metadata."""
        super().__init__()
        self._episode: Episode | None = None
        self._episode_id: str | None = None

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        split: str | None = None,
        index: int | None = None,
        task: dict[str, Any] | None = None,
        max_turns: int | None = None,
        **kwargs: Any,
    ) -> mcp.CallToolObservation:
        """Open an episode on a task of a split (by default the first), or on a task given whole.

        A seed alone chooses the task, number `seed % num_tasks(split)`; beside index or task it is the
        world's, which is the task's own by default.
        What the model is told first is in `result["prompt"]`, as chat messages. Raises ValueError or
        LookupError for arguments that name no task, EpisodeFailed when the world cannot be set up.
        """
        problem = task_table.problem(split, index, task, seed, max_turns, **kwargs)
        self.close()
        self._episode = opened = Episode(*problem)
        self._episode_id = episode_id or str(uuid4())
        content, text = _contents(opened.first_observation)
        task = task_table.public(opened.task)
        limits = {"seed": opened.seed, "max_turns": opened.max_turns}
        result = {"content": content, "data": text, "prompt": opened.prompt, "task": task, **limits}
        return mcp.CallToolObservation(tool_name="reset", result=result, reward=0.0)

    def step(
        self, action: Any, timeout_s: float | None = None, **kwargs: Any
    ) -> mcp.CallToolObservation | mcp.ListToolsObservation:
        """List the tools, or play one tool call. Raises when the environment itself breaks."""
        if action.type == "list_tools":
            tools = self._episode.tools if self._episode else env_spec.TOOLS
            return mcp.ListToolsObservation(tools=[_tool(tool) for tool in tools])
        if self._episode is None:
            # The HTTP routes /reset and /step use a new environment for every request, and a client that
            # lost its connection opens another one without a word.
            raise RuntimeError(
                "no episode is open on this /ws connection: call reset first; after a reset, the "
                "connection was lost, and its episode with it"
            )
        name = action.tool_name
        if name == END_EPISODE and action.metadata.get(ORCHESTRATOR) is True:
            step = Step([], self._episode.end(), True)
        else:
            step = self._episode.call(name, action.arguments)
        return _observation(name, step, self._episode.truncated)

    # The server prefers these two. Tools only compute: a thread for each session would cost more.

    async def reset_async(self, *arguments: Any, **named: Any) -> mcp.CallToolObservation:
        """Reset without leaving the event loop."""
        return self.reset(*arguments, **named)

    async def step_async(self, action: Any, *arguments: Any, **named: Any) -> Any:
        """Step without leaving the event loop."""
        return self.step(action)

    def close(self) -> None:
        """Free what the episode holds; the server calls it however the session ends."""
        played, self._episode = self._episode, None
        if played is not None:
            played.close()

    @property
    def state(self) -> State:
        """Where the episode stands, for the trainer; without the task's hidden fields."""
        played = self._episode
        if played is None:
            return State(env_name=env_spec.NAME)
        return State(
            episode_id=self._episode_id,
            step_count=played.turns,
            env_name=env_spec.NAME,
            task=task_table.public(played.task),
            seed=played.seed,
            max_turns=played.max_turns,
            done=played.over,
            truncated=played.truncated,
            total_reward=played.total,
        )

    def get_metadata(self) -> EnvironmentMetadata:
        """What the server tells about the environment at /metadata."""
        told = {"description": env_spec.DESCRIPTION, "version": env_spec.VERSION}
        return EnvironmentMetadata(name=env_spec.NAME, **told)

    def list_splits(self) -> list[str]:
        """Names of the splits; this and the next four are OpenEnv's task routes."""
        return task_table.splits()

    def list_tasks(self, split: str) -> list[dict[str, Any]]:
        """All tasks of a split, without hidden fields. Raises IndexError, which is answered with 400."""
        return self.get_task_range(split)

    def num_tasks(self, split: str) -> int:
        """How many tasks a split has."""
        return len(_tasks(split))

    def get_task(self, split: str, index: int) -> dict[str, Any]:
        """One task, without hidden fields."""
        return task_table.public(_tasks(split)[index])

    def get_task_range(
        self, split: str, start: int | None = None, stop: int | None = None
    ) -> list[dict[str, Any]]:
        """The tasks from start to before stop, without hidden fields."""
        return [task_table.public(task) for task in _tasks(split)[start:stop]]


def _tasks(split: str) -> Sequence[dict[str, Any]]:
    if split not in task_table.splits():
        raise IndexError(f"there is no split {split!r}")
    return task_table.tasks(split)


def _observation(tool: str, step: Step, truncated: bool) -> mcp.CallToolObservation:
    """A step in the shape of an MCP tool result, which MCPToolClient.call_tool() unwraps."""
    content, text = _contents(step.observation)
    result = {"content": content, "data": text, "error": step.error, "truncated": truncated}
    error = None
    if step.error:
        kind = ERROR_TYPES.get(step.error, mcp.ToolErrorType.EXECUTION_ERROR)
        error = mcp.ToolError(error_type=kind, message=text or step.error)
    return mcp.CallToolObservation(
        tool_name=tool, result=result, error=error, reward=step.reward, done=step.done
    )


def _tool(tool: dict[str, Any]) -> mcp.Tool:
    about = {"name": tool["name"], "description": tool["description"]}
    return mcp.Tool(**about, input_schema=tool["parameters"])


def _contents(blocks: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], str | None]:
    """Blocks as MCP has them, and their text alone."""
    texts = [block["text"] for block in blocks if block["type"] == "text"]
    content = [
        {"type": "image", "data": block["data"], "mimeType": block["media_type"]}
        if block["type"] == "image"
        else block
        for block in blocks
    ]
    return content, "\n".join(texts) if texts else None


app = create_app(
    WordleEnvironment,
    mcp.CallToolAction,
    mcp.CallToolObservation,
    env_name=env_spec.NAME,
    # One by default, which starves a trainer that samples in groups.
    max_concurrent_envs=int(os.environ.get("MAX_CONCURRENT_ENVS", "4096")),
)


def main() -> None:
    """Serve until stopped."""
    asgi_server.run(app, 8000, opens="/ws")


if __name__ == "__main__":
    main()
