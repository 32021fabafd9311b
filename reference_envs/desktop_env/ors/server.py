# Rendered from env.yaml; `skill-tools render` overwrites it.
"""Desktop computer use as an ORS environment: one session is one episode. Start it with `uv run server.py`."""

import json
import logging
import os
import secrets
from typing import Any

# Read when the framework is imported: no log line per call, no question to the package index.
os.environ.setdefault("OPENREWARD_LOG_LEVEL", "WARNING")
os.environ.setdefault("OPENREWARD_DISABLE_UPDATE_CHECK", "1")

from desktop_domain._shared import env_spec, task_table
from desktop_domain._shared.blocks import blocks_of
from desktop_domain._shared.episode import EpisodeFailed, Step
from desktop_domain._shared.servers import asgi_server
from desktop_domain._shared.servers.served import ServedEpisode as Episode
from desktop_domain._shared.servers.threads import EpisodeThread, close_at_shutdown
from fastapi import HTTPException
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
    ToolCallBlock,
    ToolOutput,
    ToolResultBlock,
    ToolSpec,
)
from openreward.environments.reconnect import CHUNK_SIZE


def _tools(tools: list[dict[str, Any]]) -> list[ToolSpec]:
    """Tools with the schemas of the env spec, word for word; `@tool` would make others."""
    return [
        ToolSpec(
            name=tool["name"], description=tool["description"], input_schema=tool["parameters"]
        )
        for tool in tools
    ]


TOOLS = _tools(env_spec.TOOLS)
# On the wire this is a tool like any other: models are not shown it, and cannot guess its name.
THE_END = TerminalToolSpec(
    name=f"end_episode_{secrets.token_hex(8)}", description="The agent stops."
)
CONTROLS = frozenset({"split", "index", "task", "max_turns"})
"""Keys of a task spec that say what to play; task fields of these names are not listed."""


class DesktopEnvironment(Environment):
    """One session: an episode on the task that the task spec asks for."""

    def __init__(
        self, task_spec: JSONObject | None = None, secrets: dict[str, str] | None = None
    ) -> None:
        """Read the task spec; `setup` opens the episode. Refuses a spec that names no task."""
        super().__init__(task_spec or {}, secrets or {})
        self._wanted = _read_spec(dict(self.task_spec))
        self._episode: Episode | None = None
        # asyncio's own threads are a few for all sessions; here each waits only for its own world.
        self._thread = EpisodeThread()

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
    async def get_task(cls, split: str, index: int) -> JSONObject:
        """One task spec, without making those of all others. Raises IndexError."""
        return _listed(split, index, task_table.task_at(split, index))

    @classmethod
    def list_tools(cls) -> ListToolsOutput:
        """The tools of every task."""
        return super().list_tools().model_copy(update={"tools": TOOLS, "terminal_tool": THE_END})

    async def setup(self) -> None:
        """Open the episode; a world that fails here fails the first request of the session."""
        opened = (self._thread.hold, Episode, *self._wanted)
        self._episode = await self._thread.run(*opened)

    async def teardown(self) -> None:
        """Free what the episode holds; called however the session ends, also amid a call."""
        await self._thread.close()

    async def get_messages(self) -> list[Message]:
        """The opening messages, each with its role."""
        return [_message(message) for message in self._opened.prompt]

    async def _call_tool(self, name: str, input: JSONObject) -> RunToolOutput:
        # Not `@tool`: the framework answers unknown tools, odd arguments and calls after the end in
        # its own words and without counting a turn; all of that is the episode's to say.
        step = await self._thread.run(self._play, name, dict(input))
        played = self._opened
        output = ToolOutput(
            blocks=[_block(block) for block in step.observation],
            reward=_told(step),
            finished=step.done,
            metadata={
                "error": step.error,
                "truncated": played.truncated,
                "calls": len(played.steps),
            },
        )
        return _Answer(RunToolSuccess(output=output))

    @property
    def _opened(self) -> Episode:
        if self._episode is None:
            raise EpisodeFailed("the episode was never opened")
        return self._episode

    def _play(self, name: str, arguments: dict[str, Any]) -> Step:
        try:
            episode = self._opened
            if name == THE_END.name:
                error = "episode_over" if episode.over else None
                return Step([], episode.end(), True, error)
            return episode.call(name, arguments)
        except EpisodeFailed:
            # Raised, not answered: the client then ends this session as failed, without a reward.
            logging.getLogger(__name__).exception("an episode of %s failed", env_spec.NAME)
            raise


class _Answer(RunToolOutput):
    """A tool's result whose white space survives: openreward 0.1.167 drops it where chunks start."""

    def model_dump_json(self, **options: Any) -> str:
        """The result as JSON, escaped there; outside of strings it has no white space."""
        text = super().model_dump_json(**options)
        for start in range(CHUNK_SIZE, len(text), CHUNK_SIZE):
            if text[start].isspace():
                text = f"{text[:start]}\\u{ord(text[start]):04x}{text[start + 1 :]}"
        return text


def _listed(split: str, index: int, task: dict[str, Any]) -> dict[str, Any]:
    fields = {k: v for k, v in task_table.public(task).items() if k not in CONTROLS}
    return {**fields, "split": split, "index": index}


def _read_spec(spec: dict[str, Any]) -> tuple[dict[str, Any], int | None, int | None]:
    """Task, seed and turn limit of a task spec: `split` and `index`, a `task`, or a task itself."""
    named, fields = spec, {}
    if spec.keys() & {"split", "index"}:
        named = {k: spec[k] for k in ("split", "index", "seed", "max_turns") if k in spec}
        fields = {key: value for key, value in spec.items() if key not in named}
        if missing := {"split", "index"} - spec.keys():
            raise HTTPException(400, f"a task spec with {', '.join(spec)} lacks {min(missing)}")
    elif not isinstance(spec.get("task"), dict) or spec.keys() - {"task", "seed", "max_turns"}:
        return spec, None, None
    try:
        task, *limits = task_table.problem(**named)
        # As listed, with the public fields of the task; any other name is a slip.
        slips = {key: value for key, value in fields.items() if key not in task}
        return task_table.problem(**named, **slips) if slips else (task, *limits)
    except (ValueError, TypeError, LookupError) as error:
        raise HTTPException(400, str(error.args[0])) from error


def _told(step: Step) -> float | None:
    """What a call paid; None where nothing is paid, since some trainers keep the last reward told."""
    if step.error == "episode_over":
        return None
    return step.reward if step.done or step.reward else None


def _message(message: dict[str, Any]) -> Message:
    """A chat message as ORS has it: what a tool answered is a block of a user message."""
    blocks: list[Any] = [_block(block) for block in blocks_of(message["content"])]
    if message["role"] == "tool":
        answered = ToolResultBlock(tool_call_id=message["tool_call_id"], blocks=blocks)
        return Message(role="user", blocks=[answered])
    calls = [
        ToolCallBlock(id=call["id"], name=made["name"], input=json.loads(made["arguments"]))
        for call in message.get("tool_calls", ())
        for made in [call["function"]]
    ]
    said = blocks if message["content"] or not calls else []
    return Message(role=message["role"], blocks=[*said, *calls])


def _block(block: dict[str, Any]) -> TextBlock | ImageBlock:
    if block["type"] == "text":
        return TextBlock(text=block["text"])
    return ImageBlock(data=block["data"], mimeType=block["media_type"])


server = Server([DesktopEnvironment])
app = server.app
close_at_shutdown(app)

if __name__ == "__main__":
    asgi_server.run(app, 8080, opens="/create", access_log=False)  # server.run() knows no limits
