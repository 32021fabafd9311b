"""The plugin of pytest: a test for each check, and nothing at all where no environment is named."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.conftest import ROOT, write_counter

PLUGIN = "skill_tools.cli.pytest_plugin"


def run_pytest(folder: Path, *words: object) -> subprocess.CompletedProcess[str]:
    """What a run of pytest in a folder says, with our plugin and no other."""
    settings = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(ROOT)}
    settings = {
        k: v for k, v in settings.items() if k not in ("PYTEST_ADDOPTS", "PYTEST_XDIST_WORKER")
    }
    command = [sys.executable, "-m", "pytest", "-p", PLUGIN, *map(str, words)]
    return subprocess.run(
        command,
        check=False,
        cwd=folder,
        env=settings,
        capture_output=True,
        text=True,
        timeout=120,
    )


def counts(said: str) -> dict[str, int]:
    return {
        word: int(n) for n, word in re.findall(r"(\d+) (passed|failed|skipped|warnings?)", said)
    }


@pytest.mark.everything("installers")
def test_a_failed_check_fails_with_its_message_and_what_to_do(tmp_path: Path) -> None:
    write_counter(tmp_path / "counter", game=("self.reward = 1.0", "self.reward = 1.4"))
    run = run_pytest(tmp_path, "--rl-env", "counter", "-rfs")
    assert run.returncode == 1, run.stderr
    found = counts(run.stdout.splitlines()[-1])
    assert found["passed"] > 30
    assert found["skipped"] > 10
    assert "FAILED counter::REW001 reward-out-of-range" in run.stdout
    assert "1.4" in run.stdout
    assert "    fix: " in run.stdout
    assert "    see: skill-tools replay" in run.stdout
    assert "runtest" not in run.stdout, "no line of ours"
    assert re.search(r"SKIPPED .*no variant was requested", run.stdout)


@pytest.mark.everything("installers")
def test_with_xdist_it_is_played_once_and_chosen_by_name(tmp_path: Path) -> None:
    write_counter(tmp_path / "counter")
    (tmp_path / "conftest.py").write_text(
        "import skill_tools.cli.pytest_plugin as plugin\n\nplay = plugin._play\n\n\n"
        "def counted(folder):\n    open('played', 'a').write('x')\n    return play(folder)\n\n\n"
        "plugin._play = counted\n",
        "utf-8",
    )
    (tmp_path / "test_own.py").write_text("def test_own():\n    pass\n", "utf-8")
    run = run_pytest(
        tmp_path, "-p", "xdist", "-n", 2, "--rl-env", "counter", "-k", "REW or own", "-v"
    )
    assert "test_own.py::test_own" in run.stdout, run.stdout + run.stderr
    assert "counter::REW001 reward-out-of-range" in run.stdout
    assert "counter::CON001" not in run.stdout
    assert (tmp_path / "played").read_text("utf-8") == "x"


@pytest.mark.everything("costly")
def test_a_folder_that_is_none_is_an_error_of_usage(tmp_path: Path) -> None:
    run = run_pytest(tmp_path, "--rl-env", "counter")
    assert run.returncode == 4
    assert "ERROR: --rl-env: " in run.stderr
    assert "Traceback" not in run.stderr


def test_other_runs_import_nothing_of_ours_and_may_have_an_option_of_the_common_name(
    tmp_path: Path,
) -> None:
    (tmp_path / "conftest.py").write_text(
        "def pytest_addoption(parser):\n    parser.addoption('--env')\n", "utf-8"
    )
    (tmp_path / "test_own.py").write_text(
        "import sys\n\n\ndef test_own():\n"
        "    ours = {m for m in sys.modules if m.startswith('skill_tools')}\n"
        f"    assert ours == {{'skill_tools', 'skill_tools.cli', '{PLUGIN}'}}\n"
        "    assert not {'typer', 'rich.console', 'pydantic'} & set(sys.modules)\n",
        "utf-8",
    )
    run = run_pytest(tmp_path, "--env", "staging")
    assert run.returncode == 0, run.stdout


def test_the_package_offers_the_plugin_to_pytest() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert list(project["entry-points"]["pytest11"].values()) == [PLUGIN]


@pytest.mark.everything("costly")
@pytest.mark.parametrize("status", ["warn", "note"])
def test_a_warning_warns_and_a_note_is_shown(status: str, tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(
        "import json\n\nimport skill_tools.cli.pytest_plugin as plugin\n\n"
        "FINDING = {'check': 'REW011', 'name': 'wrong-answer-paid', 'message': 'blanks \\x1b are paid',\n"
        f"           'status': '{status}', 'fix': 'mend it', 'replay': ''}}\n"
        "plugin._play = lambda folder: json.dumps({'findings': [FINDING]})\n",
        "utf-8",
    )
    run = run_pytest(tmp_path, "--rl-env", "counter", "-rP")
    assert run.returncode == 0, run.stdout
    assert "blanks \\x1b are paid" in run.stdout
    assert ("PytestWarning" in run.stdout) is (status == "warn")
    assert ("fix: mend it" in run.stdout) is (status == "warn")
