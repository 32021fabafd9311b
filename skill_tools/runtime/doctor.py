"""What this machine offers and lacks."""

from __future__ import annotations

import platform
import subprocess
import sys
from dataclasses import dataclass

from uv import find_uv_bin

from skill_tools.errors import InterpreterError
from skill_tools.frameworks import FRAMEWORKS
from skill_tools.runtime import interpreters, venvs


@dataclass(frozen=True)
class Row:
    """One thing looked for."""

    what: str
    ok: bool
    found: str


def examine() -> list[Row]:
    """Linux, uv, an interpreter per framework, the cache, and whether the package index answers."""
    rows = [_system(), _uv()]
    for framework in FRAMEWORKS.values():
        what = f"Python {framework.python} for {framework.title}"
        try:
            rows.append(Row(what, True, str(interpreters.find(framework.python))))
        except InterpreterError as error:
            rows.append(Row(what, False, str(error)))
    rows += [Row("venv cache", True, str(venvs.cache_folder())), _index()]
    return rows


def _system() -> Row:
    return Row("Linux", sys.platform == "linux", platform.platform(terse=True))


def _uv() -> Row:
    run = subprocess.run([find_uv_bin(), "--version"], capture_output=True, text=True, check=False)
    return Row("uv", run.returncode == 0, (run.stdout or run.stderr).strip())


def _index() -> Row:
    run = subprocess.run(
        [find_uv_bin(), "pip", "compile", "--quiet", "--no-header", "--no-cache", "-"],
        input="iniconfig",
        capture_output=True,
        text=True,
        check=False,
    )
    found = "answers" if run.returncode == 0 else "does not answer; cached venvs still work"
    return Row("package index", run.returncode == 0, found)
