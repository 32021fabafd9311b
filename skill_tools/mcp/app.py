"""The MCP server, which offers the MCP tools over stdio and some files as resources.

Only protocol messages are written to stdout. Slow imports happen inside the tools.
"""

from __future__ import annotations

import functools
import inspect
import logging
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

# FastMCP reads these on import: no banner, no update check, no rich tracebacks.
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
from fastmcp.skills.provider import SkillsDirectoryProvider
from fastmcp.tools.base import ToolResult

from skill_tools import __version__
from skill_tools.errors import SkillToolsError
from skill_tools.mcp import pages
from skill_tools.mcp.answer_size import LONGEST_ERROR, clip, within, word
from skill_tools.mcp.tools import SkillTools
from skill_tools.report import exemplars

INSTRUCTIONS = """\
Builds RL environments for LLM agents from one env.yaml and Python domain. Order of the work:
1 list_archetypes, list_frameworks: choose. 2 list_exemplars, read_exemplar: start from \
starter/<archetype>. 3 Write env.yaml, domain, tasks, oracle yourself in a new folder. \
4 check_spec until ok. 5 render_env writes a variant per framework (render_file shows a file). \
6 validate_env plays and checks all variants, run_smoke_rollout one; each returns a job: get_job \
until it is not running. 7 explain_check, fix the author's files, repeat from 4. 8 Green: look with \
show_episode; study_env before training.
env_path is always the absolute path of the folder with env.yaml. approve=true only after the user \
agreed to run the code in that folder."""

_READS = {"readOnlyHint": True, "idempotentHint": True, "openWorldHint": False}
_RUNS = {
    "readOnlyHint": False,
    "destructiveHint": False,
    "idempotentHint": False,
    "openWorldHint": False,
}
TOOLS: dict[str, tuple[str, dict[str, bool]]] = {
    "list_archetypes": ("List kinds of environment", _READS),
    "list_frameworks": ("List frameworks", _READS),
    # Not read-only: with approve=true it runs code, which clients must not approve silently.
    "check_spec": ("Check env.yaml and the domain", {**_RUNS, "idempotentHint": True}),
    "render_file": ("Show a rendered file", _READS),
    "render_env": ("Render the variants", {**_RUNS, "idempotentHint": True}),
    "validate_env": ("Play and check every variant", _RUNS),
    "run_smoke_rollout": ("Play one policy in one variant", _RUNS),
    "show_episode": ("Look at an episode", _READS),
    "study_env": ("Measure whether a model can learn", _RUNS),
    "get_job": ("Wait for a job", {**_READS, "readOnlyHint": False, "destructiveHint": False}),
    "explain_check": ("Explain a check", _READS),
    "list_exemplars": ("List exemplars", _READS),
    "read_exemplar": ("Read an exemplar", _READS),
}
"""Every MCP tool with its title and hints."""


def create(tools: SkillTools) -> FastMCP:
    """Return a server with these MCP tools."""

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
        # A tool that answers in content blocks has no informative annotation.
        said = pages.EpisodeShown.model_json_schema() if name == "show_episode" else ...
        tool = _fitted(getattr(tools, name))
        server.tool(tool, name=name, title=title, annotations=hints, output_schema=said)
    _add_resources(server)
    return server


def serve(roots: Sequence[Path] = ()) -> None:
    """Serve on stdin and stdout until stdin ends or a signal arrives; end all jobs before the process exits."""
    tools = SkillTools(roots)

    def end(number: int, frame: object) -> None:
        tools.jobs.close()
        # A thread waits for stdin, and an orderly end would wait for that thread.
        os._exit(128 + number)

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, end)
    create(tools).run("stdio", show_banner=False)
    # Nothing is left to do, and unloading all modules takes seconds on a busy machine.
    sys.stdout.flush()
    os._exit(0)


class _Plainly(Middleware):
    """A middleware that reports wrong arguments in short form, without pydantic's additional text."""

    async def on_call_tool(self, context: Any, call_next: Any) -> Any:
        """Call the tool. If arguments are wrong, raise ToolError with the name, value and problem of each argument."""
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
            text = clip("; ".join(wrong), LONGEST_ERROR)
            raise ToolError(text, log_level=logging.DEBUG) from error


def _fitted(tool: Callable[..., Any]) -> Callable[..., Any]:
    """Return a tool that reports expected errors and limits its results."""

    @functools.wraps(tool)
    async def waited(*arguments: Any, **named: Any) -> Any:
        try:
            return within(await tool(*arguments, **named))
        except SkillToolsError as error:
            raise _as_tool_error(error) from error

    @functools.wraps(tool)
    def called(*arguments: Any, **named: Any) -> Any:
        try:
            found = tool(*arguments, **named)
            # Pictures cannot be shortened; tools with pictures page their own answers.
            return found if isinstance(found, ToolResult) else within(found)
        except SkillToolsError as error:
            raise _as_tool_error(error) from error

    return waited if inspect.iscoroutinefunction(tool) else called


def _as_tool_error(error: SkillToolsError) -> ToolError:
    # An expected error does not belong in the server's own log.
    return ToolError(word(error), log_level=logging.DEBUG)


def _add_resources(server: FastMCP) -> None:
    @server.resource("spec://env.schema.json", mime_type="application/schema+json")
    def env_schema() -> str:
        """Return the JSON Schema of env.yaml."""
        return exemplars.SCHEMA.read_text("utf-8")

    @server.resource("exemplar://{exemplar}/{file*}", mime_type="text/plain")
    def exemplar_file(exemplar: str, file: str) -> str:
        """Return a file of a finished environment or a starter; list_exemplars lists all names."""
        # A starter's name contains a slash: starter/pure-python-game.
        if exemplar == "starter":
            kind, _, file = file.partition("/")
            exemplar = f"starter/{kind}"
        try:
            return exemplars.find(exemplar).text(file)
        except SkillToolsError as error:
            raise ResourceError(word(error), log_level=logging.DEBUG) from error

    if folder := exemplars.skills_folder():
        server.add_provider(SkillsDirectoryProvider(folder))
