"""Find a Python on this machine that satisfies a framework's requirement, with uv's help.

The module runs ``uv python list``, not ``uv python find``. The second command returns the first Python on the
PATH, which may be a virtual environment or the newest of many.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from packaging.specifiers import SpecifierSet
from packaging.version import Version
from uv import find_uv_bin

from skill_tools.errors import InterpreterError
from skill_tools.runtime import places

SECONDS = 300
"""Time limit for uv in seconds; it may have to download a Python."""
BASE = "import sys; print(getattr(sys, '_base_executable', None) or sys.executable)"
"""A Python program that prints the base interpreter of a virtual environment."""
MINORS = range(9, 20)
"""Possible minor versions of Python 3: from one that has reached its end of life to some years
ahead."""
PATCHES = range(60)
"""Possible patch versions: twice as many as any minor version had."""


class Found(NamedTuple):
    """A Python interpreter that works: its version and path. ``usual`` is true for a CPython with the GIL."""

    version: str
    path: Path
    usual: bool


@cache
def find(requires: str) -> Path:
    """Return the executable of a CPython that satisfies ``requires``, such as ``>=3.12,<3.14``.

    The interpreters in SKILL_TOOLS_PYTHON (separated as in PATH) come first. Next comes the current interpreter's
    minor version, which is known to work on this machine. Then comes the lowest matching minor version, because
    most packages have wheels for it. Within a minor version, the newest patch is preferred. If no interpreter
    matches, uv downloads one, unless UV_PYTHON_DOWNLOADS forbids it. The result is never a shim or a virtual
    environment. Raises InterpreterError if there is no such interpreter.
    """
    wanted, seen = SpecifierSet(requires), dict[Path, str]()
    releases = ((f"3.{minor}", f"3.{minor}.{patch}") for minor in MINORS for patch in PATCHES)
    lowest = next((minor for minor, release in releases if wanted.contains(release)), "")
    for found in _candidates(lowest):
        if found.usual and wanted.contains(found.version):
            # An entry of SKILL_TOOLS_PYTHON may be a shim or in a virtual environment.
            code, base = _run(str(found.path), "-I", "-c", BASE)
            return Path(base if code == 0 else found.path).resolve()
        seen[found.path.resolve()] = found.version
    by_version = sorted(seen.items(), key=lambda item: Version(item[1]))
    have = ", ".join(f"{version} ({path})" for path, version in by_version) or "none"
    install = f"uv python install {lowest} (or pyenv install {lowest}), or " if lowest else ""
    failure = lowest and _download(lowest)
    raise InterpreterError(
        f"no installed Python satisfies {requires}\n    found: {have}\n"
        f"    fix: {install}set SKILL_TOOLS_PYTHON to the path of a suitable Python"
        + (f"\n    uv could not install one: {failure}" if failure else "")
    )


def _candidates(lowest: str) -> Iterator[Found]:
    """Yield interpreters in order of preference. Slow searches run only on demand."""
    for name in filter(None, os.environ.get("SKILL_TOOLS_PYTHON", "").split(os.pathsep)):
        yield from _list(str(Path(name).expanduser()))
    ours = Path(getattr(sys, "_base_executable", None) or sys.executable)
    yield Found(platform.python_version(), ours, sys.implementation.name == "cpython")
    yield from sorted(_list(), key=_rank)
    if lowest and not _download(lowest):
        yield from _list(**_installing())


def _rank(found: Found) -> tuple[bool, int, int]:
    version = Version(found.version)
    return version.release[:2] != sys.version_info[:2], version.minor, -version.micro


def _list(*request: str, **more: str) -> list[Found]:
    """Return the interpreters that uv finds on this machine, without virtual environments. Return an empty list if
    uv fails."""
    options = ["--only-installed", "--output-format", "json", "--no-config"]
    code, output = _run(find_uv_bin(), "python", "list", *options, *request, **more)
    return [
        Found(
            row["version"],
            Path(row["path"]).absolute(),
            (row["implementation"], row["variant"]) == ("cpython", "default"),
        )
        for row in (json.loads(output) if code == 0 else [])
    ]


@cache
def _download(minor: str) -> str:
    """Let uv install a Python, once per process. Return the reason for a failure, or ""."""
    if os.environ.get("UV_PYTHON_DOWNLOADS", "").lower() in ("never", "manual", "false"):
        return "UV_PYTHON_DOWNLOADS disables downloads"
    code, output = _run(find_uv_bin(), "python", "install", minor, "--no-bin", **_installing())
    lines = [line.strip() for line in output.splitlines() if line.strip()] or ["no output"]
    return "" if code == 0 else f"{lines[0]}; {lines[-1]}"[:300]


def _installing() -> dict[str, str]:
    """Return environment variables that set uv's install folder if the default folder is not writable. Existing
    Pythons remain readable.
    """
    return places.for_uv("uv-python")


def _run(*command: str, **more: str) -> tuple[int, str]:
    """Run a command with additional environment variables. Return its exit code and its output or error."""
    if root := os.environ.get("PYENV_ROOT"):
        there = [*Path(os.path.expanduser(root)).glob("versions/3.*/bin")]  # noqa: PTH111 - as below
    else:
        usual = Path(os.path.expanduser("~/.pyenv"))  # noqa: PTH111 - it never raises
        # Ours may be one of several next to each other, where HOME does not lead.
        siblings = Path(sys.base_prefix).parent.glob("*3.*/bin")
        there = [*usual.glob("versions/3.*/bin"), *siblings]
    # pyenv's shims only work for activated versions, so its real folders are searched.
    on_path = [folder for folder in os.get_exec_path() if Path(folder).name != "shims"]
    path = os.pathsep.join([*map(str, there), *on_path])
    # With the default three retries, a machine without network would wait 12 seconds.
    environment = {"UV_HTTP_RETRIES": "1", **os.environ, "PATH": path}
    environment |= places.for_uv("uv") | places.for_uv("uv-python", reading=True) | more
    try:
        done = subprocess.run(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return 1, f"it took more than {SECONDS} s"
    return done.returncode, (done.stdout if done.returncode == 0 else done.stderr).strip()
