"""The code blocks of the README and of docs/install.md, and the MCP servers they declare."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.conftest import ROOT

DOCUMENTS = (ROOT / "README.md", ROOT / "docs" / "install.md")


@dataclass(frozen=True)
class Server:
    """An MCP server as a snippet declares it; the client is known by the form."""

    client: str
    name: str
    command: list[str]
    declared: dict[str, Any]


def blocks(document: Path) -> list[tuple[str, str]]:
    """The fenced blocks of a document: language and text."""
    return re.findall(
        r"^```(\w*)\n(.*?)^```$", document.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )


def servers(document: Path) -> Iterator[Server]:
    """What the JSON and TOML blocks of a document declare."""
    for language, text in blocks(document):
        if language in ("json", "toml"):
            yield from declared(json.loads(text) if language == "json" else tomllib.loads(text))


def declared(settings: dict[str, Any]) -> Iterator[Server]:
    """The servers of a client's settings file."""
    forms = {
        "mcpServers": "mcpServers", "mcp_servers": "Codex", "mcp": "OpenCode", "servers": "VS Code"
    }  # fmt: skip
    ((form, found),) = ((key, value) for key, value in settings.items() if key in forms)
    for name, server in found.items():
        command = server["command"]
        whole = command if isinstance(command, list) else [command, *server.get("args", [])]
        yield Server(forms[form], name, whole, server)
