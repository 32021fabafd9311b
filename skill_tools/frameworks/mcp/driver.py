"""A driver that plays the tools of an MCP server, given by its command or address (see audit_driver)."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shlex
import tempfile
from collections.abc import AsyncIterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import httpx2
import mcp_types as types
from audit_bounds import Broken, as_tool, bounded, cut, image_block, text_block
from audit_driver import Answered, Refused, main
from audit_token import bearer
from mcp import ClientSession, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

MOST_PAGES = 50
"""Maximum number of pages of a listing of tools."""
REFUSING = (types.INVALID_PARAMS, types.METHOD_NOT_FOUND)
"""Protocol errors with which a server refuses a call without playing it."""
GREETING = 2.0
"""A server may take the time of this many calls to start."""
LAST_WORDS = 500
"""Characters of a dead server's output to report."""
OWN = ("PYTHONPATH",)
"""Variables of the driver's process that are not the user's."""


class Rejected(Exception):
    """The error for a server that rejects the token."""

    status_code = 401


class Connection:
    """A session with a server, in its own asyncio task, because the task that opens an MCP client must close it."""

    def __init__(self, driver: McpDriver) -> None:
        self.driver = driver
        self.ready: asyncio.Future[ClientSession] = asyncio.get_running_loop().create_future()
        self.over = asyncio.Event()
        self.task = asyncio.create_task(self._run())
        self.log = b""

    async def open(self) -> ClientSession:
        """Return the client once the server has answered. If the connection fails, close it and raise the error."""
        try:
            return await asyncio.shield(self.ready)
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """End the session, and the server's process."""
        self.over.set()
        if not self.ready.done():  # it may never answer
            self.task.cancel()
        await asyncio.wait([self.task])

    async def _run(self) -> None:
        with tempfile.TemporaryDirectory(prefix="mcp-", ignore_cleanup_errors=True) as scratch:
            log = Path(scratch) / "log"
            try:
                async with (
                    self.driver.streams(Path(scratch), log) as (read, write),
                    ClientSession(read, write) as session,
                ):
                    async with asyncio.timeout(GREETING * self.driver.seconds):
                        await _greet(session)
                    self.ready.set_result(session)
                    await self.over.wait()
            except BaseException as error:  # noqa: BLE001 - raised where the server is used
                if not self.ready.done():
                    self.ready.set_exception(self._explained(_innermost(error), log))
            finally:
                self.log = _end_of(log)

    def _explained(self, error: BaseException, log: Path) -> BaseException:
        if self.driver.rejected:
            return Rejected()
        if not isinstance(error, MCPError | OSError | TimeoutError):
            return error
        said = _end_of(log).decode("utf-8", "replace").strip()
        why = str(error) or f"no reply in {GREETING * self.driver.seconds:g} s"
        last = f"; it said: {said}" if said else ""
        return Broken("server", f"the server did not answer: {why}{last}")


class McpSession:
    """One episode, with its own connection and, if a command starts the server, its own process."""

    def __init__(self, connection: Connection, session: ClientSession, tools: list[Any]) -> None:
        self.connection, self.session, self.tools = connection, session, tools
        about = cut(session.instructions or f"The tools are those of {_name_of(session)}.")
        self.prompt = [{"role": "user", "content": about}]
        self.seen: dict[str, Any] = {}

    async def call(self, tool: str, arguments: Any) -> Answered:
        """Call a tool of the server."""
        if not isinstance(arguments, dict):
            raise Refused("arguments must be an object")
        # `call_tool` of the client would compare the result with the tool's output schema.
        asked = types.CallToolRequest(
            params=types.CallToolRequestParams(name=tool, arguments=arguments)
        )
        try:
            result = await self.session.send_request(asked, types.CallToolResult)
        except MCPError as error:
            if error.code in REFUSING:
                raise Refused(error.message) from error
            if error.code == types.CONNECTION_CLOSED:
                await self.connection.close()
                said = self.connection.log.decode("utf-8", "replace").strip()
                raise Broken(
                    "server", f"the server ended{f', saying: {said}' if said else ''}"
                ) from error
            raise Broken("server", f"{error.message} (protocol error {error.code})") from error
        blocks = [_block(each) for each in result.content]
        if not blocks and result.structured_content is not None:
            blocks = [
                text_block(json.dumps(bounded(result.structured_content), ensure_ascii=False))
            ]
        refused = "refused" if result.is_error else None
        return Answered(blocks or [text_block("(nothing)")], None, False, refused)

    async def end(self, message: str) -> None:
        """Do nothing, because MCP has no signal that the model stopped."""

    async def close(self) -> None:
        """End the session, and the server's process."""
        await self.connection.close()


