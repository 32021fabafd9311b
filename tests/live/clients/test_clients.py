"""Real coding agents load our skills and build connect four through our MCP tools.

Nothing is asked of a real model: a scripted one on loopback says what to do next, and remembers
what the client showed it. A client that npm cannot install fails these tests, unless
SKILL_TOOLS_UNAVAILABLE_CLIENTS names it.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest
from fastmcp import Client as McpClient
from ruamel.yaml import YAML

from evals.agents import npm
from evals.agents.clients import COMMAND, ClaudeCode, Codex, OpenCode
from evals.agents.desk import Desk, machine
from evals.agents.model_apis import Call, Say
from evals.agents.npm import PLATFORM, CannotInstall
from evals.agents.scripted_model import Script
from skill_tools.frameworks.rules import load
from skill_tools.mcp.app import INSTRUCTIONS, TOOLS, create
from skill_tools.mcp.tools import SkillTools
from skill_tools.rollouts.rollout import prepare
from tests.conftest import CONNECT_FOUR, ROOT
from tests.mcp.test_episodes import write_episode
from tests.processes import MARK, commands, marked, until

from . import clients
from .clients import OTHERS, UNAVAILABLE, ClaudeCodeAsInstalled
from .session import (
    FILES,
    LAST_WORDS,
    SKILL,
    SKILLS_CLI,
    Plan,
    Session,
    add_skills,
    answer,
    hold,
    mentions,
)  # fmt: skip

INSPECTOR = "@modelcontextprotocol/inspector@2.12.0"
SKILLS = sorted(path.parent.name for path in (ROOT / "skills").glob("*/SKILL.md"))
THEIRS = re.compile("claude|codex|opencode|gemini|cline|copilot|agents|inspector")
FOUR = ["openenv", "ors", "verifiers", "nemo_gym"]
PLANS = [
    Plan(ClaudeCode(), tasks=3, frameworks=["openenv", "verifiers"]),
    *(
        pytest.param(plan, marks=pytest.mark.everything("clients"))
        for plan in (
            Plan(Codex(), tasks=3, frameworks=["ors"]),
            Plan(OpenCode(), tasks=3),
            *(Plan(client, tasks=3, frameworks=["openenv"]) for client in OTHERS),
        )
    ),
]


def available(name: str, *packages: str) -> None:
    """Skip what this machine is known to lack; fail for what it lacks unexpectedly."""
    if name in clients.unavailable():
        pytest.skip(f"{UNAVAILABLE} names {name}")
    try:
        for package in packages:
            npm.install(package)
    except CannotInstall as error:
        pytest.fail(
            f"{name} cannot be installed: {error}\nIf that is expected on this machine, name it: "
            f"{UNAVAILABLE}={name}",
            pytrace=False,
        )


@pytest.fixture(scope="module")
def artifacts(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    """Where transcripts are kept; printed at the end."""
    named = os.environ.get("SKILL_TOOLS_ARTIFACTS")
    folder = Path(named).absolute() / "clients" if named else tmp_path_factory.mktemp("clients")
    folder.mkdir(parents=True, exist_ok=True)
    yield folder
    with request.config.pluginmanager.get_plugin("capturemanager").global_and_fixture_disabled():
        sys.stdout.write(f"\ntranscripts of the coding agents: {folder}\n")


@pytest.fixture(scope="module", params=PLANS, ids=lambda plan: plan.client.name)
def session(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, artifacts: Path
) -> Session:
    """One client from the sentence to its last words."""
    plan: Plan = request.param
    available("skills", SKILLS_CLI)
    available(plan.client.name, plan.client.package)
    # The session has no network, so the variants' packages are in the cache before it.
    spec = load(CONNECT_FOUR)
    packages = tmp_path_factory.mktemp("packages")
    prepare(spec, packages, plan.frameworks or spec.frameworks, lambda who, what: None)
    before = real_home()
    held = hold(plan, tmp_path_factory.mktemp(plan.client.name), artifacts / plan.client.name)
    held.new_at_home = real_home() - before
    return held


def real_home() -> set[str]:
    """The folders in the user's own home that a client keeps its things in."""
    home = Path.home()
    places = [home, home / ".config", home / ".cache", home / ".local/share", home / ".local/state"]
    found = [path for place in places if place.is_dir() for path in place.iterdir()]
    return {str(path) for path in found if THEIRS.search(path.name)}


