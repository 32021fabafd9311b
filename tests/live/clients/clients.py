"""Real coding agents, each with a home of its own and no network but loopback."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from skill_tools.runtime.environment import SECRET
from skill_tools.runtime.venvs import cache_folder
from tests.processes import MARK

from .model_apis import MODEL, Call
from .npm import PLATFORM, install, node
from .scripted_model import OUR_SERVER

COMMAND = [str(Path(sys.executable).with_name("skill-tools")), "serve"]
UNAVAILABLE = "SKILL_TOOLS_UNAVAILABLE_CLIENTS"
SESSION_SECONDS = 900
PASSED = re.compile(
    r"PATH|LANG|PYENV_ROOT|(UV|PIP|SSL|SKILL_TOOLS)_.*|(NO|HTTPS?|ALL)_PROXY", re.IGNORECASE
)


def machine() -> dict[str, str]:
    """What a server needs of this machine to build environments, whatever its home is."""
    passed = {
        name: value
        for name, value in os.environ.items()
        if PASSED.fullmatch(name) and not SECRET.fullmatch(name)
    }
    uv = os.environ.get("UV_CACHE_DIR") or Path.home() / ".cache" / "uv"
    return {**passed, "SKILL_TOOLS_CACHE": str(cache_folder()), "UV_CACHE_DIR": str(uv)}


@dataclass(frozen=True)
class Desk:
    """Where a client works: a home of its own, an empty project, and the model's address."""

    home: Path
    project: Path
    model: str
    mark: str
    """Inherited by all that the client starts."""

    @property
    def server(self) -> dict[str, str]:
        """The environment of our MCP server; clients do not pass on all of theirs."""
        return {
            **machine(),
            MARK: self.mark,
            "HOME": str(self.home),
            "SKILL_TOOLS_DATA": str(self.home / "skill-tools-data"),
        }

    def environment(self) -> dict[str, str]:
        """The client's environment: nothing of the user's, and no network but loopback."""
        proxies = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"), self.model)
        return {
            **proxies,
            **{name.lower(): value for name, value in proxies.items()},
            "NO_PROXY": "127.0.0.1,localhost",
            "no_proxy": "127.0.0.1,localhost",
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "PATH": os.environ["PATH"],
            "TERM": "dumb",
            "DO_NOT_TRACK": "1",
            "DISABLE_TELEMETRY": "1",
            MARK: self.mark,
        }

    def write(self, path: str, text: str) -> None:
        """Write a configuration file below the home."""
        file = self.home / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")


