"""Serve Jupyter agent as an ORS environment, with OpenReward's server.

Rendered from env.yaml; `skill-tools render` overwrites it. Start it with `uv run server.py`. One
session is one instance of the environment and one episode.
"""

import argparse
import logging
import os
import secrets
import socket
import sys
from typing import Any

# Read when the framework is imported: no log line per call, no question to the package index.
os.environ.setdefault("OPENREWARD_LOG_LEVEL", "WARNING")
os.environ.setdefault("OPENREWARD_DISABLE_UPDATE_CHECK", "1")

from fastapi import HTTPException
from jupyter_domain._shared import env_spec, task_table
from jupyter_domain._shared.episode import Episode, EpisodeFailed, Step
from jupyter_domain._shared.threads import EpisodeThread, close_at_shutdown
from openreward.environments import (
    Environment,
    ImageBlock,
    JSONObject,
    ListToolsOutput,
    Message,
    RunToolOutput,
    RunToolSuccess,
    Server,
    TerminalToolSpec,
    TextBlock,
    ToolOutput,
    ToolSpec,
)
from openreward.environments.reconnect import CHUNK_SIZE

TOOLS = [
    ToolSpec(name=tool["name"], description=tool["description"], input_schema=tool["parameters"])
    for tool in env_spec.TOOLS
]
THE_END = TerminalToolSpec(
    # On the wire this is a tool like any other. Models are not shown it, and cannot guess it.
    name=f"end_episode_{secrets.token_hex(8)}",
    description="How a harness says that the agent stopped; pays what is still due.",
)
CONTROLS = frozenset({"split", "index", "task", "max_turns"})
"""Keys of a task spec that say what to play; task fields of these names are not listed."""

logger = logging.getLogger(__name__)


class JupyterEnvironment(Environment):
    """One session: an episode on the task that the task spec asks for."""

    def __init__(
        self, task_spec: JSONObject | None = None, secrets: dict[str, str] | None = None
    ) -> None:
        """Read the task spec; `setup` opens the episode. Refuses a spec that names no task."""
        super().__init__(task_spec or {}, secrets or {})
        self._wanted = _read_spec(dict(self.task_spec))
        self._episode: Episode | None = None
        # asyncio's own threads are a few for all sessions; here each waits only for its own world.
        self._thread: EpisodeThread | None = None

    @classmethod
    def name(cls) -> str:
        """Name of the environment in URLs and to clients."""
        return env_spec.NAME

    @classmethod
    def list_splits(cls) -> list[str]:
        """Names of the splits; one that is not train or test counts as validation."""
        return task_table.splits()

    @classmethod
    def list_tasks(cls, split: str) -> list[JSONObject]:
        """The task specs of a split: where each task is, and its fields that are not hidden."""
        return [_listed(split, index, task) for index, task in enumerate(task_table.tasks(split))]

    @classmethod
    async def num_tasks(cls, split: str) -> int:
        """How many tasks a split has."""
        return len(task_table.tasks(split))

    @classmethod
    async def get_task(cls, split: str, index: int) -> JSONObject:
        """One task spec. Raises IndexError."""
        return _listed(split, index, task_table.task(split, index))

    @classmethod
    def list_tools(cls) -> ListToolsOutput:
        """The tools with the schemas of the env spec, word for word and in its order."""
        update = {"tools": TOOLS, "terminal_tool": THE_END}
        return super().list_tools().model_copy(update=update)

    async def setup(self) -> None:
        """Open the episode; a world that fails here fails the first request of the session."""
        self._thread = EpisodeThread()
        await self._thread.run(self._open)

    async def teardown(self) -> None:
        """Free what the episode holds; called however the session ends, also amid a call."""
        if self._thread is not None:
            await self._thread.close()

    async def get_messages(self) -> list[Message]:
        """The opening messages, system and user apart."""
        return [
            Message(role=message["role"], blocks=[TextBlock(text=message["content"])])
            for message in self._opened.prompt
        ]

    async def get_prompt(self) -> list[TextBlock]:
        """The opening messages for a harness that knows no roles."""
        return [TextBlock(text=message["content"]) for message in self._opened.prompt]

    async def _call_tool(self, name: str, input: JSONObject) -> RunToolOutput:
        # The framework's own dispatch answers unknown tools, odd arguments and calls after the end
        # in its words and without counting a turn: all of that is the episode's to say.
        step = await self._own_thread.run(self._play, name, dict(input))
        played = self._opened
        metadata = {"error": step.error, "truncated": played.truncated, "turns": played.turns}
        output = ToolOutput(
            blocks=[_block(block) for block in step.observation],
            reward=step.reward,
            finished=step.done,
            metadata=metadata,
        )
        return _Answer(RunToolSuccess(output=output))

    @property
    def _opened(self) -> Episode:
        if self._episode is None:
            raise EpisodeFailed("the episode was never opened")
        return self._episode

    @property
    def _own_thread(self) -> EpisodeThread:
        if self._thread is None:
            raise EpisodeFailed("the episode was never opened")
        return self._thread

    def _open(self) -> None:
        task, seed, max_turns = self._wanted
        self._episode = self._own_thread.hold(Episode, task, seed, max_turns)

    def _play(self, name: str, arguments: dict[str, Any]) -> Step:
        try:
            if name == THE_END.name:
                return Step([], self._opened.end(), True)
            return self._opened.call(name, arguments)
        except EpisodeFailed:
            # Raised, not answered: the client then ends this session as failed, without a reward.
            logger.exception("an episode of %s failed", env_spec.NAME)
            raise