def test_the_session_ends_as_scripted(session: Session) -> None:
    if session.model.problem:
        raise session.model.problem
    done = session.finished
    assert done.returncode == 0, f"{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    assert session.model.turns[-1].action.text == LAST_WORDS
    assert LAST_WORDS in done.stdout


def test_the_model_is_shown_each_skill_and_then_the_text_of_the_one_it_loads(
    session: Session,
) -> None:
    first, after = session.model.requests[:2]
    for name in SKILLS:
        front, body = skill(ROOT / "skills" / name)
        catalogue = "\n".join([first.text, *(tool.description for tool in first.tools)])
        assert name in catalogue
        reported = mentions(catalogue, front["description"])
        assert reported == session.plan.client.shows_descriptions, name
        assert not mentions(first.text, body), name
    assert mentions(after.text, skill(ROOT / "skills" / SKILL)[1])


def skill(folder: Path) -> tuple[dict[str, str], str]:
    """The front matter and the body of a skill."""
    _, front, body = (folder / "SKILL.md").read_text("utf-8").split("---\n", 2)
    return YAML(typ="safe").load(front), body


async def test_the_model_is_shown_our_tools_with_their_descriptions(session: Session) -> None:
    async with McpClient(create(SkillTools())) as client:
        ours = {tool.name: tool for tool in await client.list_tools()}
    assert set(ours) == set(TOOLS)
    for name, tool in ours.items():
        shown = session.model.offered(name)
        assert mentions(shown.description, tool.description)
        wanted = tool.input_schema
        # Some clients add arguments of their own.
        assert set(shown.schema["properties"]) >= set(wanted["properties"]), name
        assert set(shown.schema.get("required", [])) == set(wanted.get("required", [])), name
        for argument, schema in wanted["properties"].items():
            said = schema.get("description", "")
            assert mentions(json.dumps(shown.schema["properties"][argument]), said), argument


def test_the_model_is_told_the_order_of_the_work(session: Session) -> None:
    reported = mentions(session.model.requests[0].text, INSTRUCTIONS)
    assert reported == session.plan.client.shows_instructions


async def test_every_result_reaches_the_model_whole(session: Session) -> None:
    turns = session.ours(*TOOLS)
    assert len({turn.action.tool for turn in turns}) >= 5
    async with McpClient(create(SkillTools())) as client:
        schemas = {tool.name: tool.output_schema for tool in await client.list_tools()}
        for turn in turns:
            name, shown = turn.action.tool, answer(turn.result)
            jsonschema.validate(shown, schemas[name])
            if name in ("list_archetypes", "read_exemplar", "render_file", "explain_check"):
                again = await client.call_tool(name, dict(turn.action.arguments))
                assert shown == again.structured_content


def test_the_folder_holds_a_green_environment(session: Session) -> None:
    folder = session.folder
    for name in FILES:
        assert (folder / name).read_text("utf-8") == (CONNECT_FOUR / name).read_text("utf-8")
    assert (folder / "env.lock.json").is_file()
    for framework in FOUR:
        assert (folder / framework / "rollout.py").is_file()
    report = (folder / "runs" / "report.md").read_text("utf-8")
    assert "green" in report
    for framework in session.plan.frameworks or FOUR:
        assert framework in report
    job = answer(session.ours("validate_env", "get_job", "run_smoke_rollout")[0].result)
    assert job["env_path"] == str(folder)


def test_nothing_is_left_running(session: Session) -> None:
    assert not session.left_running


def test_no_network_is_wanted_and_the_real_home_is_left_alone(session: Session) -> None:
    hosts = {stranger.split()[-1].split(":")[0] for stranger in session.model.strangers}
    assert hosts <= set(session.plan.client.insists)
    assert not session.new_at_home


def search_for_tools(plan: Plan, desk: Desk) -> Script:
    """What a model has to do where our MCP tools are told by name only."""
    yield plan.client.load_skill(SKILL, desk)
    yield Call("ToolSearch", {"query": "select:mcp__skill_tools__list_archetypes"})
    yield Call("list_archetypes", {})
    yield Say(LAST_WORDS)


@pytest.mark.everything("clients")
def test_our_tools_are_found_where_a_client_hides_them(tmp_path: Path, artifacts: Path) -> None:
    client = ClaudeCodeAsInstalled()
    available(client.name, client.package)
    kept = artifacts / "claude-as-installed"
    held = hold(Plan(client, tasks=0), tmp_path, kept, search_for_tools)
    if held.model.problem:
        raise held.model.problem
    first = held.model.requests[0]
    assert not [tool.name for tool in first.tools if "skill_tools" in tool.name]
    assert all(f"mcp__skill_tools__{name}" in first.text for name in TOOLS)
    assert mentions(first.text, INSTRUCTIONS)
    assert answer(held.model.turns[2].result)["archetypes"]
    assert not held.left_running


