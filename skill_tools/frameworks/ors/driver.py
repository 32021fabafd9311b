"""A driver that plays any served ORS environment; it runs in OpenReward's venv (see audit_driver)."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import sys
from collections.abc import AsyncIterator
from importlib.metadata import version
from typing import Any

# Read on import of the framework: no log line per call, no request to the package index.
os.environ.setdefault("OPENREWARD_LOG_LEVEL", "WARNING")
os.environ.setdefault("OPENREWARD_DISABLE_UPDATE_CHECK", "1")

import aiohttp
from audit_bounds import Broken, as_tool, cut, image_block, is_text, text_block
from audit_driver import Answered, Refused, main
from audit_token import TOKEN, bearer
from openreward import AsyncEnvironmentsAPI, AsyncSession
from openreward.api.environments.types import ImageBlock
from openreward.api.errors import ToolCallError
from openreward.environments import Environment, Server

LARGEST = 16 << 20
"""Maximum bytes of the list of environments."""


class ORSSession:
    """One session in OpenReward's client; a session is one episode."""

    def __init__(self, session: AsyncSession) -> None:
        self.session = session
        self.seen: dict[str, Any] = {}

    async def open(self) -> None:
        """Enter the session, and read its prompt and its tools."""
        await self.session.__aenter__()
        self.takes_messages = await self.session.terminal_tool() is not None
        messages = await self.session.get_messages()
        self.prompt = [
            {
                "role": each.role,
                "content": "\n".join(_block(b).get("text", "") for b in each.blocks),
            }
            for each in messages
        ]
        self.tools = [
            as_tool(each.name, each.description, each.input_schema)
            for each in await self.session.list_tools()
        ]

    async def call(self, tool: str, arguments: Any) -> Answered:
        """Send a tool call, or the last message. A refusal by the server does not change the session."""
        if is_text(tool, self.tools):
            return Answered(
                [text_block("(the episode is over)")], await self.end(arguments["text"]), True
            )
        try:
            output = await self.session.call_tool(tool, arguments)
        except ToolCallError as error:
            if getattr(error, "reason", "") == "episode_finished":
                return Answered([text_block(error)], None, True, "episode_over")
            raise Refused(str(error)) from error
        return Answered([_block(block) for block in output.blocks], output.reward, output.finished)

    async def end(self, message: str) -> Any:
        """Send the model's last message to the terminal tool, if the session has such a tool."""
        if await self.session.terminal_tool() is None:
            return None
        return (await self.session.call_terminal_tool(message)).reward

    async def close(self) -> None:
        """Leave the session."""
        await self.session.__aexit__(None, None, None)


class ORSDriver:
    """A driver for a server at an address, or for a folder whose ``server.py`` has environments."""

    name = "ors"
    versions = {"openreward": version("openreward")}

    @contextlib.asynccontextmanager
    async def reaching(self, request: dict[str, Any]) -> AsyncIterator[None]:
        """Connect to the environment with the requested name, or to the server's first environment."""
        wanted = request["id"] or (request.get("found") or {}).get("name")
        wanted = wanted or await self._first(request["url"], request["call_seconds"])
        async with AsyncEnvironmentsAPI(base_url=request["url"], api_key=TOKEN) as api:
            # Without `variant`, the client plays the server's first environment, whatever it is.
            self.environment = api.get(wanted, variant=wanted)
            yield

    def make_app(self, request: dict[str, Any]) -> Any:
        """Return the app of a folder's server, or of a new server for the environments that the folder defines."""
        sys.path.insert(0, request["folder"])
        module, _, attribute = request["app"].partition(":")
        found = importlib.import_module(module)
        if attribute:
            made = getattr(found, attribute)
            return getattr(made, "app", made)
        there = list(vars(found).values())
        for each in there:
            if isinstance(each, Server):
                return each.app
        kinds = [k for k in there if isinstance(k, type) and issubclass(k, Environment)]
        return Server([kind for kind in kinds if kind is not Environment]).app

    async def discover(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the tools, the splits and the first tasks, as OpenReward's client reports them."""
        environment = self.environment
        tools = await environment.list_tools()
        again = await environment.list_tools()
        sizes: dict[str, int] = {}
        places: list[dict[str, Any]] = []
        odd: list[str] = []
        for split in (await environment.list_splits())[:20]:
            size = sizes[str(split)] = await environment.num_tasks(split)
            if places or not size:
                continue
            wanted = min(request["count"], size)
            tasks = await environment.get_task_range(split, 0, wanted)
            if len(tasks) != wanted:
                odd.append(
                    f"split {split!r} lists {size} tasks, but a request for {wanted} returned {len(tasks)}"
                )
            for index, task in enumerate(tasks[:wanted]):
                spec = task.task_spec
                if (await environment.get_task(split, index)).task_spec != spec:
                    odd.append(f"task {index} of {split!r} differs when requested alone")
                places.append({"split": split, "index": index, "seed": 0, "task": spec})
        listed = [as_tool(each.name, each.description, each.input_schema) for each in tools]
        found = {"name": environment.name, "tools": listed, "seeded": False}
        found |= {"splits": sizes, "places": places, "odd_tasks": odd}
        return {**found, "facts": {"tools_again": tools == again}}

    async def open(self, script: dict[str, Any]) -> ORSSession:
        """Open a session on the task with the script's split and index."""
        place = {"split": script["split"], "index": script["index"]}
        session = ORSSession(self.environment.session(**place))
        try:
            await session.open()
        except BaseException:
            with contextlib.suppress(Exception):
                await session.close()
            raise
        return session

    async def _first(self, url: str, seconds: float) -> str:
        """Return the name of the first environment that a server lists."""
        timeout = aiohttp.ClientTimeout(total=seconds)
        client = aiohttp.ClientSession(timeout=timeout, headers=bearer())
        async with client, client.get(f"{url.rstrip('/')}/list_environments") as answer:
            if answer.status == 401:
                answer.raise_for_status()
            read = b""
            async for chunk in answer.content.iter_chunked(1 << 16):
                read += chunk
                if len(read) > LARGEST:
                    raise Broken(
                        "size", f"/list_environments returned more than {LARGEST >> 20} MB"
                    )
            if answer.status != 200:
                raise Broken(
                    "http",
                    f"/list_environments returned status {answer.status}: {cut(str(read), 200)}",
                )

            names = json.loads(read)
        if not isinstance(names, list) or not names:
            raise Broken(
                "http",
                f"/list_environments returned {cut(str(names), 200)}, which names no environment",
            )
        first = names[0]
        return str(first.get("name") if isinstance(first, dict) else first)


def _block(block: Any) -> dict[str, Any]:
    if isinstance(block, ImageBlock):
        return image_block(block.data, block.mimeType)
    return text_block(getattr(block, "text", block))


if __name__ == "__main__":
    main(ORSDriver())
