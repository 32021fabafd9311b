"""Repros of audits in real frameworks: each shows its defect, and no more once that is mended."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import skill_tools
from skill_tools.audit.target import recognise
from skill_tools.audit.target_venv import target_venv
from skill_tools.runtime.progress import silent
from tests.audits import audit
from tests.live.test_audit_v0 import RAISING, environment

from .scaffolds import IDS, PAY, RULES, scaffold

pytestmark = pytest.mark.everything("audit")
CONSTANT, RIGHT = (PAY.format(rule=RULES[rule]) for rule in ("constant", "right"))
STATEFUL = """
import random
import gem
from gem.envs.registration import register

class Game(gem.Env):
    last = None
    def reset(self, seed=None):
        {reset}
        self.turn = 0
        return "Say something.", {{}}
    def step(self, action):
        self.turn += 1
        return "Seen.", {paid}, self.turn >= 3, False, {{}}

register("their:Game-v0", Game)
"""
MIXED = STATEFUL.format(reset="Game.last = self", paid="float(Game.last is self)")
UNSEEDED = STATEFUL.format(reset="self.dice = random.Random()", paid="self.dice.random()")


def run(script: Path, python: Path, *given: Path) -> tuple[int, str]:
    """A script with the bare packages of a framework, from another folder."""
    command = [str(python), str(script), *map(str, given)]
    ran = subprocess.run(
        command, cwd="/", env={}, capture_output=True, text=True, check=False, timeout=120
    )
    return ran.returncode, ran.stdout + ran.stderr


def scripts(outcome: skill_tools.Outcome, check: str) -> list[Path]:
    found = [each.repro for each in outcome.report.findings if each.check == check]
    assert all(found), outcome.report.no_repro
    return [Path(each) for each in found]


def bare_python(folder: Path, framework: str) -> Path:
    target = recognise(str(folder), framework, identity=IDS.get(framework))
    return target_venv(target, silent).base.python


@pytest.mark.parametrize("framework", ["verifiers", "openenv", "ors", "nemo_gym", "skyrl_gym"])
def test_what_pays_for_anything_is_shown_until_it_is_mended(framework: str, tmp_path: Path) -> None:
    folder = scaffold(tmp_path / "their_game", framework, "constant")
    rows = folder / "rows.jsonl"
    more = {"dataset": rows} if rows.exists() else {}
    identity = IDS.get(framework)
    outcome = audit(folder, framework, id=identity, num_tasks=2, repro=tmp_path / "out", **more)
    python = bare_python(folder, framework)
    (script,) = scripts(outcome, "AUD001")
    assert "skill_tools" not in script.read_text("utf-8")
    code, said = run(script, python)
    assert (code, "DEFECT: " in said) == (1, True), said
    (file,) = [each for each in folder.rglob("*.py") if CONSTANT in each.read_text()]
    file.write_text(file.read_text().replace(CONSTANT, RIGHT), "utf-8")
    code, said = run(script, python)
    assert (code, "no defect" in said) == (0, True), said


@pytest.mark.parametrize(("source", "check"), [(MIXED, "AUD007"), (UNSEEDED, "AUD005")])
def test_what_two_runs_show_is_shown_by_two_runs(source: str, check: str, tmp_path: Path) -> None:
    folder = tmp_path / "their_game"
    folder.mkdir()
    (folder / "__init__.py").write_text(source, "utf-8")
    outcome = audit(folder, "gem", id=IDS["gem"], num_tasks=2, repro=tmp_path / "out")
    script = scripts(outcome, check)[0]
    python = bare_python(folder, "gem")
    code, said = run(script, python)
    assert (code, "DEFECT: " in said) == (1, True), said
    steady = STATEFUL.format(reset="pass", paid="1.0")
    (folder / "__init__.py").write_text(steady, "utf-8")
    code, said = run(script, python)
    assert (code, "no defect" in said) == (0, True), said


def test_what_the_older_api_logs_as_zero_is_shown_as_what_it_is(tmp_path: Path) -> None:
    folder = environment(tmp_path / "their_env", RAISING)
    outcome = audit(folder, num_tasks=2, repro=tmp_path / "out")
    script = scripts(outcome, "GRA004")[0]
    python = bare_python(folder, "verifiers_v0")
    code, said = run(script, python)
    assert (code, "ValueError" in said) == (1, True), said
    file = folder / "their_env.py"
    mended = file.read_text().replace("float(int(text_of(completion)) == int(answer))", "0.0")
    file.write_text(mended, "utf-8")
    code, said = run(script, python)
    assert code == 0, said


def test_a_script_for_a_nemo_gym_server_imports_and_configures_it_as_its_repository_does(
    tmp_path: Path,
) -> None:
    # The installed release has a server of this name too, without this module.
    folder = scaffold(tmp_path / "resources_servers/mcqa", "nemo_gym", "right")
    (folder / "payment.py").write_text("def pay(paid): return float(paid)\n", "utf-8")
    (folder / "configs").mkdir()
    server = "mcqa: {resources_servers: {mcqa: {paid: 1.0}}}"
    (folder / "configs/mcqa.yaml").write_text(server, "utf-8")
    app = folder / "app.py"
    own = "class Config(BaseResourcesServerConfig):\n    paid: float\n"
    text = app.read_text().replace(RIGHT, "from resources_servers.mcqa.payment import pay\n")
    text = text.replace("class Game(", f"{own}\nclass Game(").replace(
        "config: Base", "config: Config #"
    )
    text = text.replace("pay(said, body.answer)", "pay(self.config.paid)")
    app.write_text(text, "utf-8")
    outcome = audit(folder, "nemo_gym", num_tasks=2, repro=tmp_path / "out")
    (script,) = scripts(outcome, "AUD001")
    code, said = run(script, bare_python(folder, "nemo_gym"))
    assert (code, "DEFECT: " in said) == (1, True), said
