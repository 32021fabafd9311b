"""``claude plugin eval`` reads every case.yaml and runs it; a scripted model has the last word."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from evals import case as cases
from evals.agents.clients import ClaudeCode
from evals.agents.desk import Desk
from evals.agents.model_apis import Say
from evals.agents.scripted_model import Script, ScriptedModel
from tests.conftest import ROOT

pytestmark = pytest.mark.everything("evals")


def one_word() -> Script:
    yield Say("The environment openenv gem ledger nim is green. Shall I?")


def test_claude_code_runs_every_case(tmp_path: Path) -> None:
    plugin = tmp_path / "rl-env-skills"
    shutil.copytree(ROOT / ".claude-plugin", plugin / ".claude-plugin")
    shutil.copytree(ROOT / "skills", plugin / "skills")
    for name, case in cases.every().items():
        (plugin / "evals" / name).mkdir(parents=True)
        shutil.copy(case.folder / "case.yaml", plugin / "evals" / name)
    (tmp_path / "home").mkdir()
    client = ClaudeCode()
    model = ScriptedModel(tmp_path / "requests.jsonl")
    desk = Desk(tmp_path / "home", tmp_path, model.url, "plugin-eval")
    options = ["--trust-plugin", "--runs", "1", "--no-publish", "--ablation", "none",
               "-j", "2", "--threshold", "0", "--json", str(tmp_path / "out.json")]  # fmt: skip
    with model.play(one_word()):
        done = subprocess.run(
            [str(client.installed()), "plugin", "eval", str(plugin), *options],
            env={**desk.environment(), **client.configure(desk)}, cwd=tmp_path,
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=600,
        )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    reported = json.loads((tmp_path / "out.json").read_text())
    assert {each["name"] for each in reported["cases"]} == set(cases.every())
    for each in reported["cases"]:
        for run in (run for arm in each["arms"].values() for run in arm):
            assert not run.get("error"), (each["name"], run["error"])
