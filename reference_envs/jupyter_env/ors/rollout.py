"""Roll out Jupyter agent on ORS with any OpenAI-compatible model.

Rendered from env.yaml; `skill-tools render` overwrites it. `python rollout.py --help` tells the
arguments. Without --url (or ORS_URL) it serves the environment itself on a free port.
"""

import argparse
import asyncio
import contextlib
import os
import sys
from dataclasses import replace
from importlib import metadata
from typing import Any

# Read when the framework is imported: no log line per call, no question to the package index.
os.environ.setdefault("OPENREWARD_LOG_LEVEL", "WARNING")
os.environ.setdefault("OPENREWARD_DISABLE_UPDATE_CHECK", "1")

import aiohttp
from jupyter_domain._shared import chat, env_spec, play, serving
from openreward import AsyncEnvironmentsAPI, AsyncSession
from openreward.api.environments.client import AsyncEnvironment
from openreward.api.environments.types import ImageBlock, Task, TextBlock


class Session:
    """One episode through OpenReward's client, as the chat loop wants it."""

    def __init__(
        self, session: AsyncSession, prompt: list[dict[str, Any]], tools: list[dict[str, Any]]
    ) -> None:
        """Keep what `open_session` has found."""
        self.session, self.prompt, self.tools = session, prompt, tools
        self.truncated = False
        self.turns = 0

    async def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Play one tool call."""
        output = await self.session.call_tool(tool, arguments)
        told = output.metadata
        self.truncated = told["truncated"]
        self.turns += told["error"] != "episode_over"
        if told["turns"] != self.turns:
            # The client sends a call again when the answer's first byte is lost.
            raise ConnectionError(f"{tool} was played twice: the connection was lost amid the call")
        return {
            "observation": [_block(block) for block in output.blocks],
            "reward": output.reward,
            "done": output.finished,
            "error": told["error"],
        }

    async def end(self) -> float:
        """End the episode because the model stopped."""
        return (await self.session.call_terminal_tool()).reward


async def open_session(session: AsyncSession) -> Session:
    """Read the prompt of an entered session and discover its tools."""
    prompt = await session.get_messages(format="openai")
    # As listed: in a provider's format the client drops keywords, and parameters named `title`.
    tools = [
        {"name": tool.name, "description": tool.description, "parameters": tool.input_schema}
        for tool in await session.list_tools()
    ]
    return Session(session, prompt, tools)


async def find_task(environment: AsyncEnvironment, assignment: play.Assignment) -> Task:
    """The task of an assignment with its seed and turn limit, all in the task spec."""
    limits = {"seed": assignment.seed, "max_turns": assignment.max_turns}
    if assignment.split is None:
        spec = {"task": assignment.task, **limits}
        return Task(environment.name, env_spec.NAME, spec, environment.namespace)
    task = await environment.get_task(assignment.split, assignment.index)
    return replace(task, task_spec={**task.task_spec, **limits})


async def check_server(environment: AsyncEnvironment, url: str) -> None:
    """Make sure that the server at a URL is this environment's."""
    wait = aiohttp.ClientTimeout(total=30)
    try:
        async with environment.client.get("/list_environments", timeout=wait) as answer:
            names = await answer.json(content_type=None) if answer.ok else None
    except (aiohttp.ClientError, TimeoutError) as error:
        raise ConnectionError(f"no server answers at {url}: {error or type(error)}") from error
    except ValueError:
        names = None  # not JSON: a server of something else
    if not isinstance(names, list):
        names = "something that is not ORS"
    serving.check_server(url, env_spec.NAME if env_spec.NAME in names else names)


async def roll_out(args: argparse.Namespace) -> int:
    """Play all assignments through one client; returns the exit code."""
    async with AsyncEnvironmentsAPI(base_url=args.url, api_key="") as api:
        # Without `variant` the client plays whatever environment the server has first.
        try:
            environment = api.get(env_spec.NAME, variant=env_spec.NAME)
        except ValueError as error:
            raise ConnectionError(f"{args.url} is no server's address: {error}") from error
        await check_server(environment, args.url)

        async def play_one(model: str, assignment: play.Assignment) -> dict[str, Any]:
            task = await find_task(environment, assignment)
            async with environment.session(task=task) as session:
                return await chat.chat(await open_session(session), model, assignment, args)

        versions = {"openreward": metadata.version("openreward")}
        return await play.run_async("ors", versions, args, play_one)


def main() -> int:
    """Play all assignments; returns the exit code."""
    args = play.parse_arguments("ORS", "ORS_URL")
    with contextlib.ExitStack() as stack:
        if args.url:
            args.url = args.url.rstrip("/")  # with it the client's pings miss the server
        else:
            from server import app

            args.url = stack.enter_context(serving.serve(app))
        return asyncio.run(roll_out(args))


def _block(block: TextBlock | ImageBlock) -> dict[str, Any]:
    if isinstance(block, ImageBlock):
        return {"type": "image", "media_type": block.mimeType, "data": block.data}
    return {"type": "text", "text": block.text}


if __name__ == "__main__":
    try:
        sys.exit(play.interruptible(main))
    except (serving.WrongServer, ConnectionError) as error:
        sys.exit(f"error: {error}")