@pytest.mark.everything("installers")
def test_npx_skills_takes_five_skills_and_no_stray_from_the_checkout(tmp_path: Path) -> None:
    available("skills", SKILLS_CLI)
    home, project = tmp_path / "home", tmp_path / "project"
    home.mkdir()
    project.mkdir()
    add_skills(project, home)
    assert len(SKILLS) == 5
    assert names(project) == [".agents", ".claude", "skills-lock.json"]
    assert names(project / ".agents") == names(project / ".claude") == ["skills"]
    assert names(project / ".agents" / "skills") == SKILLS
    assert names(project / ".claude" / "skills") == SKILLS
    for name in SKILLS:
        link = project / ".claude" / "skills" / name
        assert link.readlink() == Path(f"../../.agents/skills/{name}")
    assert sorted(json.loads((project / "skills-lock.json").read_text())["skills"]) == SKILLS
    assert set(names(home)) <= {".npm"}


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


READ_ONLY = {
    "list_archetypes": {"name": "pure-python-game"},
    "list_frameworks": {},
    "check_spec": {"env_path": str(CONNECT_FOUR)},
    "render_file": {"env_path": str(CONNECT_FOUR), "file": "ors/server.py", "limit": "9"},
    "explain_check": {"check": "REW001"},
    "list_exemplars": {},
    "read_exemplar": {"exemplar": "connect_four", "file": "game.py", "limit": "5"},
}


@pytest.mark.everything("clients")
def test_the_inspector_finds_our_tools_portable(tmp_path: Path) -> None:
    found = inspect(tmp_path, "--strict", "--method", "tools/list")
    assert found.returncode == 0, found.stderr
    assert {tool["name"] for tool in json.loads(found.stdout)["tools"]} == set(TOOLS)
    assert "Path: inputSchema" not in found.stderr


@pytest.mark.everything("clients")
def test_the_inspector_calls_every_read_only_tool(tmp_path: Path) -> None:
    hints = {name for name, (_, hint) in TOOLS.items() if hint["readOnlyHint"]}
    assert hints <= {*READ_ONLY, "show_episode"}
    for name, arguments in READ_ONLY.items():
        pairs = [part for pair in arguments.items() for part in ("--tool-arg", "=".join(pair))]
        found = inspect(tmp_path, "--method", "tools/call", "--tool-name", name, *pairs)
        assert found.returncode == 0, f"{name}: {found.stdout}{found.stderr}"
        result = json.loads(found.stdout)
        assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
    played = f"env_path={write_episode(tmp_path / 'counter')}"
    found = inspect(
        tmp_path, "--method", "tools/call", "--tool-name", "show_episode", "--tool-arg", played
    )
    assert found.returncode == 0, f"{found.stdout}{found.stderr}"
    result = json.loads(found.stdout)
    assert [block["type"] for block in result["content"]][:3] == ["text", "text", "image"]
    assert result["structuredContent"]["total"] == 3


def inspect(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the MCP Inspector's command line on our server."""
    available("inspector", INSPECTOR)
    program = npm.install(INSPECTOR) / ".bin" / "mcp-inspector"
    mark = f"inspector-{os.getpid()}"
    found = subprocess.run(
        [npm.node(), program, "--cli", *COMMAND, *arguments],
        check=False,
        cwd=folder,
        env={**machine(), "HOME": str(folder), MARK: mark},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert until(lambda: not marked(mark)), commands(marked(mark))
    return found


def test_a_client_that_cannot_be_installed_fails_unless_it_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SKILL_TOOLS_CACHE", str(tmp_path))
    missing = f"opencode-{PLATFORM}@0.0.0-never"
    with pytest.raises(pytest.fail.Exception, match=f"{UNAVAILABLE}=opencode"):
        available("opencode", missing)
    assert not list(tmp_path.rglob("complete"))
    monkeypatch.setenv(UNAVAILABLE, "gemini, opencode")
    with pytest.raises(pytest.skip.Exception, match="opencode"):
        available("opencode", missing)
    monkeypatch.setenv(UNAVAILABLE, "opencod")
    with pytest.raises(AssertionError, match="opencod"):
        available("opencode", missing)
