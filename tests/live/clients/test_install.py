"""Installing as the README says, with the real installers; the server starts from each place."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shlex
import shutil
import subprocess
import tomllib
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client
from fastmcp.client.transports import StdioTransport
from uv import find_uv_bin

from evals.agents.clients import ClaudeCode, Codex, GeminiCli
from evals.agents.clients import Client as CodingAgent
from evals.agents.desk import machine
from evals.agents.npm import install, node
from skill_tools.mcp.app import TOOLS
from tests.conftest import CONNECT_FOUR, ROOT
from tests.pages.snippets import DOCUMENTS, blocks, declared
from tests.pages.test_install import SERVER, SKILLS, published

from .test_clients import available

pytestmark = pytest.mark.everything("installers")
# The server says it, so what answers is the copy and not this checkout.
MARK = "0.1.0+copy"
UNREACHABLE = {
    **dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"), "http://127.0.0.1:9"),
    "UV_HTTP_RETRIES": "0",
}
SHELL = "\n".join(
    text for document in DOCUMENTS for language, text in blocks(document) if language == "bash"
)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a clone holds, elsewhere and without git."""
    folder = tmp_path_factory.mktemp("elsewhere") / "rl-env-skills"
    for path in published():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / path, folder / path, follow_symlinks=False)
    module = folder / "skill_tools" / "__init__.py"
    text = module.read_text("utf-8")
    module.write_text(re.sub(r'(?<=__version__ = ").*(?=")', MARK, text), "utf-8")
    return folder


