"""``python3 dev.py evals`` as a user runs it: resumed after a kill, with agents, read by Inspect."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from evals.agents.desk import MARK
from tests.conftest import ROOT
from tests.processes import commands, marked, until

pytestmark = pytest.mark.everything("evals")
QUICK = ["--case", "nim_openenv", "--case", "self_graded", "--case", "which_skill"]
KEYS = ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY")


def command(*arguments: str) -> list[str]:
    return [sys.executable, str(ROOT / "dev.py"), "evals", *arguments]


def environment(mark: str) -> dict[str, str]:
    return {**{k: v for k, v in os.environ.items() if k not in KEYS}, MARK: mark}


def run(*arguments: str) -> tuple[str, Path]:
    """Run it to its end; what it printed, and the folder of the run."""
    found = subprocess.run(
        command(*arguments), capture_output=True, text=True, check=False, timeout=900,
        env=environment("evals"), stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert found.returncode == 0, found.stdout + found.stderr
    page = re.search(r"page: (\S+)/report\.html", found.stdout)
    assert page
    return found.stdout, Path(page[1])


def test_a_killed_run_goes_on_and_leaves_nothing_running() -> None:
    mark = f"evals-{os.getpid()}"
    began = subprocess.Popen(
        command(*QUICK, "--fresh"), stdout=subprocess.PIPE, text=True, env=environment(mark),
        stdin=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    assert began.stdout
    for line in began.stdout:
        if re.match(r"\[ +4/", line):
            break
    os.killpg(began.pid, signal.SIGKILL)
    began.wait()
    assert until(lambda: not marked(mark)), commands(marked(mark))
    said, folder = run(*QUICK)
    assert re.search(r"^[3-9] samples are scored already; going on$", said, re.MULTILINE)
    assert "every scripted solver scored what it must" in said
    report = json.loads((folder / "report.json").read_text())
    assert len(report["results"]) == 12
    assert report["surprises"] == []
    listed = [
        str(ROOT / ".venv-evals" / "bin" / "inspect"),
        "log",
        "list",
        "--json",
        "--status",
        "success",
    ]
    found = subprocess.run(
        [*listed, "--log-dir", str(folder / "logs")], capture_output=True, text=True, check=True
    )
    tasks = {each["task"] for each in json.loads(found.stdout)}
    assert {"reference", "handwritten", "empty", "scaffold"} <= tasks


@pytest.mark.parametrize("agent", ["claude", "codex"])
def test_an_agent_goes_from_the_sentence_to_the_score(agent: str) -> None:
    case = ["--case", "nim_openenv", "--fresh"]
    said, folder = run(*case, "--solver", f"{agent}+with", "--solver", f"{agent}+without")
    report = json.loads((folder / "report.json").read_text())
    scores = {each["solver"]: each for each in report["results"]}
    assert scores[f"{agent}+with"]["score"] == 1.0, said
    assert scores[f"{agent}+without"]["score"] == 1.0, said
    ours = scores[f"{agent}+with"]
    assert ours["effort"]["model"] == "scripted"
    assert ours["effort"]["tool_calls"] >= 3  # one may write several files
    assert "rl-env-from-description" in ours["transcript"]
    assert "rl-env-from-description" not in scores[f"{agent}+without"]["transcript"]
    assert f"{agent}+with less {agent}+without" in report["differences"]
    reported = json.loads((folder / "benchmark.json").read_text())
    assert {"with_skill", "without_skill", "delta"} <= set(reported["run_summary"])
