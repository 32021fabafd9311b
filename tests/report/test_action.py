"""The GitHub Action: its own steps, run as GitHub's runner runs them, but for the one that installs."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from junitparser import JUnitXml
from ruamel.yaml import YAML

from tests.conftest import ROOT, write_counter
from tests.over import over

ACTION = YAML(typ="safe", pure=True).load((ROOT / "action.yml").read_text("utf-8"))
INSTALL, *STEPS = ACTION["runs"]["steps"]
EXPRESSION = re.compile(r"\$\{\{\s*(\w+)\.([\w-]+)\s*\}\}")


class Job:
    """A job that uses the action: what it printed, its exit code, its outputs and its summary."""

    def __init__(self, folder: Path, **inputs: str) -> None:
        given = {name: each.get("default", "") for name, each in ACTION["inputs"].items()}
        given |= {name.replace("_", "-"): value for name, value in inputs.items()}
        known = {
            "inputs": given,
            "github": {"server_url": "https://host.example", "action_ref": ""},
        }
        temp = folder / "temp"
        temp.mkdir()
        # In the place of the step that installs: the venv that these tests run in.
        (temp / "skill-tools-venv").symlink_to(Path(sys.prefix))
        output, self._summary = folder / "output", folder / "summary"
        files = {"GITHUB_OUTPUT": output, "GITHUB_STEP_SUMMARY": self._summary, "RUNNER_TEMP": temp}
        for file in (output, self._summary):
            file.touch()
        self.code, self.log = 0, ""
        for step in STEPS:
            assert step["shell"] == "bash"
            script = folder / "script.sh"
            script.write_text(step["run"], "utf-8")
            env = {name: self._value(text, known) for name, text in step["env"].items()}
            run = subprocess.run(
                ["bash", "--noprofile", "--norc", "-eo", "pipefail", script],
                check=False,
                cwd=folder,
                env={**os.environ, **env, **{name: str(path) for name, path in files.items()}},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=120,
            )
            self.code, self.log = run.returncode, self.log + run.stdout
            if self.code:
                break
        lines = output.read_text("utf-8").splitlines()
        self.outputs = dict(line.split("=", 1) for line in lines)

    @property
    def summary(self) -> str:
        return self._summary.read_text("utf-8")

    def _value(self, text: str, known: dict[str, Any]) -> str:
        return EXPRESSION.sub(lambda found: known[found[1]].get(found[2], ""), text)


def test_no_input_becomes_text_of_a_script_and_no_action_of_others_is_used() -> None:
    for step in ACTION["runs"]["steps"]:
        assert "uses" not in step
        assert "${{" not in step["run"]
    assert re.search(r'pip install --quiet "\$ACTION_PATH"', INSTALL["run"])
    assert {out["value"] for out in ACTION["outputs"].values()} == {
        f"${{{{ steps.run.outputs.{name} }}}}" for name in ACTION["outputs"]
    }


@pytest.mark.everything("installers")
def test_the_step_that_installs_does(tmp_path: Path) -> None:
    programs = f"{Path(sys.prefix) / 'bin'}{os.pathsep}{os.environ['PATH']}"
    env = {**os.environ, "PATH": programs, "RUNNER_TEMP": str(tmp_path), "ACTION_PATH": str(ROOT)}
    script = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", INSTALL["run"]]
    subprocess.run(script, check=True, cwd=tmp_path, env=env, timeout=300)
    python = tmp_path / "skill-tools-venv" / "bin" / "python"
    said = subprocess.run(
        [python, "-P", "-m", "skill_tools.cli", "--version"],
        check=True,
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert re.fullmatch(r"\d+\.\d+\.\d+\n", said.stdout)


@pytest.mark.everything("costly")
def test_a_failed_check_is_an_annotation_a_summary_and_the_exit_code(tmp_path: Path) -> None:
    write_counter(tmp_path / "my env", game=("def look(", "def peek("))
    job = Job(tmp_path, target="my env")
    assert (job.code, job.outputs["exit-code"]) == (1, "1")
    assert job.outputs["verdict"] == "not sound"
    assert re.search(r"^::error file=my env/[\w.]+,line=\d+,title=CON\d+ ", job.log, re.MULTILINE)
    assert job.summary.startswith("## Counter: not green\n")
    assert json.loads(Path(job.outputs["report"]).read_text("utf-8"))["ok"] is False
    sarif = json.loads(Path(job.outputs["sarif"]).read_text("utf-8"))
    assert sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"][
        "uri"
    ].startswith("my%20env/")
    assert JUnitXml.fromfile(job.outputs["junit"])


@pytest.mark.everything("installers")
def test_what_passes_passes_and_arguments_are_one_a_line(tmp_path: Path) -> None:
    write_counter(tmp_path / "counter")
    job = Job(
        tmp_path, target="counter", args="--play\r\n--num-tasks=2\n\n", fail_on="fail,unjudged"
    )
    assert job.code == 0, job.log
    assert job.outputs["verdict"] == "sound"
    assert job.summary.startswith("## Counter: green\n")
    assert "::error" not in job.log


@pytest.mark.everything("installers")
def test_a_baseline_and_a_gate_reach_the_command(tmp_path: Path) -> None:
    write_counter(tmp_path / "counter", game=("def look(", "def peek("))
    wrote = Job(tmp_path, target="counter", args=f"--write-baseline={tmp_path}/known.yaml")
    assert wrote.code == 0, wrote.log
    (tmp_path / "later").mkdir()
    known = {"target": "../counter", "baseline": "../known.yaml"}
    assert Job(tmp_path / "later", **known).code == 0
    (tmp_path / "strict").mkdir()
    job = Job(tmp_path / "strict", **known, fail_on="fail, ceiling>0.1")
    assert job.code == 1
    assert "::error title=skill-tools::ceiling was not measured on this target" in job.log


@over(
    "inputs",
    [
        {"command": "doctor", "target": "counter"},
        {"command": "check; touch pwned", "target": "counter"},
        {"target": "$(touch pwned)"},
        {"target": "--help`touch pwned`"},
        {"target": "counter", "args": "$(touch pwned)\n; touch pwned"},
        {"target": "counter", "fail_on": "fail'; touch pwned; '"},
        {"target": "counter", "baseline": "$(touch pwned)"},
        {"target": "nowhere\n::error::forged"},
    ],
    few=2,
    part="installers",
)
def test_what_cannot_be_run_is_said_and_nothing_else_is_run(
    inputs: dict[str, str], tmp_path: Path
) -> None:
    write_counter(tmp_path / "counter")
    job = Job(tmp_path, **inputs)
    assert (job.code, job.outputs["exit-code"]) == (2, "2")
    assert "verdict" not in job.outputs
    assert not job.summary
    assert not list(tmp_path.rglob("pwned"))
    stopped = re.search(
        r"^::stop-commands::(\w+)\n(.*?)^::\1::$", job.log, re.MULTILINE | re.DOTALL
    )
    outside = job.log.replace(stopped[0], "") if stopped else job.log
    assert [line for line in outside.splitlines() if line] == [outside.strip()]
    assert outside.startswith("::error title=skill-tools::") or outside.strip().startswith(
        "::error"
    )
    assert "forged" not in outside