class _Answer(RunToolOutput):
    """A tool's result in JSON that reaches the client as it was.

    The server sends it in chunks, and the client drops white space at the start of each chunk
    (openreward 0.1.167): there it is escaped.
    """

    def model_dump_json(self, **options: Any) -> str:
        """The result as JSON; outside of strings it has no white space."""
        text = super().model_dump_json(**options)
        for start in range(CHUNK_SIZE, len(text), CHUNK_SIZE):
            if text[start].isspace():
                text = f"{text[:start]}\\u{ord(text[start]):04x}{text[start + 1 :]}"
        return text


def _listed(split: str, index: int, task: dict[str, Any]) -> dict[str, Any]:
    fields = {k: v for k, v in task_table.public(task).items() if k not in CONTROLS}
    return {**fields, "split": split, "index": index}


def _read_spec(spec: dict[str, Any]) -> tuple[dict[str, Any], int | None, int | None]:
    """Task, seed and turn limit of a task spec, which is one of:

    - `split` and `index`, as listed, and where wanted `seed` and `max_turns`;
    - a whole task as `task`, and where wanted `seed` and `max_turns`;
    - a whole task.
    """
    if {"split", "index"} <= spec.keys():
        task = _find(spec["split"], spec["index"])
    elif isinstance(spec.get("task"), dict) and spec.keys() <= {"task", "seed", "max_turns"}:
        task = spec["task"]
    else:
        return spec, None, None
    seed, max_turns = spec.get("seed"), spec.get("max_turns")
    try:
        seed = None if seed is None else int(seed)
    except (TypeError, ValueError) as error:
        raise _refused(f"seed is {seed!r}; it must be a whole number") from error
    if max_turns is not None and (type(max_turns) is not int or max_turns < 1):
        raise _refused(f"max_turns is {max_turns!r}; it must be a whole number of at least 1")
    return task, seed, max_turns


def _find(split: Any, index: Any) -> dict[str, Any]:
    if not isinstance(split, str) or type(index) is not int:
        raise _refused(f"split {split!r} and index {index!r} must be a name and a whole number")
    try:
        return task_table.task(split, index)
    except LookupError as error:
        raise _refused(error.args[0]) from error


def _refused(reason: str) -> HTTPException:
    return HTTPException(400, reason)


def _block(block: dict[str, Any]) -> TextBlock | ImageBlock:
    if block["type"] == "text":
        return TextBlock(text=block["text"])
    return ImageBlock(data=block["data"], mimeType=block["media_type"])


server = Server([JupyterEnvironment])
app = server.app
close_at_shutdown(app)


def main() -> None:
    """Serve until interrupted. Exits with a message when the address cannot be had."""
    parser = argparse.ArgumentParser(description=f"Serve {env_spec.TITLE} over ORS.")
    parser.add_argument("--host", default="127.0.0.1", help="0.0.0.0 to serve other machines")
    parser.add_argument("--port", type=int, default=8080)
    args = parser.parse_args()
    _check_address(args.host, args.port)
    print(f"{env_spec.NAME} is served on http://{args.host}:{args.port}", flush=True)
    server.run(host=args.host, port=args.port)


def _check_address(host: str, port: int) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        socket.create_server((host, port), family=family).close()
    except (OSError, OverflowError) as error:
        reason = str(getattr(error, "strerror", None) or error).partition(" (")[0]
        sys.exit(f"error: cannot serve on {host}:{port}: {reason}; choose another --port")


if __name__ == "__main__":
    main()
