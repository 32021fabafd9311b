"""Finds a Python on this machine that satisfies a framework's requirement."""

from __future__ import annotations

import os
import re
import shutil
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

PROBE = (
    "import os, sys; v = sys.version_info;"
    "p = '' if v.releaselevel == 'final' else f'{v.releaselevel[0]}{v.serial}';"
    "b = getattr(sys, '_base_executable', None) or sys.executable;"
    "print(sys.implementation.name, f'{v[0]}.{v[1]}.{v[2]}{p}', os.path.realpath(b))"
)
PROBE_SECONDS, DOWNLOAD_SECONDS = 20, 300
MINORS = range(9, 20)
PATCHES = range(60)


class Candidate(NamedTuple):
    """A path that may be a Python, and what its name promises: a version, a minor or nothing."""

    path: Path
    promise: str = ""

    def may_satisfy(self, wanted: SpecifierSet) -> bool:
        """Whether a Python of the promised version can satisfy ``wanted``."""
        if not self.promise:
            return True
        return _has_release(wanted, self.promise)

    def rank(self) -> tuple[bool, bool, int, int]:
        """Sort key: the current minor, then from the lowest minor on, its newest patch first."""
        version = Version(self.promise or "0")
        current = version.release[:2] == sys.version_info[:2]
        return (not self.promise, not current, version.minor, -version.micro)


class Found(NamedTuple):
    """An interpreter that ran: what it is and where its base executable lies."""

    implementation: str
    version: str
    path: Path


@cache
def find(requires: str) -> Path:
    """Return the executable of a CPython that satisfies ``requires``, such as ``>=3.12,<3.14``.

    What SKILL_TOOLS_PYTHON lists (separated as in PATH) is tried first. Then the current
    interpreter's minor version is preferred, as it is known to work here; otherwise the lowest
    minor that satisfies, since most packages have wheels for it; of one minor the newest patch.
    The result is never a shim or a virtual environment. Raises InterpreterError.
    """
    wanted = SpecifierSet(requires)
    seen: dict[Path, Found] = {}
    for candidates in (_listed, _installed, _managed_after_download):
        for candidate in candidates(wanted):
            found = _probe(candidate.path) if candidate.may_satisfy(wanted) else None
            if found is None:
                continue
            seen[found.path] = found
            if found.implementation == "cpython" and wanted.contains(found.version):
                return found.path
    raise InterpreterError(_nothing_found(requires, wanted, seen))


def _listed(wanted: SpecifierSet) -> Iterator[Candidate]:
    for name in filter(None, os.environ.get("SKILL_TOOLS_PYTHON", "").split(os.pathsep)):
        path = shutil.which(Path(name).expanduser())
        if path is not None:
            yield Candidate(Path(path))


def _installed(wanted: SpecifierSet) -> list[Candidate]:
    current = Candidate(Path(sys.executable), ".".join(map(str, sys.version_info[:3])))
    if current.may_satisfy(wanted):
        return [current]  # it is preferred, so spare the search
    return _all_installed()


def _all_installed() -> list[Candidate]:
    return sorted([*_pyenv(), *_managed(), *_on_path()], key=Candidate.rank)


def _managed_after_download(wanted: SpecifierSet) -> list[Candidate]:
    minor = _lowest_minor(wanted)
    return _managed() if minor and not _download(minor) else []


def _on_path() -> Iterator[Candidate]:
    for folder in map(Path, os.get_exec_path()):
        # pyenv's shims only work for the versions it has activated; _pyenv finds them all.
        if folder == _pyenv_root() / "shims" or not folder.is_dir():
            continue
        for path in sorted(folder.glob("python*")):
            if match := re.fullmatch(r"python(3\.\d+)?3?", path.name):
                yield Candidate(path, match[1] or "")


def _pyenv_root() -> Path:
    return Path(os.environ.get("PYENV_ROOT") or "~/.pyenv").expanduser()


def _pyenv() -> Iterator[Candidate]:
    for path in _pyenv_root().glob("versions/3.*/bin/python"):
        # Names that say more are free-threaded builds, development versions or environments.
        if re.fullmatch(r"3\.\d+\.\d+", path.parents[1].name):
            yield Candidate(path, path.parents[1].name)


def _managed() -> list[Candidate]:
    """uv's own interpreters."""
    code, folder = _uv("python", "dir")
    paths = Path(folder).glob("cpython-3.*/bin/python3") if code == 0 and folder else []
    named = ((path, re.match(r"cpython-(3\.\d+\.\d+)-", path.parents[1].name)) for path in paths)
    return [Candidate(path, match[1]) for path, match in named if match]


@cache
def _download(minor: str) -> str:
    """Have uv install a Python, once per process; return why that failed, or nothing."""
    if os.environ.get("UV_PYTHON_DOWNLOADS", "").lower() in ("never", "manual", "false"):
        return "downloads are switched off by UV_PYTHON_DOWNLOADS"
    code, output = _uv("python", "install", minor, "--no-bin")
    lines = [line.strip() for line in output.splitlines() if line.strip()] or ["no output"]
    return "" if code == 0 else f"{lines[0]}; {lines[-1]}"[:300]


def _uv(*arguments: str) -> tuple[int, str]:
    # With the usual three retries, a machine without network would wait 12 seconds.
    environment = {"UV_HTTP_RETRIES": "1"} | os.environ
    command = [find_uv_bin(), *arguments]
    try:
        done = subprocess.run(
            command,
            env=environment,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=DOWNLOAD_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return 1, f"uv took more than {DOWNLOAD_SECONDS} s"
    return done.returncode, (done.stdout if done.returncode == 0 else done.stderr).strip()


@cache
def _probe(path: Path) -> Found | None:
    """Run ``path`` and return what it says it is; None if it does not run or is no Python."""
    try:
        done = subprocess.run(
            [path, "-I", "-c", PROBE],
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=PROBE_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    words = done.stdout.strip().split(" ", 2)
    if done.returncode or len(words) != 3:
        return None
    return Found(words[0], words[1], Path(words[2]))


def _has_release(wanted: SpecifierSet, version: str) -> bool:
    """Whether ``wanted`` allows this version, or some patch of it if it is a minor only."""
    if Version(version).release[2:]:
        return wanted.contains(version)
    return any(wanted.contains(f"{version}.{patch}") for patch in PATCHES)


def _lowest_minor(wanted: SpecifierSet) -> str | None:
    names = (f"3.{minor}" for minor in MINORS)
    return next((name for name in names if _has_release(wanted, name)), None)


def _nothing_found(requires: str, wanted: SpecifierSet, seen: dict[Path, Found]) -> str:
    for candidate in _all_installed():  # those ruled out by their name as well
        found = _probe(candidate.path)
        if found is not None:
            seen[found.path] = found
    by_version = sorted(seen.values(), key=lambda found: Version(found.version))
    have = ", ".join(f"{found.version} ({found.path})" for found in by_version) or "none"
    minor = _lowest_minor(wanted)
    install = f"uv python install {minor} (or pyenv install {minor}), or " if minor else ""
    message = (
        f"no Python here satisfies {requires}\n    found: {have}\n"
        f"    fix: {install}name the path of one in SKILL_TOOLS_PYTHON"
    )
    failure = _download(minor) if minor else ""
    return message + (f"\n    uv could not install one: {failure}" if failure else "")
