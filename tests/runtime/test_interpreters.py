"""Interpreters: real ones where the machine has them, scripts posing as them elsewhere."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from skill_tools.errors import InterpreterError
from skill_tools.runtime import interpreters

CURRENT = ".".join(map(str, sys.version_info[:2]))
BASE = os.path.realpath(sys._base_executable)
SED = shutil.which("sed")


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """A machine without any Python but the current one, and no downloads."""
    for name in ("pyenv", "managed", "bin"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "pyenv"))
    monkeypatch.setenv("UV_PYTHON_INSTALL_DIR", str(tmp_path / "managed"))
    monkeypatch.setenv("UV_PYTHON_DOWNLOADS", "never")
    monkeypatch.delenv("SKILL_TOOLS_PYTHON", raising=False)
    for remembered in (interpreters.find, interpreters._download):
        remembered.cache_clear()
    yield tmp_path
    for remembered in (interpreters.find, interpreters._download):
        remembered.cache_clear()


def pretend(
    path: Path, version: str, implementation: str = "cpython", *, gil: bool = True, code: int = 0
) -> Path:
    """The base of our own Python, which tells uv that it is of this version and lies here."""
    path.parent.mkdir(parents=True, exist_ok=True)
    ours, minor = platform.python_version(), ".".join(version.split(".")[:2])
    lies = {
        f'"python_full_version": "{ours}"': f'"python_full_version": "{version}"',
        f'"python_version": "{CURRENT}"': f'"python_version": "{minor}"',
        f'"implementation_version": "{ours}"': f'"implementation_version": "{version}"',
        '"implementation_name": "cpython"': f'"implementation_name": "{implementation}"',
        '"gil_disabled": false': f'"gil_disabled": {str(not gil).lower()}',
        BASE: str(path),
    }
    edits = " ".join(f"-e 's|{true}|{reported}|g'" for true, reported in lies.items())
    path.write_text(f'#!/bin/sh\n{BASE} "$@" | {SED} {edits}\nexit {code}\n')
    path.chmod(0o755)
    return path


def pyenv(machine: Path, version: str) -> Path:
    return pretend(machine / "pyenv" / "versions" / version / "bin" / "python", version)


def test_current_minor_is_preferred_and_never_a_virtual_environment(machine):
    found = interpreters.find(">=3.9")
    program = "import sys; print(*sys.version_info[:2], sys.prefix == sys.base_prefix)"
    says = subprocess.run([found, "-c", program], capture_output=True, text=True, check=True)
    assert says.stdout.split() == [*CURRENT.split("."), "True"]


def test_lowest_minor_with_its_newest_patch(machine):
    for version in ("3.42.0", "3.41.2", "3.41.10", "3.40.1"):
        pyenv(machine, version)
    found = interpreters.find(">=3.41,<3.50")
    assert found == machine / "pyenv/versions/3.41.10/bin/python"


def test_a_patch_may_be_required(machine):
    for version in ("3.41.2", "3.41.10", "3.42.0"):
        pyenv(machine, version)
    found = interpreters.find(">=3.41.11")
    assert found == machine / "pyenv/versions/3.42.0/bin/python"


def test_an_interpreter_that_does_not_run_does_not_count(machine):
    pretend(machine / "bin" / "python3.41", "3.41.0", code=127)
    works = pretend(machine / "bin" / "python3.42", "3.42.0")
    assert interpreters.find(">=3.41") == works


def test_pyenv_shims_are_not_run(machine, monkeypatch):
    shim = pretend(machine / "pyenv" / "shims" / "python3.41", "3.41.0")
    shim.write_text(f"#!/bin/sh\ntouch {machine}/was-run\n")
    monkeypatch.setenv("PATH", str(shim.parent), prepend=os.pathsep)
    works = pretend(machine / "bin" / "python3.42", "3.42.0")
    assert interpreters.find(">=3.41") == works
    assert not (machine / "was-run").exists()


def test_a_name_that_lies_is_found_out(machine):
    pretend(machine / "bin" / "python3.41", "3.8.1")
    works = pretend(machine / "bin" / "python3.42", "3.42.0")
    assert interpreters.find(">=3.41") == works


def test_uv_interpreters_count(machine):
    folder = machine / "managed" / "cpython-3.41.3-linux-x86_64-gnu"
    managed = pretend(folder / "bin" / "python3.41", "3.41.3")
    assert interpreters.find(">=3.41") == managed


@pytest.mark.parametrize(
    ("version", "implementation", "gil"),
    [("3.41.0b2", "cpython", True), ("3.41.0", "pypy", True), ("3.41.0", "cpython", False)],
)
def test_prereleases_and_other_builds_do_not_count(machine, version, implementation, gil):
    there = pretend(machine / "bin" / "python3", version, implementation, gil=gil)
    with pytest.raises(InterpreterError) as caught:
        interpreters.find(">=3.41")
    assert f"{version} ({there})" in str(caught.value)


def test_a_virtual_environment_stands_for_its_interpreter_and_is_not_searched(machine, monkeypatch):
    venv.create(machine / "venv", with_pip=False)
    folder = machine / "venv" / "bin"
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)
    assert folder not in {found.path.parent for found in interpreters._list()}
    monkeypatch.setenv("SKILL_TOOLS_PYTHON", str(folder / "python"))
    assert interpreters.find(">=3.9") == Path(BASE)


def test_listed_interpreters_come_first(machine, monkeypatch):
    chosen = pretend(machine / "mine" / "py", "3.44.0")
    too_old = pretend(machine / "mine" / "old", "3.2.0")
    monkeypatch.setenv("SKILL_TOOLS_PYTHON", f"{machine}/missing{os.pathsep}{too_old}:{chosen}")
    assert interpreters.find(">=3.9") == chosen


def test_nothing_found_says_what_there_is_and_what_to_do(machine):
    old = pyenv(machine, "3.8.1")
    with pytest.raises(InterpreterError) as caught:
        interpreters.find(">=3.17,<3.18")
    message = str(caught.value)
    for part in (">=3.17,<3.18", f"3.8.1 ({old})", "uv python install 3.17", "SKILL_TOOLS_PYTHON"):
        assert part in message
    assert "UV_PYTHON_DOWNLOADS" in message


def test_a_failed_download_is_reported_in_short(machine, monkeypatch):
    monkeypatch.delenv("UV_PYTHON_DOWNLOADS")
    with pytest.raises(InterpreterError, match="uv could not install one: error: ") as caught:
        interpreters.find("==3.17.55")  # no such release
    assert len(str(caught.value)) < 900
