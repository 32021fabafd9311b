# Rendered from env.yaml; `skill-tools render` overwrites it.
"""Roll out Wordle on OpenEnv with any OpenAI-compatible model; --help tells the arguments."""

import inspect
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))  # with PYTHONSAFEPATH Python leaves it out

from openenv.core import GenericEnvClient
from wordle_domain._shared import env_spec
from wordle_domain._shared.rollouts import chat, command_line, play
from wordle_domain._shared.servers import asgi_server

TOOL_SECONDS = 600.0 if env_spec.BLOCKING else 60.0


class Session:
    """One episode through OpenEnv's own client, as `chat.chat` plays it."""

    def __init__(self, client: GenericEnvClient) -> None:
        self.client, self.truncated = client, False

    async def open(self, assignment: play.Assignment) -> None:
        """Open the episode of an assignment and discover its tools."""
        place = {"split": assignment.split, "index": assignment.index}
        which = place if assignment.split else {"task": assignment.task}
        limits = {"seed": assignment.seed, "max_turns": assignment.max_turns}
        opened = await self.client.reset(**limits, **which)
        self.prompt = opened.observation["result"]["prompt"]
        listed = await self.client.step({"type": "list_tools"})
        self.tools = [
            {"name": t["name"], "description": t["description"], "parameters": t["input_schema"]}
            for t in listed.observation["tools"]
        ]

    async def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Play one tool call."""
        return await self._played({"type": "call_tool", "tool_name": tool, "arguments": arguments})

    async def _played(self, action: dict[str, Any]) -> dict[str, Any]:
        played = await self.client.step(action)
        result = played.observation["result"]
        self.truncated = result["truncated"]
        blocks = [_block(content) for content in result["content"]]
        ended = {"reward": played.reward, "done": played.done, "error": result["error"]}
        return {"observation": blocks, **ended}

    async def end(self) -> float:
        """End the episode because the model stopped; the mark is what no tool call of a model has."""
        action = {"type": "call_tool", "tool_name": "end_episode"}
        ended = await self.client.step({**action, "metadata": {"orchestrator": True}})
        return ended.reward


def _block(content: dict[str, Any]) -> dict[str, Any]:
    if content["type"] == "text":
        return content
    return {"type": "image", "media_type": content["mimeType"], "data": content["data"]}


def main() -> int:
    """Play all assignments; returns the exit code."""
    args = command_line.parse("OpenEnv", "OPENENV_URL")

    # Without pings: after a pong that comes late the client connects anew, and the episode is lost.
    wanted = {"headers": asgi_server.bearer() or None, "websocket_ping_interval_s": None}
    known = inspect.signature(GenericEnvClient).parameters  # 0.3 has neither
    options = {name: value for name, value in wanted.items() if name in known}

    async def play_one(model: str, assignment: play.Assignment) -> dict[str, Any]:
        async with GenericEnvClient(
            base_url=url, message_timeout_s=TOOL_SECONDS, **options
        ) as client:
            session = Session(client)
            await session.open(assignment)
            return await chat.chat(session, model, assignment, args)

    installed = metadata.packages_distributions()["openenv"]  # openenv, or openenv-core before
    versions = {name: metadata.version(name) for name in installed}
    with asgi_server.reach(args.url, "/metadata", "server.app") as url:
        return play.run("openenv", versions, args, play_one)


if __name__ == "__main__":
    sys.exit(play.interruptible(main))
