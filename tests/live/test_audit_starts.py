"""Audits of folders that start only as their repository starts them, or not at all."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.live.test_audit import audit, failed

from .scaffolds import PAY, RULES, scaffold

pytestmark = pytest.mark.everything("audit")


def test_a_server_of_nemo_gym_imports_its_own_repository_and_not_the_release(
    tmp_path: Path,
) -> None:
    # The release has a server of this name too, without this module.
    folder = scaffold(tmp_path / "resources_servers/mcqa", "nemo_gym", "constant")
    (folder / "payment.py").write_text(PAY.format(rule=RULES["right"]))
    app = folder / "app.py"
    own = "from resources_servers.mcqa.payment import pay\n"
    app.write_text(app.read_text().replace("class Game(", f"{own}\nclass Game("))
    (folder / "requirements.txt").write_text("-e nemo-gym[dev] @ ../../\n./rules\n")
    outcome = audit(folder, "nemo_gym")
    assert not failed(outcome), outcome.failures
    assert {t.total for t in outcome.evidence.every if t.model == "filler_20"} == {0.0}
    assert "on no package index: ./rules. " in outcome.report.seen


def test_a_factory_that_raises_is_told_by_its_exception_and_not_judged(tmp_path: Path) -> None:
    folder = scaffold(tmp_path / "their_game", "openenv", "right")
    app = folder / "server/app.py"
    raising = 'raise FileNotFoundError("no words.csv")\n        super().__init__()'
    app.write_text(app.read_text().replace("super().__init__()", raising))
    command = [sys.executable, "-m", "skill_tools.cli", "audit", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stdout + done.stderr
    assert "their_game: not judged" in done.stdout
    assert "FileNotFoundError: no words.csv; the client saw" in done.stdout
    assert "exit code 2" in done.stdout
