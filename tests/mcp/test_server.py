"""The MCP tools as clients meet them: what is told, what is refused, and how much of it."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client
from fastmcp.client.transports import StdioTransport

from skill_tools.checks import catalogue
from skill_tools.mcp.app import INSTRUCTIONS, TOOLS, create
from skill_tools.mcp.jobs import JobLimits
from skill_tools.mcp.tools import SkillTools
from skill_tools.report import exemplars
from tests.conftest import ROOT, snapshot, write_counter
from tests.processes import MARK, below, plays, until
from tests.selection import some

from .mcp_clients import COMMAND, call, raw_client, refused
from .test_jobs import HANGS

NAMES = {
    "list_archetypes",
    "list_frameworks",
    "check_spec",
    "render_file",
    "render_env",
    "validate_env",
    "run_smoke_rollout",
    "show_episode",
    "study_env",
    "get_job",
    "explain_check",
    "list_exemplars",
    "read_exemplar",
}
REQUIRED: dict[str, dict[str, Any]] = {
    "render_file": {"file": "_shared/episode.py"},
    "run_smoke_rollout": {"framework": "ors"},
}
ENDINGS = [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL, None]
PLAYING = ("validate_env", "run_smoke_rollout", "study_env")
IN_FOLDERS = ("check_spec", "render_file", "render_env", "show_episode", *PLAYING)


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SKILL_TOOLS_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.fixture(params=["legacy", "auto"])
async def client(request: pytest.FixtureRequest) -> AsyncIterator[Client]:
    async with Client(create(SkillTools()), mode=request.param) as made:
        yield made


@pytest.fixture
async def one(tmp_path: Path) -> AsyncIterator[Client]:
    """A client of the newest protocol, for what does not depend on it."""
    async with Client(create(SkillTools())) as made:
        yield made


async def test_the_tools_are_those_promised_and_fully_described(client: Client) -> None:
    tools = {tool.name: tool for tool in await client.list_tools()}
    assert set(tools) == NAMES
    for name, tool in tools.items():
        assert tool.title
        assert 40 < len(tool.description) < 400
        assert tool.output_schema["type"] == "object"
        hints = tool.annotations
        assert None not in (hints.read_only_hint, hints.idempotent_hint)
        assert hints.open_world_hint is False
        assert hints.read_only_hint or hints.destructive_hint is False
        for argument, schema in tool.input_schema["properties"].items():
            assert schema.get("description"), f"{name}.{argument}"
    in_folders = {name for name, t in tools.items() if "env_path" in t.input_schema["properties"]}
    assert in_folders == set(IN_FOLDERS)


async def test_what_may_run_or_write_is_not_called_read_only(client: Client) -> None:
    # Clients let read-only tools pass without asking, and approve=true runs the folder's code.
    for tool in await client.list_tools():
        takes = set(tool.input_schema["properties"])
        if takes & {"approve", "force", "cancel"}:
            assert tool.annotations.read_only_hint is False, tool.name


async def test_the_instructions_name_every_tool_of_the_way_and_are_short(client: Client) -> None:
    assert client.instructions == INSTRUCTIONS
    assert len(INSTRUCTIONS) <= 800
    assert not [name for name in NAMES if name not in INSTRUCTIONS]
    assert "absolute" in INSTRUCTIONS


def bad_paths(tmp_path: Path) -> dict[str, tuple[str, str]]:
    """Paths that are no environment below ``inside``, each with what must be said of it."""
    outside = write_counter(tmp_path / "outside")
    inside = tmp_path / "inside"
    write_counter(inside / "good")
    (inside / "empty").mkdir()
    (inside / "link").symlink_to(outside)
    (inside / "linked").mkdir()
    (inside / "linked" / "env.yaml").symlink_to(outside / "env.yaml")
    write_counter(inside / "shown")
    (inside / "shown" / "examples.yaml").symlink_to(outside / "env.yaml")
    (inside / "loop").symlink_to(inside / "loop")
    return {
        "relative": ("good", "env_path must be absolute"),
        "dots": ("../inside/good", "env_path must be absolute"),
        "home": ("~/good", "env_path must be absolute"),
        "nothing": ("", "env_path must be absolute"),
        "missing": (f"{inside}/missing", "there is no folder"),
        "empty": (f"{inside}/empty", "has no env.yaml"),
        "above": (str(inside), f"did you mean {inside}/good"),
        "file": (f"{inside}/good/game.py", "is a file; give the folder that holds env.yaml"),
        "outside": (
            str(outside),
            f"outside the folders of this server: {inside}",
        ),
        "climbing": (f"{inside}/good/../../outside", "outside the folders"),
        "link out": (f"{inside}/link", f"(a link to {outside})"),
        "spec out": (f"{inside}/linked", "is a link that leaves the folders"),
        "examples out": (f"{inside}/shown", "examples.yaml is a link that leaves the folders"),
        "loop": (f"{inside}/loop", "cannot be read"),
        "zero": (f"{inside}/a\0b", "cannot be read"),
        "long": (f"{inside}/{'x' * 5000}", "cannot be read"),
    }


@pytest.mark.everything("costly")
@pytest.mark.parametrize("tool", IN_FOLDERS)
async def test_a_path_that_is_no_environment_is_refused_with_what_was_expected(
    tool: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = bad_paths(tmp_path)
    monkeypatch.chdir(tmp_path / "inside")
    before = snapshot(tmp_path)
    async with Client(create(SkillTools([tmp_path / "inside"]))) as client:
        for path, said in paths.values():
            text = await refused(client, tool, env_path=path, **REQUIRED.get(tool, {}))
            assert said in text
    assert snapshot(tmp_path) == before


async def test_the_spec_file_stands_for_its_folder(client: Client, counter: Path) -> None:
    found = await call(client, "check_spec", env_path=str(counter / "env.yaml"))
    assert (found["ok"], found["environment"]) == (True, "counter")


async def test_a_folder_below_a_root_is_worked_in(counter: Path) -> None:
    async with Client(create(SkillTools([counter.parent]))) as client:
        assert (await call(client, "render_env", env_path=str(counter)))["written"]


TEN = [
    ("name: counter", "name: Count Er\ncolour: red"),
    ("archetype: pure-python-game", "archetype: game"),
    ("domain: game:Counter", "domain: game"),
    ("oracle: oracle:solve", "oracel: oracle:solve"),
    ("type: integer", "type: int"),
    ("type: string", "type: text"),
    ("max_turns: 6", "max_turns: many"),
    ("hidden: [target_word]", "hidden: 3"),
    ('user: "{observation}"', "usr: x"),
    ("title: Counter", "title: 3"),
    ("episode:", "reward: {timing: never}\nepisode:"),
]


async def test_a_spec_with_ten_errors_lists_all_of_them_page_by_page(
    client: Client, tmp_path: Path
) -> None:
    folder = write_counter(tmp_path / "ten", env=TEN)
    before = snapshot(folder)
    whole = await call(client, "check_spec", env_path=str(folder))
    assert whole["total"] >= 10
    assert len(whole["problems"]) == whole["total"]
    assert not whole["ok"]
    assert whole["next_offset"] is None
    assert all(f"{folder}/env.yaml:" in problem["where"] for problem in whole["problems"])
    paged, offset = [], 0
    while offset is not None:
        page = await call(client, "check_spec", env_path=str(folder), offset=offset, limit=4)
        assert len(page["problems"]) <= 4
        paged += page["problems"]
        offset = page["next_offset"]
    assert paged == whole["problems"]
    for tool in ("render_file", "render_env", *PLAYING):
        text = await refused(client, tool, env_path=str(folder), **REQUIRED.get(tool, {}))
        assert f"and {whole['total'] - 3} more: call check_spec" in text
    assert snapshot(folder) == before


@pytest.mark.everything("costly")
async def test_a_domain_that_breaks_is_a_problem_and_not_a_crash(
    one: Client, tmp_path: Path
) -> None:
    folder = write_counter(tmp_path / "broken", game=("import random\n", "import randon\n"))
    found = await call(one, "check_spec", env_path=str(folder), approve=True)
    assert not found["ok"]
    assert found["domain_checked"]
    assert "importing game.py failed" in found["problems"][0]["what"]


async def test_a_domain_that_fails_a_check_is_told_with_its_fix(
    one: Client, tmp_path: Path
) -> None:
    folder = write_counter(tmp_path / "broken", game=("    def look(self):", "    def lock(self):"))
    found = await call(one, "check_spec", env_path=str(folder), approve=True)
    assert not found["ok"]
    assert "look" in found["findings"][0]["message"]
    assert found["findings"][0]["fix"]


@pytest.mark.live
async def test_a_domain_that_never_ends_does_not_hold_the_client(
    one: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("skill_tools.mcp.tools.WAIT", 3.0)
    sleeps = ("import random\n", "import random, time\ntime.sleep(600)\n")
    folder = write_counter(tmp_path / "sleeps", game=sleeps)
    found = await call(one, "check_spec", env_path=str(folder), approve=True)
    assert (found["ok"], found["domain_checked"]) == (False, False)
    assert "still being imported" in found["next"]


@pytest.mark.everything("costly")
async def test_nothing_of_the_authors_runs_without_consent(one: Client, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    writes = ("import random\n", f"import random\nopen({str(ran)!r}, 'w').close()\n")
    folder = write_counter(tmp_path / "counter", game=writes)
    await call(one, "render_env", env_path=str(folder))
    found = await call(one, "check_spec", env_path=str(folder))
    assert found["ok"]
    assert not found["domain_checked"]
    assert "approve=true" in found["next"]
    for tool in PLAYING:
        text = await refused(one, tool, env_path=str(folder), **REQUIRED.get(tool, {}))
        assert f"the Python code in {folder}" in text
        assert "Ask the user" in text
        assert "approve=true" in text
    await call(one, "render_file", env_path=str(folder), file="_shared/episode.py")
    assert not ran.exists()
    await call(one, "check_spec", env_path=str(folder), approve=True)
    assert ran.exists()
    again = await call(one, "check_spec", env_path=str(folder))
    assert again["domain_checked"]


@pytest.mark.everything("server")
@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("list_archetypes", {"name": "pure-python-gam"}, "did you mean 'pure-python-game'"),
        (
            "list_frameworks",
            {"name": "gym"},
            "there is no framework 'gym'; did you mean 'gem'? there are: openenv",
        ),
        ("explain_check", {"check": "ISO-001"}, "did you mean 'ISO001'?"),
        ("list_exemplars", {"exemplar": "wordel"}, "did you mean 'wordle'"),
        ("list_exemplars", {"offset": 900}, "offset 900 is past the end"),
        ("read_exemplar", {"exemplar": "x", "file": "y"}, "no exemplar 'x'; there are: starter/"),
        ("read_exemplar", {"exemplar": "wordle", "file": "../x"}, "wordle has no file '../x'"),
        (
            "read_exemplar",
            {"exemplar": "wordle", "file": "env.yaml", "offset": 9999},
            "offset 9999 is past the end",
        ),
        ("read_exemplar", {"exemplar": "wordle"}, "file: Missing required argument"),
        ("get_job", {"job": "validate-1"}, "there is no job 'validate-1'; there are: none"),
        ("get_job", {"job": "x", "offset": -1}, "offset: Input should be greater than or equal"),
        ("get_job", {"job": "x", "limit": 0}, "limit: Input should be greater than or equal to 1"),
        ("render_env", {"env_path": "/x", "framework": "ors"}, "framework: Unexpected keyword"),
    ],
)
async def test_a_wrong_argument_is_answered_with_what_there_is(
    client: Client, tool: str, arguments: dict[str, Any], said: str
) -> None:
    text = await refused(client, tool, **arguments)
    assert said in text
    assert "pydantic" not in text


@pytest.mark.everything("server")
@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("render_env", {"frameworks": ["gym"]}, "there is no framework 'gym'"),
        ("validate_env", {"frameworks": "gym"}, "there is no framework 'gym'"),
        ("run_smoke_rollout", {"framework": "gym"}, "there is no framework 'gym'"),
        ("run_smoke_rollout", {"framework": "ors", "policy": "best"}, "there is no policy 'best'"),
        ("run_smoke_rollout", {"framework": "gem"}, "not rendered yet: gem; call render_env"),
        ("validate_env", {"frameworks": ["all"]}, "not rendered yet: openenv, verifiers"),
        ("validate_env", {"tasks": 0}, "tasks: Input should be greater than or equal to 1"),
        ("validate_env", {"tasks": 101}, "tasks: Input should be less than or equal to 100"),
        ("render_file", {"file": "ors/servr.py"}, "did you mean 'ors/server.py'"),
        ("render_file", {"file": "/etc/passwd"}, "renders to no file '/etc/passwd'"),
        ("render_file", {"file": "../counter/game.py"}, "author's own files are not rendered"),
        (
            "render_file",
            {"file": "_shared/episode.py", "offset": 9999},
            "offset 9999 is past the end",
        ),
        ("check_spec", {"offset": 5}, "offset 5 is past the end"),
    ],
)
async def test_a_wrong_choice_in_an_environment_changes_nothing(
    one: Client, counter: Path, tool: str, arguments: dict[str, Any], said: str
) -> None:
    await call(one, "render_env", env_path=str(counter), frameworks="ors")
    before = snapshot(counter)
    assert said in await refused(one, tool, env_path=str(counter), **arguments)
    assert snapshot(counter) == before


@pytest.mark.everything("server")
@pytest.mark.parametrize(
    "names",
    ["ors", "ors, gem", '["ors"]', '["ors", "gem"]', "['ors', 'gem']", "[ors]", ' ["gem"] '],
)
async def test_a_list_of_names_may_be_sent_as_text(one: Client, counter: Path, names: str) -> None:
    found = await call(one, "render_env", env_path=str(counter), frameworks=names, dry_run=True)
    folders = {file["path"].split("/")[0] for file in found["files"]}
    assert folders & {"ors", "gem"} == {each for each in ("ors", "gem") if each in names}
    assert "openenv" not in folders
    text = await refused(one, "render_env", env_path=str(counter), frameworks='["orss"]')
    assert "there is no framework 'orss'" in text


async def test_what_is_not_rendered_must_be_rendered_first(one: Client, counter: Path) -> None:
    before = snapshot(counter)
    for tool, arguments in (("validate_env", {}), ("run_smoke_rollout", {"framework": "ors"})):
        text = await refused(one, tool, env_path=str(counter), approve=True, **arguments)
        assert "not rendered yet" in text
        assert f"call render_env with env_path='{counter}'" in text
    assert snapshot(counter) == before


async def test_rendering_writes_what_it_said_and_then_has_nothing_to_do(
    one: Client, counter: Path
) -> None:
    before = snapshot(counter)
    dry = await call(one, "render_env", env_path=str(counter), dry_run=True)
    assert snapshot(counter) == before
    assert not dry["written"]
    wet = await call(one, "render_env", env_path=str(counter))
    assert wet["files"] == dry["files"]
    assert {file["path"] for file in wet["files"]} <= set(snapshot(counter))
    again = await call(one, "render_env", env_path=str(counter))
    assert (again["changed"], again["unchanged"]) == (0, wet["changed"])
    shown = await call(one, "render_file", env_path=str(counter), file="ors/server.py")
    text = (counter / "ors" / "server.py").read_text()
    assert text.startswith(shown["text"])
    assert shown["lines"] == len(text.splitlines())


async def test_one_framework_of_several_is_said_to_be_one_of_several(
    one: Client, counter: Path
) -> None:
    found = await call(one, "render_env", env_path=str(counter), frameworks=["ors"])
    assert not (counter / "openenv").exists()
    assert "env.yaml also names openenv, verifiers, nemo_gym" in found["next"]


async def test_an_edited_file_is_kept_until_force(one: Client, counter: Path) -> None:
    await call(one, "render_env", env_path=str(counter))
    (counter / "ors" / "rollout.py").write_text("mine")
    before = snapshot(counter)
    text = await refused(one, "render_env", env_path=str(counter))
    assert "ors/rollout.py" in text
    assert f"call render_env with env_path='{counter}', force=true" in text
    assert "--force" not in text
    dry = await call(one, "render_env", env_path=str(counter), dry_run=True)
    assert dry["files"] == [{"path": "ors/rollout.py", "state": "edited"}]
    assert snapshot(counter) == before
    await call(one, "render_env", env_path=str(counter), force=True)
    assert (counter / "ors" / "rollout.py.orig").read_text() == "mine"


@pytest.mark.everything("server")
async def test_every_name_that_is_listed_can_be_asked_for(one: Client) -> None:
    for row in (await call(one, "list_archetypes"))["archetypes"]:
        made = await call(one, "list_archetypes", name=row["name"])
        assert made["archetype"]["questions"]
        files = await call(one, "list_exemplars", exemplar=made["starter"])
        paths = [file["path"] for file in files["exemplars"][0]["files"]]
        assert paths == made["starter_files"]
    for row in (await call(one, "list_frameworks"))["frameworks"]:
        found = (await call(one, "list_frameworks", name=row["name"]))["framework"]
        assert found["pitfalls"]
        # Not one of the facts is cut short.
        assert "more characters]" not in json.dumps(found)
    for entry in catalogue.entries():
        assert (await call(one, "explain_check", check=entry.id))["why"] == entry.why
        assert (await call(one, "explain_check", check=entry.name))["id"] == entry.id


async def test_what_the_library_says_is_in_no_faces_words(one: Client, counter: Path) -> None:
    """Errors and fixes name the step; which command or MCP tool that is, each face says itself."""
    for entry in catalogue.entries():
        # There is no MCP tool that looks at the machine.
        commands = set(re.findall(r"skill-tools (\w+)|(--\w+)", entry.fix)) - {("doctor", "")}
        assert not commands, entry.id
    await call(one, "render_env", env_path=str(counter), frameworks=["ors"])
    (counter / "ors" / "rollout.py").write_text("mine")
    (counter / "env.lock.json").write_text("{}")
    said = [
        await refused(one, "render_env", env_path=str(counter)),
        await refused(one, "validate_env", env_path=str(counter), frameworks="gem"),
        await refused(one, "explain_check", check="x"),
    ]
    assert not [text for text in said if "skill-tools" in text or "--" in text]
    assert [text for text in said if "call render_env with env_path=" in text] == said[:2]


async def test_an_exemplar_is_read_whole_page_by_page(one: Client) -> None:
    for file, limit in (("game.py", 20), ("guesses.txt", 100_000)):
        text, offset = "", 0
        while offset is not None:
            page = await call(
                one, "read_exemplar", exemplar="wordle", file=file, offset=offset, limit=limit
            )
            text, offset = text + page["text"], page["next_offset"]
        assert text == exemplars.find("wordle").text(file)


async def test_resources_are_the_schema_the_exemplars_and_the_skills(client: Client) -> None:
    resources = {str(resource.uri) for resource in await client.list_resources()}
    assert "spec://env.schema.json" in resources
    for skill in (ROOT / "skills").glob("*/SKILL.md"):
        uri = f"skill://{skill.parent.name}/SKILL.md"
        assert uri in resources
        assert (await client.read_resource(uri))[0].text == skill.read_text("utf-8")
    for each in exemplars.every():
        file = next(iter(each.files))
        found = await client.read_resource(f"exemplar://{each.name}/{file}")
        assert found[0].text == each.files[file]
    schema = (await client.read_resource("spec://env.schema.json"))[0].text
    assert json.loads(schema)["title"] == "EnvSpec"
    with pytest.raises(Exception, match="has no file"):
        await client.read_resource("exemplar://wordle/../../dev.py")


@pytest.mark.live
async def test_a_job_tells_its_progress_and_can_be_asked_for_and_cancelled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("skill_tools.mcp.job_tools.WAIT", 3.0)
    folder = write_counter(tmp_path / "hanging", oracle=HANGS)
    reported: list[str] = []

    async def progress(at: float, of: float | None, message: str | None) -> None:
        reported.append(message or "")

    async with Client(create(SkillTools()), progress_handler=progress) as client:
        await call(client, "render_env", env_path=str(folder))
        arguments = {"env_path": str(folder), "approve": True}
        job = await call(client, "validate_env", **arguments)
        assert job["state"] == "running"
        assert job["job"] in job["next"]
        for _ in range(60):  # however busy the machine is
            if "domain: solving the tasks" in reported:
                break
            waited = await call(client, "get_job", job=job["job"], wait_seconds=3)
            assert waited["state"] == "running"
        assert "domain: solving the tasks" in reported
        assert (await call(client, "validate_env", **arguments))["job"] == job["job"]
        text = await refused(client, "validate_env", **arguments, tasks=3)
        assert f"{job['job']} already runs in {folder}" in text
        text = await refused(client, "render_env", env_path=str(folder))
        assert f"{job['job']} plays the files of" in text
        now = await call(client, "get_job", job=job["job"], wait_seconds=0)
        assert now["state"] == "running"
        over = await call(client, "get_job", job=job["job"], cancel=True)
        assert over["state"] == "cancelled"
        assert not plays(folder)


@pytest.mark.everything("costly")
async def test_a_client_that_leaves_ends_its_jobs(tmp_path: Path) -> None:
    folder = write_counter(tmp_path / "hanging", oracle=HANGS)
    async with Client(create(SkillTools())) as client:
        await call(client, "render_env", env_path=str(folder))
        arguments = {"env_path": str(folder), "approve": True}
        before = set(below())
        waiting = asyncio.create_task(client.call_tool("validate_env", arguments))
        while not plays(folder):
            await asyncio.sleep(0.05)
    waiting.cancel()
    assert until(lambda: not set(below()) - before)
    assert not plays(folder)


@pytest.mark.live
@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_a_cancelled_request_soon_ends_the_job_that_it_started(
    tmp_path: Path, mode: str
) -> None:
    folder = write_counter(tmp_path / "hanging", oracle=HANGS)
    limits = JobLimits(abandoned=1)
    async with Client(create(SkillTools(limits=limits)), mode=mode) as client:
        await call(client, "render_env", env_path=str(folder))
        files, before = snapshot(folder), set(below())
        arguments = {"env_path": str(folder), "approve": True}
        waiting = asyncio.create_task(client.call_tool("validate_env", arguments))
        while not plays(folder):
            await asyncio.sleep(0.05)
        waiting.cancel()
        # Not plays(folder), which is empty for a moment between one process there and the next.
        for _ in range(600):
            if not set(below()) - before:
                break
            await asyncio.sleep(0.05)
        assert not set(below()) - before
        assert not plays(folder)
        assert snapshot(folder) == files
        assert (await call(client, "list_frameworks"))["frameworks"]


@pytest.mark.live
@pytest.mark.parametrize("mode", some(["legacy", "auto", "2026-07-28"], ["auto"]))
async def test_over_stdio_in_every_protocol_and_from_any_folder(
    tmp_path: Path, counter: Path, data: Path, mode: str
) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "SKILL_TOOLS_DATA": str(data)}
    transport = StdioTransport(COMMAND[0], COMMAND[1:], env=environment, cwd=str(tmp_path))
    async with Client(transport, mode=mode) as client:
        assert {tool.name for tool in await client.list_tools()} == NAMES
        assert (await call(client, "render_env", env_path=str(counter)))["written"]
        found = await call(client, "check_spec", env_path=str(counter), approve=True)
        assert (found["ok"], found["domain_checked"]) == (True, True)
        assert "env_path must be absolute" in await refused(client, "check_spec", env_path="x")


@pytest.mark.live
@pytest.mark.parametrize("version", some(["2025-06-18", "2025-11-25"], ["2025-11-25"]))
def test_stdout_carries_the_protocol_alone_and_stderr_nothing(
    tmp_path: Path, data: Path, version: str
) -> None:
    noise = "import random\nimport os, sys\nprint('noise')\nos.write(1, b'noise')\n"
    folder = write_counter(tmp_path / "loud", game=("import random\n", noise))
    (tmp_path / ".env").write_text("FASTMCP_LOG_LEVEL=DEBUG\nFASTMCP_PORT=of the project's own\n")
    with raw_client(data, version=version) as raw:
        assert raw.hello["result"]["protocolVersion"] == version
        # ``until`` reads every line, and fails on one that is not a message.
        answer = raw.answer(raw.call("check_spec", env_path=str(folder), approve=True))
        assert answer["result"]["structuredContent"]["domain_checked"]
        raw.answer(raw.call("check_spec", env_path="relative"))
        raw.answer(raw.call("no_such_tool"))
    assert raw.process.stderr.read() == ""


@pytest.mark.live
def test_every_tool_survives_being_cancelled(tmp_path: Path, data: Path) -> None:
    folder = write_counter(tmp_path / "counter", oracle=HANGS)
    subprocess.run(
        [sys.executable, "-m", "skill_tools.cli", "render", str(folder)],
        check=True,
        capture_output=True,
    )
    clean = snapshot(folder)
    shutil.rmtree(folder / "ors")
    more = {
        "get_job": {"job": "validate-1"},
        "explain_check": {"check": "REW001"},
        "read_exemplar": {"exemplar": "wordle", "file": "env.yaml"},
        "validate_env": {"frameworks": ["openenv"]},
        "run_smoke_rollout": {"framework": "openenv"},
    }
    with raw_client(data, **{MARK: str(tmp_path)}) as raw:
        for tool in TOOLS:
            arguments = {**REQUIRED.get(tool, {}), **more.get(tool, {})}
            arguments |= {"env_path": str(folder)} if tool in IN_FOLDERS else {}
            arguments |= {"approve": True} if tool in PLAYING else {}
            number = raw.call(tool, **arguments)
            raw.notify("notifications/cancelled", requestId=number, reason="changed my mind")
        assert "result" in raw.answer(raw.call("list_frameworks"))
        # Either nothing of it was written, or all of it.
        assert until(
            lambda: snapshot(folder).keys() >= clean.keys() or not (folder / "ors").exists()
        )
    assert until(lambda: not plays(folder))
    left = snapshot(folder)
    assert {path: left[path] for path in clean if path in left} == {
        path: text for path, text in clean.items() if path in left
    }
    assert not [path for path in left if path not in clean]


@pytest.mark.live
@pytest.mark.parametrize("ending", some(ENDINGS, [signal.SIGKILL, None]), ids=str)
def test_nothing_outlives_the_server(
    tmp_path: Path, data: Path, ending: signal.Signals | None
) -> None:
    folder = write_counter(tmp_path / "hanging", oracle=HANGS)
    with raw_client(data) as raw:
        raw.answer(raw.call("render_env", env_path=str(folder)))
        before = snapshot(folder)
        raw.call("validate_env", env_path=str(folder), approve=True)
        raw.until(lambda message: "solving" in json.dumps(message))
        assert until(lambda: plays(folder))
        if ending is None:
            raw.process.stdin.close()
        else:
            raw.process.send_signal(ending)
        raw.process.wait(30)
        assert until(lambda: not plays(folder))
    assert snapshot(folder) == before


@pytest.mark.everything("server")
def test_starting_imports_nothing_that_can_wait() -> None:
    script = "import sys, skill_tools.mcp.app; print(*sys.modules)"
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=True
    )
    loaded = set(run.stdout.split())
    late = {"jinja2", "ruamel.yaml", "filelock", "uv", "ruff", "psutil", "openai", "PIL"}
    late |= {
        f"skill_tools.{name}"
        for name in (
            *(
                "pipeline",
                "checks",
                "graders",
                "probes",
                "rollouts",
                "audit",
                "render",
                "archetypes",
                "backends",
                "frameworks",
            ),
            *("spec", "runtime.supervise", "report.facts", "report.model", "report.terminal"),
        )
    }
    assert "skill_tools.mcp.tools" in loaded
    assert not loaded & late
