"""Jupyter agent as an OpenEnv environment.

Rendered from env.yaml; `skill-tools render` overwrites it. A plain `Environment` that answers
OpenEnv's tool actions itself: models discover the tools, every step carries reward and done, and
no call pays for a round trip through an MCP server.
"""

from functools import partial
from typing import Any
from uuid import uuid4

from fastapi import HTTPException
from jupyter_domain._shared import env_spec, task_table
from jupyter_domain._shared.episode import Episode, Step
from jupyter_domain._shared.threads import EpisodeThread
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
from openenv.core.env_server.types import EnvironmentMetadata, State

END_EPISODE = "end_episode"
ORCHESTRATOR = "orchestrator"
"""Mark in an action's metadata with which a trainer, never a model, sends END_EPISODE."""

TOOLS = ListToolsObservation(
    tools=[
        Tool(name=tool["name"], description=tool["description"], input_schema=tool["parameters"])
        for tool in env_spec.TOOLS
    ]
)
ERROR_TYPES = {
    "unknown_tool": ToolErrorType.TOOL_NOT_FOUND,
    "invalid_arguments": ToolErrorType.INVALID_ARGS,
    "invalid_action": ToolErrorType.EXECUTION_ERROR,
    "episode_over": ToolErrorType.EXECUTION_ERROR,
}


class Refused(HTTPException):
    """A request that makes no sense; clients of both WebSocket and HTTP read why."""

    def __str__(self) -> str:
        return self.detail


class JupyterEnvironment(Environment[CallToolAction, CallToolObservation, State]):
    """One session; `reset` opens an episode in it, and closes the one before."""

    SUPPORTS_CONCURRENT_SESSIONS = True
    REQUIRES_SINGLE_THREAD_EXECUTOR = True  # for all that is not played: no thread per session

    def __init__(self) -> None:
        """Set up nothing: the server also makes throw-away instances to read metadata."""
        super().__init__()
        self._episode: Episode | None = None
        self._episode_id: str | None = None
        self._thread: EpisodeThread | None = None

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        split: str | None = None,
        index: int | None = None,
        task: dict[str, Any] | None = None,
        max_turns: int | None = None,
        **kwargs: Any,
    ) -> CallToolObservation:
        """Open an episode on a task of a split, or on a task given whole.

        Without arguments: the first task of the first split, with its own seed. What the model is
        told first is in `result["prompt"]`, as chat messages. Raises Refused for arguments that
        name no task, EpisodeFailed when the world cannot be set up.
        """
        chosen = _choose(split, index, task)
        _check_numbers(seed=seed, max_turns=max_turns)
        self._episode = self._own_thread().hold(Episode, chosen, seed, max_turns)
        self._episode_id = episode_id or str(uuid4())
        return CallToolObservation(tool_name="reset", result=_opening(self._episode), reward=0.0)

    def step(
        self, action: Any, timeout_s: float | None = None, **kwargs: Any
    ) -> CallToolObservation | ListToolsObservation:
        """List the tools, or play one tool call. Raises when the environment itself breaks."""
        if isinstance(action, ListToolsAction):
            return TOOLS
        played = self._episode
        if played is None:
            raise Refused(
                409,
                "no episode is open: call reset first, in the same session (one connection to /ws;"
                " the HTTP routes /reset and /step do not share one)",
            )
        name = action.tool_name
        if name == END_EPISODE and action.metadata.get(ORCHESTRATOR) is True:
            step = Step([], played.end(), True)
        else:
            step = played.call(name, action.arguments)
        return _observation(name, step, played.truncated)

    # The server prefers these two. Its own threads are no choice: a call that the server stops
    # waiting for would keep the process, and closing would be dropped with it.

    async def reset_async(
        self, seed: int | None = None, episode_id: str | None = None, **kwargs: Any
    ) -> CallToolObservation:
        """Reset in the session's thread."""
        return await self._own_thread().run(partial(self.reset, seed, episode_id, **kwargs))

    async def step_async(
        self, action: Any, timeout_s: float | None = None, **kwargs: Any
    ) -> CallToolObservation | ListToolsObservation:
        """Play in the session's thread; what plays nothing is answered here."""
        if self._thread is None or isinstance(action, ListToolsAction):
            return self.step(action)
        return await self._thread.run(self.step, action)

    def _own_thread(self) -> EpisodeThread:
        if self._thread is None:
            self._thread = EpisodeThread()
        return self._thread

    def close(self) -> None:
        """Free what the episode holds, after the call that it is in; does not wait for that.

        The server calls it however the session ends, in the event loop too.
        """
        self._episode = None
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.close_soon()

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
        return EnvironmentMetadata(
            name=env_spec.NAME,
            description="The agent writes and runs Python in a Jupyter notebook until it can answer a question about data files.",
            version="0.1.0",
        )

    def list_splits(self) -> list[str]:
        """Names of the splits; this and the next four are OpenEnv's task routes."""
        return task_table.splits()

    def list_tasks(self, split: str) -> list[dict[str, Any]]:
        """All tasks of a split, without hidden fields."""
        return [task_table.public(task) for task in _tasks(split)]

    def num_tasks(self, split: str) -> int:
        """How many tasks a split has."""
        return len(_tasks(split))

    def get_task(self, split: str, index: int) -> dict[str, Any]:
        """One task, without hidden fields. Raises IndexError."""
        _tasks(split)
        return task_table.public(task_table.task(split, index))

    def get_task_range(
        self, split: str, start: int | None = None, stop: int | None = None
    ) -> list[dict[str, Any]]:
        """The tasks from start to before stop, without hidden fields."""
        return [task_table.public(task) for task in list(_tasks(split))[start:stop]]


