"""Real coding agents, each with its own home folder and no network except loopback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from evals.agents.desk import Desk
from evals.agents.model_apis import MODEL, Call
from evals.agents.npm import PLATFORM, install, node
from evals.agents.scripted_model import OUR_SERVER

COMMAND = [str(Path(sys.executable).with_name("skill-tools")), "mcp"]
SESSION_SECONDS = 900


class Client:
    """A coding agent. This base class has the behavior that most coding agents share."""

    name: str
    package: str
    binary: str
    lines = 300
    """Maximum lines of a file that the client shows the model in one piece."""
    shows_descriptions = True
    """Whether the client shows the model the skills' descriptions before the model loads a skill."""
    shows_instructions = True
    """Whether the client shows the model the instructions of our MCP server."""
    key_variable = ""
    """The environment variable with the key of the model's API, if the client needs a key."""
    insists: tuple[str, ...] = ()
    """Hosts that the client contacts whatever its settings are; the proxy refuses these requests."""

    def installed(self) -> Path:
        """Return the path of the client's program. Install the program if it is missing."""
        return install(self.package) / self.binary

    def configure(self, desk: Desk) -> dict[str, str]:
        """Write the client's settings. Return the additional environment variables that the client needs."""
        raise NotImplementedError

    def command(self, prompt: str, desk: Desk) -> list[str]:
        """Return the arguments after the program's name that run one prompt without a terminal."""
        raise NotImplementedError

    def load_skill(self, name: str, desk: Desk) -> Call:
        """Return the tool call by which the model loads a skill."""
        raise NotImplementedError

    def write_file(self, path: Path, text: str) -> Call:
        """Return the tool call by which the model writes a new file."""
        raise NotImplementedError

    def write_calls(self, path: Path, text: str) -> list[Call]:
        """Return the tool calls that write a new file: one call, if the client accepts a file of any length."""
        return [self.write_file(path, text)]

    def edit_file(self, path: Path, old: str, new: str) -> Call:
        """Return the tool call by which the model replaces a line of a file."""
        raise NotImplementedError

    def make_folder(self, path: Path) -> Call | None:
        """Return the tool call that makes a folder, or None if writing a file also makes the file's folder."""
        return None

    def start(self, prompt: str, desk: Desk) -> subprocess.CompletedProcess[str]:
        """Run one prompt without a terminal, and wait until the client ends."""
        environment = {**desk.environment(), **self.configure(desk)}
        return subprocess.run(
            [str(self.installed()), *self.command(prompt, desk)],
            check=False,
            cwd=desk.project,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SESSION_SECONDS,
        )


class ClaudeCode(Client):
    name = "claude"
    package = f"@anthropic-ai/claude-code-{PLATFORM}@2.1.328"
    binary = f"@anthropic-ai/claude-code-{PLATFORM}/claude"
    allowed = f"Skill,Write,Edit,Read,mcp__{OUR_SERVER}"
    key_variable = "ANTHROPIC_API_KEY"

    def configure(self, desk: Desk) -> dict[str, str]:
        command, *arguments = COMMAND
        server = {"command": command, "args": arguments, "env": desk.server}
        servers = {OUR_SERVER: server} if desk.ours else {}
        desk.write("mcp.json", json.dumps({"mcpServers": servers}))
        scripted = {
            "ANTHROPIC_BASE_URL": desk.model,
            "ANTHROPIC_API_KEY": "none",
            "ANTHROPIC_MODEL": MODEL,
        }
        return {
            **({"ANTHROPIC_API_KEY": desk.key} if desk.key else scripted),
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "ENABLE_TOOL_SEARCH": "false",
            "MCP_CONNECTION_NONBLOCKING": "0",
            "MCP_TIMEOUT": "120000",
        }

    def command(self, prompt: str, desk: Desk) -> list[str]:
        return [
            "-p", prompt, "--mcp-config", str(desk.home / "mcp.json"), "--strict-mcp-config",
            "--allowedTools", self.allowed,
            "--output-format", "stream-json", "--verbose",
        ]  # fmt: skip

    def load_skill(self, name: str, desk: Desk) -> Call:
        return Call("Skill", {"skill": name})

    def write_file(self, path: Path, text: str) -> Call:
        return Call("Write", {"file_path": str(path), "content": text})

    def edit_file(self, path: Path, old: str, new: str) -> Call:
        return Call("Edit", {"file_path": str(path), "old_string": old, "new_string": new})


