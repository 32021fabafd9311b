"""The MCP server: our MCP tools over stdio, and what there is to read as resources.

Nothing but the protocol reaches stdout. What is slow to import is imported inside the tools.
"""

from __future__ import annotations

import functools
import inspect
import logging
import os
import signal
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

# Read by FastMCP when it is imported: no banner, no look for updates, no pictures of tracebacks.
os.environ |= {
    "FASTMCP_LOG_LEVEL": "ERROR",
    "FASTMCP_SHOW_SERVER_BANNER": "false",
    "FASTMCP_CHECK_FOR_UPDATES": "off",
    "FASTMCP_ENABLE_RICH_TRACEBACKS": "false",
    "FASTMCP_ENV_FILE": os.devnull,
}

import pydantic
from fastmcp import FastMCP
from fastmcp.exceptions import ResourceError, ToolError, ValidationError
from fastmcp.server.middleware import Middleware
from fastmcp.server.providers.skills import SkillsDirectoryProvider

from skill_tools import __version__
from skill_tools.archetypes import exemplars
from skill_tools.errors import SkillToolsError, SpecError
from skill_tools.server import fitting
from skill_tools.server.answers import spoken
from skill_tools.server.tools import TOOLS, SkillTools

INSTRUCTIONS = """\
Builds RL environments for LLM agents from one env.yaml and Python domain. Order of the work:
1 list_archetypes, list_frameworks: choose. 2 list_exemplars, read_exemplar: start from \
starter/<archetype>. 3 Write env.yaml, domain, tasks, oracle yourself in a new folder. \
4 check_spec until ok. 5 render_env writes a variant per framework (render_file shows a file). \
6 validate_env plays and checks all variants; run_smoke_rollout shows one episode. Both return a \
job: call get_job until its state is not running. 7 explain_check, fix the author's files, repeat \
from 4.
env_path is always the absolute path of the folder with env.yaml. approve=true only after the user \
agreed to run the code in that folder."""


LONGEST_ERROR = 4000


def create(tools: SkillTools) -> FastMCP:
    """A server of these MCP tools."""

    @asynccontextmanager
    async def lifespan(server: FastMCP) -> AsyncIterator[dict[str, Any]]:
        try:
            yield {}
        finally:
            tools.jobs.close()

    server = FastMCP(
        "skill_tools",
        instructions=INSTRUCTIONS,
        version=__version__,
        lifespan=lifespan,
        middleware=[_Plainly()],
    )
    for name, (title, hints) in TOOLS.items():
        server.tool(_fitted(getattr(tools, name)), name=name, title=title, annotations=hints)
    _add_resources(server)
    return server


def serve(roots: Sequence[Path] = ()) -> None:
    """Serve on stdin and stdout until stdin ends or a signal comes; leaves nothing running."""
    tools = SkillTools(roots)

    def end(number: int, frame: object) -> None:
        tools.jobs.close()
        # A thread waits for stdin, and an orderly end would wait for that thread.
        os._exit(128 + number)

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, end)
    create(tools).run("stdio", show_banner=False)


class _Plainly(Middleware):
    """Says of a wrong argument what was expected, without pydantic's wording around it."""

    async def on_call_tool(self, context: Any, call_next: Any) -> Any:
        """Call the tool; a wrong argument is named with its value."""
        try:
            return await call_next(context)
        except ValidationError as error:
            cause = error.__cause__
            if not isinstance(cause, pydantic.ValidationError):
                raise
            wrong = [
                f"{'.'.join(map(str, item['loc']))}: {item['msg']} (got {item['input']!r:.80})"
                for item in cause.errors(include_url=False)
            ]
            text = fitting.clip("; ".join(wrong), LONGEST_ERROR)
            raise ToolError(text, log_level=logging.DEBUG) from error


def _fitted(tool: Callable[..., Any]) -> Callable[..., Any]:
    """A tool whose expected errors are told, and whose answers are never too long."""
    if inspect.iscoroutinefunction(tool):

        @functools.wraps(tool)
        async def fitted(*arguments: Any, **named: Any) -> Any:
            try:
                return fitting.within(await tool(*arguments, **named))
            except SkillToolsError as error:
                raise _told(error) from error
    else:

        @functools.wraps(tool)
        def fitted(*arguments: Any, **named: Any) -> Any:
            try:
                return fitting.within(tool(*arguments, **named))
            except SkillToolsError as error:
                raise _told(error) from error

    return fitted


def _told(error: SkillToolsError) -> ToolError:
    text = spoken(str(error))
    if isinstance(error, SpecError) and len(error.problems) > 3:
        some = "\n".join(map(str, error.problems[:3]))
        text = f"{some}\nand {len(error.problems) - 3} more: call check_spec, which lists all"
    # Expected, so not a matter for the server's own log.
    return ToolError(fitting.clip(text, LONGEST_ERROR), log_level=logging.DEBUG)


def _add_resources(server: FastMCP) -> None:
    @server.resource("spec://env.schema.json", mime_type="application/schema+json")
    def env_schema() -> str:
        """The JSON Schema of env.yaml."""
        return exemplars.SCHEMA.read_text("utf-8")

    @server.resource("exemplar://{exemplar}/{file*}", mime_type="text/plain")
    def exemplar_file(exemplar: str, file: str) -> str:
        """A file of a finished environment or a starter; list_exemplars names them all."""
        # A starter's name has a slash in it: starter/pure-python-game.
        if exemplar == "starter":
            kind, _, file = file.partition("/")
            exemplar = f"starter/{kind}"
        try:
            return exemplars.find(exemplar).text(file)
        except SkillToolsError as error:
            text = fitting.clip(str(error), LONGEST_ERROR)
            raise ResourceError(text, log_level=logging.DEBUG) from error

    if folder := exemplars.skills_folder():
        server.add_provider(SkillsDirectoryProvider(roots=folder))
