# Rendered from env.yaml; `skill-tools render` overwrites it.
"""Roll out Wordle on ORS with any OpenAI-compatible model; --help tells the arguments."""

import asyncio
import os
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

# Read when the framework is imported: no log line per call, no question to the package index.
os.environ.setdefault("OPENREWARD_LOG_LEVEL", "WARNING")
os.environ.setdefault("OPENREWARD_DISABLE_UPDATE_CHECK", "1")

sys.path.insert(0, str(Path(__file__).parent))  # with PYTHONSAFEPATH Python leaves it out

from openreward import AsyncEnvironmentsAPI, AsyncSession
from openreward.api.environments.client import AsyncEnvironment
from openreward.api.environments.types import ImageBlock, Task, TextBlock
from wordle_domain._shared import env_spec
from wordle_domain._shared.rollouts import chat, command_line, play
from wordle_domain._shared.servers import asgi_server


class Session:
    """One episode through OpenReward's client, as `chat.chat` plays it."""

    def __init__(self, session: AsyncSession) -> None:
        self.session, self.truncated, self.calls = session, False, 0

    async def open(self) -> None:
        """Read the prompt of the entered session and discover its tools."""
        self.prompt = await self.session.get_messages(format="openai")
        # As listed: in a provider's format the client drops keywords, and parameters named `title`.
        self.tools = [
            {"name": tool.name, "description": tool.description, "parameters": tool.input_schema}
            for tool in await self.session.list_tools()
        ]

    async def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Play one tool call."""
        output = await self.session.call_tool(tool, arguments)
        told = output.metadata
        self.truncated = told["truncated"]
        self.calls += 1
        if told["calls"] != self.calls:
            # The client sends a call again when the answer's first byte is lost.
            raise ConnectionError(f"{tool} was played twice: the connection was lost amid the call")
        blocks = [_block(block) for block in output.blocks]
        paid = output.reward or 0.0  # none is told where nothing is paid yet
        ended = {"reward": paid, "done": output.finished, "error": told["error"]}
        return {"observation": blocks, **ended}

    async def end(self) -> float:
        """End the episode because the model stopped."""
        paid = (await self.session.call_terminal_tool()).reward
        if paid is None:  # as after the end: this, too, is sent again when its answer is lost
            raise ConnectionError("the episode was ended twice: the connection was lost amid it")
        return paid


def _block(block: TextBlock | ImageBlock) -> dict[str, Any]:
    if isinstance(block, ImageBlock):
        return {"type": "image", "media_type": block.mimeType, "data": block.data}
    return {"type": "text", "text": block.text}


def as_task(environment: AsyncEnvironment, assignment: play.Assignment) -> Task:
    """An assignment as a task: where it is, or the task itself, with its seed and turn limit."""
    place = {"split": assignment.split, "index": assignment.index}
    which = place if assignment.split else {"task": assignment.task}
    spec = {**which, "seed": assignment.seed, "max_turns": assignment.max_turns}
    return Task(environment.name, env_spec.NAME, spec, environment.namespace)


async def main() -> int:
    """Play all assignments through one client; returns the exit code."""
    args = command_line.parse("ORS", "ORS_URL")

    async def play_one(model: str, assignment: play.Assignment) -> dict[str, Any]:
        async with environment.session(task=as_task(environment, assignment)) as entered:
            session = Session(entered)
            await session.open()
            return await chat.chat(session, model, assignment, args)

    with asgi_server.reach(args.url, "/list_environments", "server") as url:
        async with AsyncEnvironmentsAPI(base_url=url, api_key=asgi_server.token()) as api:
            # Without `variant` the client plays whatever environment the server has first.
            environment = api.get(env_spec.NAME, variant=env_spec.NAME)
            versions = {"openreward": metadata.version("openreward")}
            return await play.run_async("ors", versions, args, play_one)


if __name__ == "__main__":
    sys.exit(play.interruptible(lambda: asyncio.run(main())))
