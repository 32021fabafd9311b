"""Talking to our MCP server: in memory, over stdio, and line by line as a raw client does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fastmcp import Client

from tests.conftest import ROOT

COMMAND = [sys.executable, "-P", "-m", "skill_tools.cli", "mcp"]


def size(result: Any) -> int:
    """Bytes of a result as a client may write it into a model's context: text or structure."""
    text = "".join(block.text for block in result.content)
    structure = json.dumps(result.structured_content) if result.structured_content else ""
    return max(len(text.encode()), len(structure))


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """The structure of an answer, which the text must equal and which must not be long."""
    result = await client.call_tool(tool, arguments, raise_on_error=False)
    assert not result.is_error, result.content[0].text
    assert json.loads(result.content[0].text) == result.structured_content
    assert size(result) <= 10_000
    return result.structured_content


async def refused(client: Client, tool: str, **arguments: Any) -> str:
    """The text of the error that a call is answered with."""
    result = await client.call_tool(tool, arguments, raise_on_error=False)
    assert result.is_error, result.structured_content
    assert size(result) <= 10_000
    text = result.content[0].text
    assert "Traceback" not in text
    assert "Error calling tool" not in text
    return text


class Raw:
    """A client of one protocol version that sees every line of stdout."""

    def __init__(self, process: subprocess.Popen[str], version: str) -> None:
        self.process = process
        self.seen: list[dict[str, Any]] = []
        self._number = 0
        client = {"name": "raw", "version": "1"}
        hello = {"protocolVersion": version, "capabilities": {}, "clientInfo": client}
        self.hello = self.answer(self.send("initialize", **hello))
        self.notify("notifications/initialized")

    def send(self, method: str, **params: Any) -> int:
        self._number += 1
        self._write({"id": self._number, "method": method, "params": params})
        return self._number

    def call(self, tool: str, **arguments: Any) -> int:
        token = {"progressToken": f"of-{self._number + 1}"}
        return self.send("tools/call", name=tool, arguments=arguments, _meta=token)

    def notify(self, method: str, **params: Any) -> None:
        self._write({"method": method, "params": params})

    def answer(self, number: int) -> dict[str, Any]:
        return self.until(lambda message: message.get("id") == number)

    def until(self, wanted: Any) -> dict[str, Any]:
        """The first message that is wanted; whatever is not a message fails the test."""
        for line in iter(self.process.stdout.readline, ""):
            message = json.loads(line)
            assert message["jsonrpc"] == "2.0"
            self.seen.append(message)
            if wanted(message):
                return message
        raise AssertionError(f"stdout ended: {self.process.stderr.read()}")

    def _write(self, message: dict[str, Any]) -> None:
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()


@contextmanager
def raw_client(
    data: Path, *options: object, version: str = "2025-06-18", **environment: str
) -> Iterator[Raw]:
    """A server in another process; ended by closing its stdin, as clients do."""
    process = subprocess.Popen(
        [*COMMAND, *map(str, options)],
        cwd=data.parent,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), "SKILL_TOOLS_DATA": str(data), **environment},
    )
    try:
        yield Raw(process, version)
        if process.poll() is None:
            process.stdin.close()
            assert process.wait(20) == 0, process.stderr.read()
    finally:
        process.kill()
        process.wait()
