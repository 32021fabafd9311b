"""The coding agents that the tests play with, besides those that the evals have too."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

from evals.agents.clients import COMMAND, ClaudeCode, Client, Codex, GeminiCli, OpenCode
from evals.agents.desk import Desk
from evals.agents.model_apis import MODEL, Call
from evals.agents.npm import PLATFORM
from evals.agents.scripted_model import OUR_SERVER

UNAVAILABLE = "SKILL_TOOLS_UNAVAILABLE_CLIENTS"


class ClaudeCodeAsInstalled(ClaudeCode):
    """With the tool search that it has unless told otherwise."""

    def configure(self, desk: Desk) -> dict[str, str]:
        settings = super().configure(desk)
        del settings["ENABLE_TOOL_SEARCH"]
        return settings


class CopilotCli(Client):
    name = "copilot"
    package = f"@github/copilot-{PLATFORM}@1.0.102"
    binary = f"@github/copilot-{PLATFORM}/copilot"
    shows_instructions = False

    def configure(self, desk: Desk) -> dict[str, str]:
        command, *arguments = COMMAND
        server = {"type": "local", "command": command, "args": arguments, "env": desk.server}
        servers = {OUR_SERVER: {**server, "tools": ["*"]}}
        desk.write(".copilot/mcp-config.json", json.dumps({"mcpServers": servers}))
        return {
            "COPILOT_OFFLINE": "true",
            "COPILOT_AUTO_UPDATE": "false",
            "COPILOT_PROVIDER_BASE_URL": f"{desk.model}/v1",
            "COPILOT_PROVIDER_API_KEY": "none",
            "COPILOT_MODEL": MODEL,
        }

    def command(self, prompt: str, desk: Desk) -> list[str]:
        return [
            "-p", prompt, "--allow-all-tools", "--trust-folder", "--disable-builtin-mcps",
            "--disable-client-telemetry", "--output-format", "json",
        ]  # fmt: skip

    def load_skill(self, name: str, desk: Desk) -> Call:
        return Call("skill", {"skill": name})

    def write_file(self, path: Path, text: str) -> Call:
        return Call("create", {"path": str(path), "file_text": text})

    def edit_file(self, path: Path, old: str, new: str) -> Call:
        return Call("edit", {"path": str(path), "old_str": old, "new_str": new})

    def make_folder(self, path: Path) -> Call:
        return Call("bash", {"command": f"mkdir -p '{path}'", "description": "Make a folder"})


class Cline(Client):
    name = "cline"
    insists = ("data.cline.bot",)
    package = f"@cline/cli-{PLATFORM}@3.0.65"
    binary = f"@cline/cli-{PLATFORM}/bin/cline"
    # It cuts a result to 8,000 characters, in which it has the text and the structure of ours.
    lines = 60
    shows_descriptions = False
    shows_instructions = False

    def configure(self, desk: Desk) -> dict[str, str]:
        command, *arguments = COMMAND
        server = {"command": command, "args": arguments, "env": desk.server, "timeout": 60}
        desk.write(
            ".cline/data/settings/cline_mcp_settings.json",
            json.dumps({"mcpServers": {OUR_SERVER: server}}),
        )
        desk.write(".cline/data/settings/global-settings.json", '{"telemetryOptOut": true}')
        login = [
            str(self.installed()), "auth", "-p", "openai-compatible", "-k", "none", "-m", MODEL,
            "-b", f"{desk.model}/v1",
        ]  # fmt: skip
        subprocess.run(login, env=desk.environment(), check=True, capture_output=True, timeout=120)
        # Not in its daemon, which goes on after the session.
        return {"CLINE_SESSION_BACKEND_MODE": "local", "CLINE_NO_AUTO_UPDATE": "1"}

    def command(self, prompt: str, desk: Desk) -> list[str]:
        return ["--json", "-P", "openai-compatible", "-m", MODEL, prompt]

    def load_skill(self, name: str, desk: Desk) -> Call:
        return Call("skills", {"skill": name})

    def write_file(self, path: Path, text: str) -> Call:
        return Call("editor", {"path": str(path), "new_text": text})

    def write_calls(self, path: Path, text: str) -> list[Call]:
        """Its editor refuses a text of more than 6,000 characters: each part goes before the last.

        An inserted part brings its own end of line, so it is given without one.
        """
        half = len(text) // 2
        middle = text.index("\n", half) + 1
        if len(text) <= 6000:
            return [self.write_file(path, text)]
        rest = {"path": str(path), "new_text": text[:middle].rstrip("\n"), "insert_line": 1}
        return [self.write_file(path, text[middle:]), Call("editor", rest)]

    def edit_file(self, path: Path, old: str, new: str) -> Call:
        return Call("editor", {"path": str(path), "old_text": old, "new_text": new})


REQUIRED: tuple[Client, ...] = (ClaudeCode(), Codex(), OpenCode())
OTHERS: tuple[Client, ...] = (GeminiCli(), CopilotCli(), Cline())


def unavailable() -> set[str]:
    """The clients that this machine is known to lack, as SKILL_TOOLS_UNAVAILABLE_CLIENTS says."""
    named = set(os.environ.get(UNAVAILABLE, "").replace(",", " ").split())
    known = {client.name for client in REQUIRED + OTHERS} | {"inspector", "skills"}
    assert named <= known, f"{UNAVAILABLE} names {named - known}; there are {sorted(known)}"
    return named
