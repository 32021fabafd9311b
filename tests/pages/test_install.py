"""What clients read to install us: manifests, and the commands and snippets of the README."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import skill_tools
from tests.conftest import ROOT

from .snippets import DOCUMENTS, blocks, servers

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
SERVER = "skill_tools"
SKILLS = {path.parent.name for path in ROOT.glob("skills/*/SKILL.md")}
MANIFESTS = ("plugin.json", ".claude-plugin/plugin.json", "gemini-extension.json")
# Where a server is declared, and what its client replaces there.
DECLARATIONS = {
    "mcp.json": {"PLUGIN_ROOT", "PLUGIN_DATA"},
    ".claude-plugin/plugin.json": {"CLAUDE_PLUGIN_ROOT", "CLAUDE_PLUGIN_DATA"},
    "gemini-extension.json": {"extensionPath", "/"},
}

TEXT = {"type": "string"}
# Agent Plugins 1.0.0 refuses what it does not know (its sections 5 and 7.2).
PLUGIN_SCHEMA = {
    "type": "object",
    "required": ["$schema", "name"],
    "additionalProperties": False,
    "properties": {
        "$schema": {"const": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json"},
        "name": {"type": "string", "maxLength": 64, "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$"},
        **dict.fromkeys(("version", "description", "homepage", "repository", "license"), TEXT),
        "author": {
            "type": "object",
            "additionalProperties": False,
            "properties": dict.fromkeys(("name", "email", "url"), TEXT),
        },
        "keywords": {"type": "array", "items": TEXT},
        "extensions": {"type": "object", "additionalProperties": {"type": "object"}},
    },
}
MCP_SCHEMA = {
    "type": "object",
    "required": ["$schema", "mcpServers"],
    "additionalProperties": False,
    "properties": {
        "$schema": {"const": "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json"},
        "mcpServers": {
            "additionalProperties": {
                "type": "object",
                "required": ["type", "command"],
                "additionalProperties": False,
                "properties": {
                    "type": {"const": "stdio"},
                    # A bare name, or a path inside the plugin; clients skip any other.
                    "command": {"type": "string", "pattern": r"^(\./.+|[^/\\$ ]+)$"},
                    "args": {"type": "array", "items": TEXT},
                    "env": {
                        "propertyNames": {"not": {"enum": ["PLUGIN_ROOT", "PLUGIN_DATA"]}},
                        "additionalProperties": TEXT,
                    },
                    "cwd": {"type": "string", "pattern": r"^(\./|\$\{PLUGIN_(ROOT|DATA)\})"},
                },
            }
        },
    },
}


def read(file: str) -> dict[str, Any]:
    return json.loads((ROOT / file).read_text("utf-8"))


def reported(manifest: dict[str, Any]) -> tuple[str, str, str]:
    return manifest["name"], manifest["version"], manifest["description"]


@pytest.mark.parametrize("file", MANIFESTS)
def test_manifests_agree_with_the_project(file: str) -> None:
    assert reported(read(file)) == reported(PROJECT)


def test_marketplace_offers_this_repository() -> None:
    (plugin,) = read(".claude-plugin/marketplace.json")["plugins"]
    assert reported(plugin) == reported(PROJECT)
    assert plugin["source"] == "./"


def test_package_and_skills_have_the_version_of_the_project() -> None:
    assert skill_tools.__version__ == PROJECT["version"]
    for skill in SKILLS:
        text = (ROOT / "skills" / skill / "SKILL.md").read_text("utf-8")
        assert re.findall(r'^  version: "(.*)"$', text, re.MULTILINE) == [PROJECT["version"]], skill


@pytest.mark.parametrize(
    ("file", "schema"), [("plugin.json", PLUGIN_SCHEMA), ("mcp.json", MCP_SCHEMA)]
)
def test_agent_plugin_files_have_nothing_unknown(file: str, schema: dict[str, Any]) -> None:
    jsonschema.Draft202012Validator(schema).validate(read(file))


@pytest.mark.parametrize("file", DECLARATIONS)
def test_server_is_declared_with_what_its_client_replaces(file: str) -> None:
    declared = read(file)["mcpServers"]
    assert list(declared) == [SERVER]
    used = set(re.findall(r"\$\{(.*?)\}", json.dumps(declared)))
    assert used == DECLARATIONS[file]
    assert declared[SERVER]["args"][-4:] == ["--extra", "serve", "skill-tools", "serve"]
    # The project's own .venv belongs to dev.py, which clears it while a server may be running.
    assert "UV_PROJECT_ENVIRONMENT" in declared[SERVER]["env"]


def test_a_clone_holds_no_stray_for_an_installer() -> None:
    files = published()
    assert {path for path in files if Path(path).name == "SKILL.md"} == {
        f"skills/{skill}/SKILL.md" for skill in SKILLS
    }
    # Clients take these at a plugin's root for their own; npx skills drops metadata.json.
    parts = {"agents", "commands", "hooks", "rules", ".mcp.json", ".lsp.json", "GEMINI.md"}
    assert not parts & {path.partition("/")[0] for path in files}
    assert not [path for path in files if Path(path).name == "metadata.json"]
    for path in filter(lambda path: (ROOT / path).is_symlink(), files):
        assert (ROOT / path).resolve().is_relative_to(ROOT), path


def published() -> list[str]:
    """The files of a clone: what git has, and what it would be given."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    )  # fmt: skip
    return [path for path in listed.stdout.split("\0") if path and os.path.lexists(ROOT / path)]


def test_snippets_name_one_server() -> None:
    found = [server for document in DOCUMENTS for server in servers(document)]
    assert {server.client for server in found} >= {"mcpServers", "Codex", "OpenCode", "VS Code"}
    for server in found:
        assert server.name == SERVER
        assert server.command == ["skill-tools", "mcp"], server.client


def test_what_is_installed_for_a_server_has_what_serves() -> None:
    """An agent's client cannot show the line that says what to run."""
    shell = "\n".join(text for each in DOCUMENTS for name, text in blocks(each) if name == "bash")
    lines = re.findall(r"^uv tool install .*|^.*uvx --from .*", shell, re.MULTILINE)
    assert len(lines) >= 4
    assert not [line for line in lines if "rl-env-skills[serve]" not in line]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_commands_of_installers_are_the_ones_tried(document: Path) -> None:
    shell = "\n".join(text for language, text in blocks(document) if language == "bash")
    assert "@latest" not in shell
    # Without agents named it writes for all of them.
    for line in re.findall(r"npx (?:skills|add-mcp) .*", shell):
        assert re.search(r" -a | --list", line), line


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document: Path) -> None:
    text = document.read_text("utf-8")
    for target, part in re.findall(r"\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)", text):
        file = document.parent / target if target else document
        assert file.exists(), target
        if part:
            titles = re.findall(r"^#+ (.*)$", file.read_text("utf-8"), re.MULTILINE)
            anchors = {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}
            assert part in anchors, part
