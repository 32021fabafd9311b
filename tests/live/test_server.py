"""The way through the MCP tools to a green report, in real frameworks, as a client goes it."""

from __future__ import annotations

import asyncio
import os
import shutil
from pathlib import Path
from typing import Any

import psutil
import pytest
from fastmcp import Client
from fastmcp.client.transports import StdioTransport

from skill_tools.frameworks.rules import load
from skill_tools.mcp.app import create
from skill_tools.mcp.tools import SkillTools
from skill_tools.rollouts.rollout import prepare
from tests.conftest import CONNECT_FOUR, ROOT, snapshot, write_counter
from tests.live.frameworks import FRAMEWORKS
from tests.mcp.mcp_clients import COMMAND, call
from tests.processes import MARK, below, commands, marked, until

FOUR = ["openenv", "ors", "verifiers", "nemo_gym"]
"""The frameworks that connect four names."""


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SKILL_TOOLS_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


async def over(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """The job that a call starts, when it is over; as a client is told to, by polling."""
    job = await call(client, tool, **arguments)
    while job["state"] == "running":
        assert job["job"] in job["next"]
        job = await call(client, "get_job", job=job["job"])
    return job


def rolling_out(mark: str) -> list[psutil.Process]:
    return [process for process in marked(mark) if "rollout.py" in " ".join(commands([process]))]


@pytest.mark.parametrize(
    ("mode", "names"),
    [
        ("auto", ["openenv"]),
        *(
            pytest.param(mode, FOUR, marks=pytest.mark.everything("frameworks"))
            for mode in ("legacy", "auto")
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else f"{len(value)} frameworks",
)
async def test_from_an_exemplars_files_to_a_green_report(
    tmp_path: Path, data: Path, mode: str, names: list[str]
) -> None:
    folder = tmp_path / "connect_four"
    folder.mkdir()
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "SKILL_TOOLS_DATA": str(data)}
    transport = StdioTransport(COMMAND[0], COMMAND[1:], env=environment, cwd=str(tmp_path))
    async with Client(transport, mode=mode) as client:
        for file in (await call(client, "list_exemplars", exemplar="connect_four"))["exemplars"][0][
            "files"
        ]:
            name = file["path"]
            text, offset = "", 0
            while offset is not None:
                part = {"exemplar": "connect_four", "file": name, "offset": offset}
                page = await call(client, "read_exemplar", **part, limit=10_000)
                text, offset = text + page["text"], page["next_offset"]
            assert text == (CONNECT_FOUR / name).read_text("utf-8")
            (folder / name).write_text(text, "utf-8")
        path = str(folder)
        assert (await call(client, "check_spec", env_path=path, approve=True))["ok"]
        assert (await call(client, "render_env", env_path=path))["written"]
        assert load(folder).frameworks == FOUR
        # All of them by the spec's choice, some of them by ours.
        some = {} if names == FOUR else {"frameworks": names}
        job = await over(client, "validate_env", env_path=path, tasks=3, **some)
        assert job["state"] == "done", job["error"]
        report = job["report"]
        assert report["ok"], report["findings"]
        assert "All checks hold" in job["next"]
        assert Path(report["report_file"]).read_text().startswith("# Connect Four: green")
        assert [variant["framework"] for variant in report["variants"]] == ["domain", *names]
        for variant in report["variants"]:
            returns = {score["policy"]: score["mean_return"] for score in variant["scores"]}
            assert returns["oracle"] == 1.0
            assert returns["noop"] == 0.0
        for framework in names:
            job = await over(client, "run_smoke_rollout", env_path=path, framework=framework)
            (episode,) = job["episodes"]
            assert (episode["end"], episode["return"]) == ("terminated", 1.0)
            assert episode["steps"][0]["tool"] == "drop_piece"
            assert episode["steps"][-1]["done"]
            assert "O" in episode["steps"][0]["observation"]


async def test_a_defect_is_a_finding_with_what_to_do_next(tmp_path: Path) -> None:
    pays = ("self.reward = 1.0\n", "self.reward = 1.4\n")
    folder = write_counter(tmp_path / "counter", game=pays)
    spec = folder / "env.yaml"
    spec.write_text(spec.read_text() + "frameworks: [gem]\n")
    async with Client(create(SkillTools())) as client:
        await call(client, "render_env", env_path=str(folder))
        job = await over(client, "validate_env", env_path=str(folder), tasks=2, approve=True)
        assert job["state"] == "done"
        assert job["report"]["ok"] is False
        failed = [each for each in job["report"]["findings"] if each["status"] == "fail"]
        assert failed[0]["check"].startswith("REW")
        assert f"Start with {failed[0]['check']}" in job["next"]
        explained = await call(client, "explain_check", check=failed[0]["check"])
        assert explained["fix"] == failed[0]["fix"]


@pytest.mark.everything("frameworks")
async def test_a_rollout_with_endless_observations_is_read_step_by_step(tmp_path: Path) -> None:
    long = ('return f"The counter is at {self.value}. {note}"', 'return "\\N{BLACK STAR}" * 50_000')
    folder = write_counter(tmp_path / "counter", game=long)
    async with Client(create(SkillTools())) as client:
        await call(client, "render_env", env_path=str(folder), frameworks=["gem"])
        arguments = {"framework": "gem", "tasks": 5, "policy": "turn_limit", "approve": True}
        job = await over(client, "run_smoke_rollout", env_path=str(folder), **arguments)
        assert job["state"] == "done", job["error"]
        arguments["policy"] = "oracle"
        job = await over(client, "run_smoke_rollout", env_path=str(folder), **arguments)
        total, steps, offset = job["total"], 0, 0
        while offset is not None:
            page = await call(client, "get_job", job=job["job"], offset=offset)
            shown = [step for episode in page["episodes"] for step in episode["steps"]]
            assert all("more characters]" in step["observation"] for step in shown)
            steps, offset = steps + len(shown), page["next_offset"]
        assert steps == total > 5


@pytest.mark.everything("frameworks")
async def test_cancelling_in_mid_rollout_leaves_nothing_running_or_half_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(shutil.copytree(CONNECT_FOUR, tmp_path / "connect_four"))
    rules = folder / "game.py"
    head = "def drop_piece(self, column: int) -> str:\n"
    assert head in rules.read_text("utf-8")
    slow = rules.read_text("utf-8").replace(head, head + "        __import__('time').sleep(SLOW)\n")
    # Slow only in a variant, so that it is the rollouts that are cancelled.
    bare = "\nimport sys\nSLOW = 0 if sys.argv[0].endswith('child') else 1\n"
    rules.write_text(slow + bare, "utf-8")
    spec = load(folder)
    prepare(spec, folder, ["ors", "verifiers"], lambda who, what: None)
    mark = str(tmp_path)
    monkeypatch.setenv(MARK, mark)
    before = set(below())
    async with Client(create(SkillTools())) as client:
        await call(client, "render_env", env_path=str(folder))
        files = snapshot(folder)
        some = ["ors", "verifiers"]
        job = await call(
            client, "validate_env", env_path=str(folder), approve=True, frameworks=some
        )
        while len(rolling_out(mark)) < 2 * len(some):
            assert (await call(client, "get_job", job=job["job"], wait_seconds=0.5))["state"] == (
                "running"
            )
        await asyncio.sleep(3)
        job = await call(client, "get_job", job=job["job"], cancel=True)
        assert job["state"] == "cancelled"
        assert until(lambda: not marked(mark))
        assert snapshot(folder) == files
    assert not set(below()) - before


def test_every_framework_has_a_way_through_the_server() -> None:
    """The list of the tool's description is the list that there is."""
    from skill_tools.mcp.tools import Names

    described = Names.__metadata__[-1].description
    assert all(name in described for name in FRAMEWORKS)