class McpDriver:
    """A driver for an MCP server, with the server's start command as ``id`` or its address as ``url``."""

    name = "mcp"
    versions = {"mcp": version("mcp")}
    rewardless = True

    @contextlib.asynccontextmanager
    async def reaching(self, request: dict[str, Any]) -> AsyncIterator[None]:
        """Store the server's address or command."""
        self.url, self.folder = request["url"], request["folder"]
        self.command = [] if self.url else shlex.split(request["id"])
        self.seconds, self.rejected = request["call_seconds"], False
        yield

    async def discover(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the server's name, its tools and the tasks, which are seeds that the server does not receive."""
        opened = await self.open({})
        try:
            name, title, tools = _name_of(opened.session), opened.session.server_info, opened.tools
            again = await _list(opened.session)
        finally:
            await opened.close()
        places = [{"split": None, "index": None, "seed": seed} for seed in range(request["count"])]
        found = {"name": name, "title": getattr(title, "title", None) or name, "tools": tools}
        found |= {"places": places, "prompt": opened.prompt, "texts": False, "seeded": False}
        return {**found, "rewardless": True, "facts": {"tools_again": again == tools}}

    async def open(self, script: dict[str, Any]) -> McpSession:
        """Return a new session; if a command starts the server, the session has its own process."""
        connection = Connection(self)
        session = await connection.open()
        try:
            return McpSession(connection, session, await _list(session))
        except BaseException:
            await connection.close()
            raise

    @contextlib.asynccontextmanager
    async def streams(self, scratch: Path, log: Path) -> AsyncIterator[Any]:
        """Yield the streams of a connection to the server. If the target is a command, start the server with this
        command.

        The server's process runs in the target's folder or in an empty folder.
        """
        if self.url:
            noting = {"response": [self._note]}
            plain = httpx2.AsyncClient(
                headers=bearer(), trust_env=False, timeout=None, event_hooks=noting
            )
            async with (
                plain as client,
                streamable_http_client(self.url, http_client=client) as both,
            ):
                yield both
            return
        work = scratch / "work"
        work.mkdir()
        program, *rest = self.command
        passed = {name: value for name, value in os.environ.items() if name not in OWN}
        asked = StdioServerParameters(
            command=program, args=rest, env=passed, cwd=self.folder or work
        )
        with log.open("w") as said:
            async with stdio_client(asked, errlog=said) as streams:
                yield streams

    async def _note(self, response: httpx2.Response) -> None:
        """Record that the server rejected the token, because the client's error does not include this reason."""
        self.rejected = self.rejected or response.status_code == 401


async def _greet(session: ClientSession) -> None:
    """Do the common MCP handshake; if the server refuses it, use the handshake of 2026."""
    try:
        await session.initialize()
    except MCPError as error:
        if error.code == types.CONNECTION_CLOSED:
            raise
        await session.discover()


async def _list(session: ClientSession) -> list[dict[str, Any]]:
    """Return the server's tools as models see them. Raises Broken for an endless listing."""
    found: list[dict[str, Any]] = []
    cursor = None
    for _ in range(MOST_PAGES):
        page = await session.list_tools(params=types.PaginatedRequestParams(cursor=cursor))
        found += [as_tool(each.name, each.description, each.input_schema) for each in page.tools]
        cursor = page.next_cursor
        if not cursor:
            return found
    raise Broken("tools", f"the listing of tools has more than {MOST_PAGES} pages")


def _name_of(session: ClientSession) -> str:
    return cut(session.server_info.name if session.server_info else "mcp", 200)


def _block(content: Any) -> dict[str, Any]:
    """Return an item of a tool's result as a text or image block; other content becomes a description in text."""
    if isinstance(content, types.TextContent):
        return text_block(content.text)
    if isinstance(content, types.ImageContent):
        return image_block(content.data, content.mime_type)
    if isinstance(content, types.AudioContent):
        return text_block(f"(audio, {content.mime_type}, {len(content.data)} characters in base64)")
    if isinstance(content, types.ResourceLink):
        return text_block(f"{content.name}: {content.uri}")
    resource = getattr(content, "resource", None)
    if isinstance(resource, types.TextResourceContents):
        return text_block(resource.text)
    return text_block(f"(a resource: {getattr(resource, 'uri', content)})")


def _innermost(error: BaseException) -> BaseException:
    """Return the error itself, or the first error inside nested exception groups."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def _end_of(log: Path) -> bytes:
    return log.read_bytes()[-LAST_WORDS:] if log.is_file() else b""


if __name__ == "__main__":
    main(McpDriver())
