"""A study as a coding agent asks for it: a job, then the verdict, what to fix and where the page is."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from fastmcp import Client

import skill_tools
from skill_tools.mcp.app import create
from skill_tools.mcp.tools import SkillTools
from tests.conftest import write_counter
from tests.report.test_page import unpacked

from .mcp_clients import call


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKILL_TOOLS_DATA", str(tmp_path / "data"))


@pytest.mark.everything("costly")
async def test_a_study_is_a_job_that_ends_with_a_verdict(tmp_path: Path) -> None:
    folder = write_counter(tmp_path / "counter")
    tools = SkillTools()
    async with Client(create(tools)) as client:
        asked = {"env_path": str(folder), "tasks": 4, "samples": 4, "approve": True}
        found = await call(client, "study_env", **asked)
        while found["state"] == "running":
            found = await call(client, "get_job", job=found["job"])
        assert found["state"] == "done", found["error"]
        study = found["study"]
        assert f"verdict ({study['verdict']})" in found["next"]
        assert set(study["curves"]["all"]) == {"0", "0.05", "0.1", "0.2", "0.5", "1"}
        assert Path(study["page_file"]).is_file()
        kept = json.loads((folder / "runs" / "study.json").read_text())
        assert kept["verdict"] == study["verdict"]
    # No variant was built yet, and the page stands all the same; it says what an author changed since.
    page = Path(study["page_file"])
    assert unpacked(page.read_text("utf-8"))["study"]["changed"] == []
    later = page.stat().st_mtime + 60
    os.utime(folder / "env.yaml", (later, later))
    assert skill_tools.view([folder]) == page
    assert unpacked(page.read_text("utf-8"))["study"]["changed"] == ["env.yaml"]