class Codex(Client):
    name = "codex"
    package = f"@openai/codex@0.169.0-{PLATFORM}"
    binary = "@openai/codex/vendor/*/bin/codex"
    key_variable = "OPENAI_API_KEY"

    def installed(self) -> Path:
        (found,) = install(self.package).glob(self.binary)
        return found

    def configure(self, desk: Desk) -> dict[str, str]:
        scripted = f"""\
model = "{MODEL}"
model_provider = "scripted"
"""
        provider = f"""\
[model_providers.scripted]
name = "scripted"
base_url = "{desk.model}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
"""
        settings = """\
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
[analytics]
enabled = false
[features]
apps = false
plugins = false
"""
        asked = ("", "") if desk.key else (scripted, provider)
        server = self._server(desk) if desk.ours else ""
        desk.write(".codex/config.toml", asked[0] + settings + asked[1] + server)
        return {"OPENAI_API_KEY": desk.key} if desk.key else {"SCRIPTED_KEY": "none"}

    def _server(self, desk: Desk) -> str:
        command, *arguments = COMMAND
        passed = "".join(f"{name} = {json.dumps(value)}\n" for name, value in desk.server.items())
        return f"""\
[mcp_servers.{OUR_SERVER}]
command = {json.dumps(command)}
args = {json.dumps(arguments)}
startup_timeout_sec = 60
required = true
[mcp_servers.{OUR_SERVER}.env]
{passed}"""

    def command(self, prompt: str, desk: Desk) -> list[str]:
        return ["exec", "--json", "--skip-git-repo-check", prompt]

    def load_skill(self, name: str, desk: Desk) -> Call:
        path = desk.project / ".agents" / "skills" / name / "SKILL.md"
        return Call("exec_command", {"cmd": f"cat '{path}'"})

    def write_file(self, path: Path, text: str) -> Call:
        added = "".join(f"+{line}\n" for line in text.splitlines())
        return self._patch(f"*** Add File: {path}\n{added}")

    def edit_file(self, path: Path, old: str, new: str) -> Call:
        return self._patch(f"*** Update File: {path}\n@@\n-{old}\n+{new}\n")

    def _patch(self, text: str) -> Call:
        patch = f"*** Begin Patch\n{text}*** End Patch"
        return Call("exec_command", {"cmd": f"apply_patch <<'EOF'\n{patch}\nEOF\n"})


class OpenCode(Client):
    name = "opencode"
    package = f"opencode-{PLATFORM}@1.18.33"
    binary = f"opencode-{PLATFORM}/bin/opencode"
    key_variable = "ANTHROPIC_API_KEY"

    def configure(self, desk: Desk) -> dict[str, str]:
        provider = {
            "npm": "@ai-sdk/openai-compatible",
            "options": {"baseURL": f"{desk.model}/v1", "apiKey": "none"},
            "models": {MODEL: {"tool_call": True, "limit": {"context": 200000, "output": 8000}}},
        }
        server = {"type": "local", "command": COMMAND, "environment": desk.server}
        scripted = {
            "provider": {"scripted": provider},
            "model": f"scripted/{MODEL}",
            "small_model": f"scripted/{MODEL}",
        }
        settings = {
            **({} if desk.key else scripted),
            "mcp": {OUR_SERVER: {**server, "enabled": True}} if desk.ours else {},
            "permission": {"*": "allow"},
            "autoupdate": False,
            "share": "disabled",
        }
        desk.write(".config/opencode/opencode.json", json.dumps(settings))
        # It installs its plugin package for every folder of settings that it finds.
        desk.write(".npmrc", "offline=true\n")
        # Its skill tool lists a skill's files with rg, and would download one.
        package = f"@vscode/ripgrep-{PLATFORM}"
        search = install(f"{package}@1.18.0") / package / "bin"
        off = ("AUTOUPDATE", "MODELS_FETCH", "LSP_DOWNLOAD", "DEFAULT_PLUGINS")
        return {
            **{f"OPENCODE_DISABLE_{what}": "1" for what in off},
            "PATH": f"{search}{os.pathsep}{desk.path}",
            **({self.key_variable: desk.key} if desk.key else {}),
        }

    def command(self, prompt: str, desk: Desk) -> list[str]:
        return ["run", "--format", "json", prompt]

    def load_skill(self, name: str, desk: Desk) -> Call:
        return Call("skill", {"name": name})

    def write_file(self, path: Path, text: str) -> Call:
        return Call("write", {"filePath": str(path), "content": text})

    def edit_file(self, path: Path, old: str, new: str) -> Call:
        return Call("edit", {"filePath": str(path), "oldString": old, "newString": new})


class GeminiCli(Client):
    name = "gemini"
    package = "@google/gemini-cli@0.61.0"
    binary = "@google/gemini-cli/bundle/gemini.js"
    key_variable = "GEMINI_API_KEY"

    def configure(self, desk: Desk) -> dict[str, str]:
        command, *arguments = COMMAND
        server = {"command": command, "args": arguments, "env": desk.server, "trust": True}
        settings = {
            "security": {"auth": {"selectedType": "gemini-api-key"}},
            "mcpServers": {OUR_SERVER: server} if desk.ours else {},
            "privacy": {"usageStatisticsEnabled": False},
            "telemetry": {"enabled": False},
            "general": {"enableAutoUpdate": False},
        }
        desk.write(".gemini/settings.json", json.dumps(settings))
        return {
            "GEMINI_API_KEY": desk.key or "none",
            **({} if desk.key else {"GOOGLE_GEMINI_BASE_URL": desk.model}),
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
            # It is started with a shebang of `node`.
            "PATH": f"{node().parent}{os.pathsep}{desk.path}",
        }

    def command(self, prompt: str, desk: Desk) -> list[str]:
        return [
            "-p", prompt, "-m", "gemini-2.5-flash", "--approval-mode", "yolo",
            "--output-format", "stream-json",
        ]  # fmt: skip

    def load_skill(self, name: str, desk: Desk) -> Call:
        return Call("activate_skill", {"name": name})

    def write_file(self, path: Path, text: str) -> Call:
        return Call("write_file", {"file_path": str(path), "content": text})

    def edit_file(self, path: Path, old: str, new: str) -> Call:
        edit = {"file_path": str(path), "old_string": old, "new_string": new}
        return Call("replace", {**edit, "instruction": "correct the key", "allow_multiple": False})
