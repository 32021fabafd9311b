"""Roll out Wordle on OpenEnv with any OpenAI-compatible model.

Rendered from env.yaml; `skill-tools render` overwrites it. `python rollout.py --help` tells the
arguments. Without --url (or OPENENV_URL) it serves the environment itself on a free port.
"""

import argparse
import asyncio
import contextlib
import sys
from importlib import metadata
from typing import Any

from wordle_domain._shared import chat, play, serving

# isort: split
from client import WordleEnv

DISTRIBUTIONS = ("openenv", "openenv-core")
TOOL_TIMEOUT_S = 60.0


class Session:
    """One episode through the client, as the chat loop wants it."""

    def __init__(self, client: WordleEnv, opening: dict[str, Any], tools: list[dict]):
        """Keep what `open_session` has found."""
        self.client, self.prompt, self.tools = client, opening["prompt"], tools
        self.truncated = False

    async def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Play one tool call."""
        played = await self.client.call_tool(tool, arguments)
        result = played.observation.result
        self.truncated = result["truncated"]
        return {
            "observation": [_block(content) for content in result["content"]],
            "reward": played.reward,
            "done": played.done,
            "error": result["error"],
        }

    async def end(self) -> float:
        """End the episode because the model stopped."""
        return await self.client.end_episode()


async def open_session(client: WordleEnv, assignment: play.Assignment) -> Session:
    """Open the episode of an assignment and discover its tools."""
    place = {"split": assignment.split, "index": assignment.index}
    which = place if assignment.split else {"task": assignment.task}
    opened = await client.reset(seed=assignment.seed, max_turns=assignment.max_turns, **which)
    tools = [
        {"name": tool.name, "description": tool.description, "parameters": tool.input_schema}
        for tool in await client.list_tools()
    ]
    return Session(client, opened.observation.result, tools)


async def check_server(url: str) -> None:
    """Make sure that the server at a URL is this environment's."""
    async with WordleEnv(base_url=url) as client:
        state = await client.state()
    serving.check_server(url, getattr(state, "env_name", None))


def main() -> int:
    """Play all assignments; returns the exit code."""
    args = play.parse_arguments("OpenEnv", "OPENENV_URL")
    with contextlib.ExitStack() as stack:
        if args.url:
            asyncio.run(check_server(args.url))
        else:
            from server.app import app

            args.url = stack.enter_context(serving.serve(app))
        return play.run("openenv", _versions(), args, _player(args))


def _player(args: argparse.Namespace) -> play.Play:
    async def play_one(model: str, assignment: play.Assignment) -> dict[str, Any]:
        async with WordleEnv(base_url=args.url, message_timeout_s=TOOL_TIMEOUT_S) as client:
            session = await open_session(client, assignment)
            return await chat.chat(session, model, assignment, args)

    return play_one


def _block(content: dict[str, Any]) -> dict[str, Any]:
    if content["type"] == "text":
        return content
    return {"type": "image", "media_type": content["mimeType"], "data": content["data"]}


def _versions() -> dict[str, str]:
    versions = {}
    for name in DISTRIBUTIONS:
        with contextlib.suppress(metadata.PackageNotFoundError):
            versions[name] = metadata.version(name)
    return versions


if __name__ == "__main__":
    try:
        sys.exit(play.interruptible(main))
    except (serving.WrongServer, ConnectionError) as error:
        sys.exit(f"error: {error}")