def _choose(split: str | None, index: int | None, task: Any) -> dict[str, Any]:
    if task is not None:
        if not isinstance(task, dict):
            raise Refused(422, f"task is {task!r}; it must be an object")
        return task
    _check_numbers(index=index)
    try:
        return task_table.task(task_table.splits()[0] if split is None else split, index or 0)
    except LookupError as error:
        raise Refused(404, error.args[0]) from error


def _check_numbers(**numbers: Any) -> None:
    for name, value in numbers.items():
        if value is not None and (type(value) is not int or (name == "max_turns" and value < 1)):
            least = " of at least 1" if name == "max_turns" else ""
            raise Refused(422, f"{name} is {value!r}; it must be a whole number{least}")


def _tasks(split: str) -> Any:
    try:
        return task_table.tasks(split)
    except LookupError as error:
        raise Refused(404, error.args[0]) from error


def _opening(opened: Episode) -> dict[str, Any]:
    # All in `result`: openenv-core 0.3 drops an observation's metadata on the way to the client.
    return {
        "content": [{"type": "text", "text": opened.first_observation}],
        "data": opened.first_observation,
        "prompt": opened.prompt,
        "task": task_table.public(opened.task),
        "seed": opened.seed,
        "max_turns": opened.max_turns,
    }


def _observation(tool: str, step: Step, truncated: bool) -> CallToolObservation:
    """A step in the shape of an MCP tool result, which MCPToolClient.call_tool() unwraps."""
    texts = [block["text"] for block in step.observation if block["type"] == "text"]
    text = "\n".join(texts) if texts else None
    result = {
        "content": [_content(block) for block in step.observation],
        "data": text,
        "error": step.error,
        "truncated": truncated,
    }
    error = None
    if step.error:
        error = ToolError(error_type=ERROR_TYPES[step.error], message=text or step.error)
    return CallToolObservation(
        tool_name=tool, result=result, error=error, reward=step.reward, done=step.done
    )


def _content(block: dict[str, Any]) -> dict[str, Any]:
    if block["type"] == "text":
        return block
    return {"type": "image", "data": block["data"], "mimeType": block["media_type"]}