class Client:
    """A coding agent; the base is what most of them have in common."""

    name: str
    package: str
    binary: str
    lines = 300
    """Lines of a file that reach the model whole."""
    shows_descriptions = True
    """Whether the model gets to read what the skills are for, before it loads one."""
    shows_instructions = True
    """Whether the model gets to read what our MCP server says of itself."""
    insists: tuple[str, ...] = ()
    """Hosts that it asks for whatever its settings say; the proxy refuses."""

    def installed(self) -> Path:
        """The program, installed if need be."""
        return install(self.package) / self.binary

    def configure(self, desk: Desk) -> dict[str, str]:
        """Write the client's settings; returns what its environment needs besides."""
        raise NotImplementedError

    def command(self, prompt: str, desk: Desk) -> list[str]:
        """The command line after the program's name for one prompt without a terminal."""
        raise NotImplementedError

    def load_skill(self, name: str, desk: Desk) -> Call:
        """How the model loads a skill."""
        raise NotImplementedError

    def write_file(self, path: Path, text: str) -> Call:
        """How the model writes a new file."""
        raise NotImplementedError

    def write_calls(self, path: Path, text: str) -> list[Call]:
        """The calls that write a new file: one, where a client takes a file of any length."""
        return [self.write_file(path, text)]

    def edit_file(self, path: Path, old: str, new: str) -> Call:
        """How the model replaces a line of a file."""
        raise NotImplementedError

    def make_folder(self, path: Path) -> Call | None:
        """How the model makes a folder, if writing a file into it does not."""
        return None

    def start(self, prompt: str, desk: Desk) -> subprocess.CompletedProcess[str]:
        """Run one prompt to its end, without a terminal."""
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

    def configure(self, desk: Desk) -> dict[str, str]:
        command, *arguments = COMMAND
        server = {"command": command, "args": arguments, "env": desk.server}
        desk.write("mcp.json", json.dumps({"mcpServers": {OUR_SERVER: server}}))
        return {
            "ANTHROPIC_BASE_URL": desk.model,
            "ANTHROPIC_API_KEY": "none",
            "ANTHROPIC_MODEL": MODEL,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "ENABLE_TOOL_SEARCH": "false",
            "MCP_CONNECTION_NONBLOCKING": "0",
        }

    def command(self, prompt: str, desk: Desk) -> list[str]:
        return [
            "-p", prompt, "--mcp-config", str(desk.home / "mcp.json"), "--strict-mcp-config",
            "--allowedTools", f"Skill,Write,Edit,Read,mcp__{OUR_SERVER}",
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

    def installed(self) -> Path:
        (found,) = install(self.package).glob(self.binary)
        return found

    def configure(self, desk: Desk) -> dict[str, str]:
        command, *arguments = COMMAND
        desk.write(
            ".codex/config.toml",
            f"""\
model = "{MODEL}"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
[analytics]
enabled = false
[features]
apps = false
plugins = false
[model_providers.scripted]
name = "scripted"
base_url = "{desk.model}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
[mcp_servers.{OUR_SERVER}]
command = {json.dumps(command)}
args = {json.dumps(arguments)}
startup_timeout_sec = 60
required = true
[mcp_servers.{OUR_SERVER}.env]
"""
            + "".join(f"{name} = {json.dumps(value)}\n" for name, value in desk.server.items()),
        )
        return {"SCRIPTED_KEY": "none"}

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

    def configure(self, desk: Desk) -> dict[str, str]:
        provider = {
            "npm": "@ai-sdk/openai-compatible",
            "options": {"baseURL": f"{desk.model}/v1", "apiKey": "none"},
            "models": {MODEL: {"tool_call": True, "limit": {"context": 200000, "output": 8000}}},
        }
        server = {"type": "local", "command": COMMAND, "environment": desk.server}
        settings = {
            "provider": {"scripted": provider},
            "model": f"scripted/{MODEL}",
            "small_model": f"scripted/{MODEL}",
            "mcp": {OUR_SERVER: {**server, "enabled": True}},
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
            "PATH": f"{search}{os.pathsep}{os.environ['PATH']}",
        }

    def command(self, prompt: str, desk: Desk) -> list[str]:
        return ["run", "--format", "json", prompt]

    def load_skill(self, name: str, desk: Desk) -> Call:
        return Call("skill", {"name": name})

    def write_file(self, path: Path, text: str) -> Call:
        return Call("write", {"filePath": str(path), "content": text})

    def edit_file(self, path: Path, old: str, new: str) -> Call:
        return Call("edit", {"filePath": str(path), "oldString": old, "newString": new})


class ClaudeCodeAsInstalled(ClaudeCode):
    """With the tool search that it has unless told otherwise."""

    def configure(self, desk: Desk) -> dict[str, str]:
        settings = super().configure(desk)
        del settings["ENABLE_TOOL_SEARCH"]
        return settings


class GeminiCli(Client):
    name = "gemini"
    package = "@google/gemini-cli@0.61.0"
    binary = "@google/gemini-cli/bundle/gemini.js"

    def configure(self, desk: Desk) -> dict[str, str]:
        command, *arguments = COMMAND
        server = {"command": command, "args": arguments, "env": desk.server, "trust": True}
        settings = {
            "security": {"auth": {"selectedType": "gemini-api-key"}},
            "mcpServers": {OUR_SERVER: server},
            "privacy": {"usageStatisticsEnabled": False},
            "telemetry": {"enabled": False},
            "general": {"enableAutoUpdate": False},
        }
        desk.write(".gemini/settings.json", json.dumps(settings))
        return {
            "GEMINI_API_KEY": "none",
            "GOOGLE_GEMINI_BASE_URL": desk.model,
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
            # It is started with a shebang of `node`.
            "PATH": f"{node().parent}{os.pathsep}{os.environ['PATH']}",
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
