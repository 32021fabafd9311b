"""A report on the requirements that this machine meets or does not meet."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from uv import find_uv_bin

from skill_tools.errors import InterpreterError, SkillToolsError
from skill_tools.files import sandbox_project
from skill_tools.frameworks import FRAMEWORKS
from skill_tools.runtime import interpreters, places

SCREEN = {"Xvfb": "xvfb", "openbox": "openbox", "xkbcomp": "x11-xkb-utils"}
"""Programs that every screen of the local backend needs, with their Debian packages."""


@dataclass(frozen=True)
class Row:
    """The result of checking one requirement on this machine."""

    what: str
    ok: bool
    found: str


def examine(programs: Sequence[str] | None = None) -> list[Row]:
    """Check Linux, uv, an interpreter per framework, the cache, sandboxes and the package index.

    Args:
        programs: Programs that an environment's tasks start on its screen, each named like its Debian package.
            None means that the environment has no screen, so that these programs are optional.
    """
    rows = [_system(), _uv()]
    for framework in FRAMEWORKS.values():
        what = f"Python {framework.python} for {framework.title}"
        try:
            rows.append(Row(what, True, str(interpreters.find(framework.python))))
        except InterpreterError as error:
            rows.append(Row(what, False, str(error)))
    rows += [_folder("venv cache", "cache"), _folder("consent", "data"), _index(), _sandboxes()]
    return [*rows, _screens(programs)]


def _system() -> Row:
    return Row("Linux", sys.platform == "linux", platform.platform(terse=True))


def _uv() -> Row:
    """Check the uv that skill-tools uses to make venvs, and whether a uv is on the PATH for commands in
    documentation."""
    own = find_uv_bin()
    run = subprocess.run([own, "--version"], capture_output=True, text=True, check=False)
    found = (run.stdout or run.stderr).strip()
    if not shutil.which("uv"):
        found += f"; uv is not on the PATH: instead of `uv run`, type `{own} run`, or install uv"
    return Row("uv", run.returncode == 0, found)


def _folder(what: str, kind: places.Kind) -> Row:
    """Check a folder to which skill-tools writes. The private fallback folder also passes, although its files
    may not persist.
    """
    usual = places.usual(kind)
    try:
        found = places.place(kind)
    except (SkillToolsError, OSError) as error:
        return Row(what, False, str(error))
    if found == usual:
        return Row(what, True, str(found))
    why = f"{usual} cannot be written ({places.refusal(usual)})" if usual else places.NO_HOME
    return Row(what, True, f"{found}, which may not persist: {why}")


def _sandboxes() -> Row:
    """Report the restrictions that the local sandbox backend can enforce on this machine, as the backend's own
    program lists them.
    """
    command = [sys.executable, "-m", "rl_env_sandbox"]
    where = os.environ | {"PYTHONPATH": os.fspath(sandbox_project() / "src")}
    run = subprocess.run(command, env=where, capture_output=True, text=True, check=False)
    printed = (run.stdout if run.returncode == 0 else run.stderr).strip().splitlines() or [
        "no answer"
    ]
    found = "; ".join(printed) if run.returncode == 0 else printed[-1]
    return Row("sandboxes", run.returncode == 0, found)


def _screens(programs: Sequence[str] | None) -> Row:
    packages = {**SCREEN, **{name: name for name in programs or ()}}
    missing = sorted({package for name, package in packages.items() if not shutil.which(name)})
    if not missing:
        return Row("screens", True, f"{', '.join(packages)} are installed")
    command = f"sudo apt-get install --no-install-recommends {' '.join(missing)}"
    needed = "" if programs is not None else "only environments with a `display` need them; "
    return Row("screens", programs is None, f"{needed}install the missing programs: {command}")


def _index() -> Row:
    run = subprocess.run(
        [find_uv_bin(), "pip", "compile", "--quiet", "--no-header", "--no-cache", "-"],
        input="iniconfig",
        env=os.environ | places.for_uv("uv") | places.for_uv("uv-python", reading=True),
        capture_output=True,
        text=True,
        check=False,
    )
    found = "answers" if run.returncode == 0 else "does not answer; cached venvs still work"
    return Row("package index", run.returncode == 0, found)