@pytest.fixture(scope="module")
def uv_only(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for the PATH with uv in it, and without what the tests' own venv holds."""
    folder = tmp_path_factory.mktemp("uv")
    for name in ("uv", "uvx"):
        (folder / name).symlink_to(Path(find_uv_bin()).with_name(name))
    return folder


@pytest.fixture(scope="module")
def wheel(copy: Path, uv_only: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package that would be published."""
    out = tmp_path_factory.mktemp("dist")
    run(["uv", "build", "--quiet", "--wheel", "--out-dir", str(out), str(copy)], uv_only, out)
    (found,) = out.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def tool(copy: Path, uv_only: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of commands after the README's `uv tool install`."""
    home = tmp_path_factory.mktemp("tool")
    (command,) = set(re.findall(r'^uv tool install "\./.*$', SHELL, re.MULTILINE))
    places = {"UV_TOOL_DIR": str(home / "tools"), "UV_TOOL_BIN_DIR": str(home / "bin")}
    run(shlex.split(command, comments=True), uv_only, copy.parent, **places)
    return home / "bin"


def environment(path: Path, home: Path, **more: str) -> dict[str, str]:
    """Nothing of the tests' own venv: neither on the PATH, nor what Python reads."""
    kept = [
        part for part in os.environ["PATH"].split(os.pathsep) if not Path(part).is_relative_to(ROOT)
    ]
    return {
        **machine(),
        "HOME": str(home),
        "PATH": os.pathsep.join([str(path), str(node().parent), *kept]),
        "SKILL_TOOLS_DATA": str(home / "data"),
        "DISABLE_TELEMETRY": "1",
        **more,
    }


def run(command: list[str], path: Path, folder: Path, **more: str) -> str:
    """Run to the end without a terminal; what it printed."""
    found = subprocess.run(
        command, cwd=folder, env=environment(path, folder, **more), stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    assert not found.returncode, f"{command}\n{found.stdout}\n{found.stderr}"
    return found.stdout


@dataclass(frozen=True)
class Start:
    """How a client starts the server: the command, and what it sets in its environment."""

    command: list[str]
    sets: dict[str, str]

    @classmethod
    def of(cls, server: dict[str, Any], variables: dict[str, str]) -> Start:
        """A declaration as its client reads it: with the variables replaced."""
        text = json.dumps(server)
        for name, value in variables.items():
            text = text.replace(f"${{{name}}}", value)
        assert "${" not in text
        read = json.loads(text)
        return cls([read["command"], *read["args"]], read.get("env", {}))


def start(how: Start, path: Path, home: Path, cwd: Path, **more: str) -> None:
    """Start the server and use everything of it once."""
    env = environment(path, home, **how.sets, **more)
    found = shutil.which(how.command[0], path=env["PATH"])
    assert found, how.command
    transport = StdioTransport(
        found, how.command[1:], env=env, cwd=str(cwd), keep_alive=False, log_file=home / "log"
    )
    target = home / "connect_four"
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(CONNECT_FOUR, target)

    async def use() -> None:
        async with Client(transport, init_timeout=300) as client:
            tools = {tool.name for tool in await client.list_tools()}
            assert tools == set(TOOLS)
            assert client.server_info.version == MARK
            await _used(client, target)

    asyncio.run(use())


async def _used(client: Client, target: Path) -> None:
    async def answer(tool: str, /, **arguments: Any) -> dict[str, Any]:
        return (await client.call_tool(tool, arguments)).structured_content

    listed = {each["name"] for each in (await answer("list_exemplars"))["exemplars"]}
    assert listed >= {"wordle", "connect_four", "starter/pure-python-game"}
    read = await answer("read_exemplar", exemplar="connect_four", file="game.py")
    assert (CONNECT_FOUR / "game.py").read_text("utf-8").startswith(read["text"])
    assert (await answer("list_archetypes", name="pure-python-game"))["starter_files"]
    # All templates are there.
    await answer("render_env", env_path=str(target), frameworks=["all"])
    assert (target / "gem" / "README.md").is_file()
    (schema,) = await client.read_resource("spec://env.schema.json")
    assert json.loads(schema.text)["title"]
    for skill in SKILLS:
        (page,) = await client.read_resource(f"skill://{skill}/SKILL.md")
        assert page.text == (ROOT / "skills" / skill / "SKILL.md").read_text("utf-8")


@pytest.fixture(params=["agent_plugin", "claude_plugin", "gemini_extension", "wheel", "uvx"])
def place(
    request: pytest.FixtureRequest, copy: Path, wheel: Path, uv_only: Path, tmp_path: Path
) -> Start:
    """A way to start the server, in a place where it has never been started."""
    if request.param == "wheel":
        venv = tmp_path / "venv"
        run(["uv", "venv", "--quiet", str(venv)], uv_only, tmp_path)
        python = ["--python", str(venv / "bin" / "python")]
        run(["uv", "pip", "install", "--quiet", *python, f"{wheel}[serve]"], uv_only, tmp_path)
        return Start([str(venv / "bin" / "skill-tools"), "mcp"], {})
    if request.param == "uvx":
        return Start(["uvx", "--quiet", "--from", f"{copy}[serve]", "skill-tools", "mcp"], {})
    own = Path(shutil.copytree(copy, tmp_path / "plugin", symlinks=True))
    root, data = str(own), str(tmp_path / "plugin data")
    file, variables = {
        "agent_plugin": ("mcp.json", {"PLUGIN_ROOT": root, "PLUGIN_DATA": data}),
        "claude_plugin": (
            ".claude-plugin/plugin.json", {"CLAUDE_PLUGIN_ROOT": root, "CLAUDE_PLUGIN_DATA": data}
        ),
        "gemini_extension": ("gemini-extension.json", {"extensionPath": root, "/": os.sep}),
    }[request.param]  # fmt: skip
    return Start.of(json.loads((own / file).read_text("utf-8"))["mcpServers"][SERVER], variables)


def test_server_starts_from_every_place(place: Start, uv_only: Path, tmp_path: Path) -> None:
    """Cold as its client starts it; warm in an empty folder and at the root."""
    plugin = tmp_path / "plugin"
    (empty := tmp_path / "empty").mkdir()
    folders = [plugin if plugin.is_dir() else empty, empty, Path("/")]
    for folder in folders:
        start(place, uv_only, tmp_path, folder)
    # Nothing is left in the folders of the user's project.
    assert not list(empty.iterdir())


def test_warm_plugin_needs_no_network(copy: Path, uv_only: Path, tmp_path: Path) -> None:
    variables = {"PLUGIN_ROOT": str(copy), "PLUGIN_DATA": str(tmp_path)}
    server = json.loads((copy / "mcp.json").read_text("utf-8"))["mcpServers"][SERVER]
    how = Start.of(server, variables)
    start(how, uv_only, tmp_path, tmp_path)
    # An hour later, when uv would ask the index again.
    start(how, uv_only, tmp_path, tmp_path, **UNREACHABLE, UV_CACHE_DIR=str(tmp_path / "cache"))


def test_wheel_carries_what_is_used_and_nothing_else(
    wheel: Path, uv_only: Path, tmp_path: Path
) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    top = {name.partition("/")[0] for name in names}
    assert top == {"skill_tools", "rl_env_skills-0.1.0.dist-info"}
    assert not [
        name for name in names if re.search(r"runs/|__pycache__|\.venv|^tests/|benchmarks", name)
    ]
    # A case's answers and graders are no exemplar.
    cases = {name.split("/")[4] for name in names if "/_exemplars/cases/" in name}
    assert cases == {"reference"}
    command = ["uvx", "--quiet", "--from", str(wheel), "skill-tools", "--version"]
    assert run(command, uv_only, tmp_path).strip() == MARK


def snippets() -> list[Any]:
    found = []
    for document in DOCUMENTS:
        for language, text in blocks(document):
            if language in ("json", "toml"):
                read = json.loads(text) if language == "json" else tomllib.loads(text)
                found += [
                    pytest.param(server, id=f"{document.stem}-{server.client}")
                    for server in declared(read)
                ]
    return found


@pytest.mark.parametrize("server", snippets())
def test_server_of_a_snippet_starts(server: Any, tool: Path, uv_only: Path, tmp_path: Path) -> None:
    del uv_only  # Once installed, uv is not needed.
    start(Start(server.command, {}), tool, tmp_path, tmp_path, **UNREACHABLE)


def test_skills_find_the_command(tool: Path, uv_only: Path, copy: Path, tmp_path: Path) -> None:
    """What SKILL.md names as the fallback runs this package, installed or from its source."""
    text = (ROOT / "skills/rl-env-from-description/SKILL.md").read_text("utf-8")
    (command,) = re.findall(r"`(uvx [^`]*) COMMAND`", text)
    line = shlex.split(command.replace("SOURCE", str(copy)))
    assert run([*line, "--version"], uv_only, tmp_path).strip() == MARK
    assert run(["skill-tools", "--version"], tool, tmp_path).strip() == MARK


def npx(package: str, line: str, folder: Path, path: Path) -> str:
    """Run a line of the README that begins with npx, with this version of the package."""
    _, name, *arguments = shlex.split(line)
    (binary,) = {"skills": ["bin/cli.mjs"], "add-mcp": ["dist/index.js"]}[name]
    available("skills", package)
    script = install(package) / name / binary
    return run([str(node()), str(script), *arguments], path, folder)


# With Node below 22.20 npx takes the older one.
@pytest.mark.parametrize("package", ["skills@1.7.4", "skills@1.5.18"])
def test_npx_skills_adds_the_five(package: str, copy: Path, uv_only: Path, tmp_path: Path) -> None:
    (tmp_path / "rl-env-skills").symlink_to(copy)
    (line,) = set(re.findall(r"^npx skills add .* -a .*$", SHELL, re.MULTILINE))
    assert {"claude-code", "cursor", "codex"} <= set(line.split())
    listed = npx(package, "npx skills add ./rl-env-skills --list", tmp_path, uv_only)
    plain = re.sub(r"\x1b\[[0-9;?]*\w", "", listed)
    assert set(re.findall(r"^│ {4}(\S+)$", plain, re.MULTILINE)) == SKILLS
    npx(package, line, tmp_path, uv_only)
    (tmp_path / "rl-env-skills").unlink()
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {".agents", ".claude", "skills-lock.json"}
    for skill in SKILLS:
        added = tmp_path / ".agents" / "skills" / skill
        assert files(added) == files(ROOT / "skills" / skill)
        link = tmp_path / ".claude" / "skills" / skill
        assert link.is_symlink()
        assert link.resolve() == added
    for place in (".agents", ".claude"):
        assert {path.name for path in (tmp_path / place).iterdir()} == {"skills"}
        assert {path.name for path in (tmp_path / place / "skills").iterdir()} == SKILLS


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_add_mcp_writes_the_snippets(uv_only: Path, tmp_path: Path) -> None:
    """One line for all clients writes what the README tells to write by hand."""
    (line,) = set(re.findall(r'^npx add-mcp "skill-tools mcp" .*$', SHELL, re.MULTILINE))
    (tmp_path / "project").mkdir()
    npx("add-mcp@2.4.0", line, tmp_path / "project", uv_only)
    written = {
        path.relative_to(tmp_path / "project").as_posix(): path.read_text("utf-8")
        for path in (tmp_path / "project").rglob("*")
        if path.suffix in (".json", ".jsonc", ".toml")
    }
    assert set(written) == {
        ".mcp.json", ".cursor/mcp.json", ".codex/config.toml", "opencode.jsonc",
        ".gemini/settings.json", ".vscode/mcp.json",
    }  # fmt: skip
    documented = {server.client for server in (parameter.values[0] for parameter in snippets())}
    seen = set()
    for path, text in written.items():
        read = tomllib.loads(text) if path.endswith(".toml") else json.loads(text)
        (server,) = declared(read)
        assert (server.name, server.command) == (SERVER, ["skill-tools", "mcp"]), path
        seen.add(server.client)
    assert seen == documented


def program(client: CodingAgent) -> str:
    """The client's program; skips where the machine is known to lack it."""
    available(client.name, client.package)
    return str(client.installed())


def test_claude_code_installs_the_plugin(copy: Path, uv_only: Path, tmp_path: Path) -> None:
    claude = program(ClaudeCode())
    own = Path(shutil.copytree(copy, tmp_path / "rl-env-skills", symlinks=True))
    more = {"DISABLE_AUTOUPDATER": "1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "ANTHROPIC_API_KEY": "none", "ANTHROPIC_BASE_URL": "http://127.0.0.1:9",
            "MCP_TIMEOUT": "120000"}  # fmt: skip

    def said(*arguments: str) -> str:
        return run([claude, *arguments], uv_only, tmp_path, **more)

    assert "Validation passed" in said("plugin", "validate", str(own))
    for line in re.findall(r"^claude (plugin .*)$", SHELL, re.MULTILINE):
        said(*shlex.split(line))
    details = said("plugin", "details", "rl-env-skills")
    assert set(re.findall(r"Skills \(5\)  (.*)", details)[0].split(", ")) == SKILLS
    assert re.search(rf"plugin:rl-env-skills:{SERVER}: uv run .* Connected", said("mcp", "list"))


def test_codex_installs_the_plugin(copy: Path, uv_only: Path, tmp_path: Path) -> None:
    codex = program(Codex())
    shutil.copytree(copy, tmp_path / "rl-env-skills", symlinks=True)
    (tmp_path / ".codex").mkdir()
    for line in re.findall(r"^codex (plugin .*)$", SHELL, re.MULTILINE):
        run([codex, *shlex.split(line)], uv_only, tmp_path)
    (server,) = json.loads(run([codex, "mcp", "list", "--json"], uv_only, tmp_path))
    assert server["name"] == SERVER
    how = server["transport"]
    cached = (tmp_path / ".codex" / "plugins").rglob("SKILL.md")
    assert sorted(path.parent.name for path in cached) == sorted(SKILLS)
    command = Start([how["command"], *how["args"]], how["env"])
    start(command, uv_only, tmp_path, Path(how["cwd"]))


def test_gemini_cli_installs_the_extension(copy: Path, uv_only: Path, tmp_path: Path) -> None:
    gemini = program(GeminiCli())
    shutil.copytree(copy, tmp_path / "rl-env-skills", symlinks=True)
    more = {"GEMINI_API_KEY": "none", "GEMINI_CLI_TRUST_WORKSPACE": "true"}

    def said(*arguments: str) -> str:
        found = subprocess.run(
            [str(node()), gemini, *arguments], cwd=tmp_path, stdin=subprocess.DEVNULL,
            env=environment(uv_only, tmp_path, **more), capture_output=True, text=True,
            timeout=300, check=False,
        )  # fmt: skip
        assert not found.returncode, found.stderr
        return found.stdout + found.stderr

    assert "successfully validated" in said("extensions", "validate", "./rl-env-skills")
    for line in re.findall(r"^gemini (extensions .*)$", SHELL, re.MULTILINE):
        said(*shlex.split(line), "--consent")
    listed = said("extensions", "list")
    assert SERVER in listed.partition("MCP servers:")[2]
    assert (
        set(re.findall(r"^ {2}([a-z-]+): ", listed.partition("Agent skills:")[2], re.MULTILINE))
        == SKILLS
    )
