"""The installation of a variant. Attempts share a cache of packages from the index, but not the variant's code."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
import tomllib
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from filelock import FileLock
from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name
from uv import find_uv_bin

from evals.rollouts.folders import Found
from skill_tools.errors import SkillToolsError
from skill_tools.runtime import interpreters, supervise
from skill_tools.runtime.venvs import cache_folder

NEEDED = {
    "openenv": ("openenv>=0.10,<0.11", ">=3.11,<3.14"),
    "ors": ("openreward>=0.1.167,<0.2", ">=3.11,<3.14"),
    "verifiers": ("verifiers>=0.4,<0.5", ">=3.11,<3.14"),
    "nemo_gym": ("nemo-gym>=0.4,<0.8", ">=3.12,<3.14"),
    "skyrl_gym": ("skyrl-gym>=0.4,<0.5", ">=3.11,<3.14"),
    "gem": ("gem-llm>=0.1,<0.2", ">=3.11,<3.13"),
}
"""The packages and the Python version for a variant that declares no requirements."""
COMMON = ("jsonschema>=4.23,<5", "openai>=2", "requests>=2", "uvicorn")
"""Further packages that most variants need. Every venv has them, so that variants share one venv per framework."""
BUILDERS = ("setuptools>=77", "hatchling>=1.27", "editables")
INSTALL_SECONDS = 900


class InstallError(Exception):
    """Raised, with the packages' names and uv's error, because a variant's packages could not be installed."""


@dataclass
class Needs:
    """The requirements of a project: packages from the index, local folders and wheels, and a Python version."""

    index: list[str] = field(default_factory=list)
    local: list[Path] = field(default_factory=list)
    wheels: list[Path] = field(default_factory=list)
    python: str = ""


def python_for(found: Found, folder: Path) -> Path:
    """Make a venv in ``folder`` with the variant installed. Return the venv's interpreter."""
    needs = Needs()
    _read(found.project, needs, set())
    base = shared(found.framework, needs.index, needs.python)
    run("venv", "--quiet", "--no-project", "--python", str(base), str(folder))
    made = folder / "bin" / "python"
    (place,) = folder.glob("lib/python*/site-packages")
    (shared_place,) = base.parents[1].glob("lib/python*/site-packages")
    line = f"import site; site.addsitedir({json.dumps(str(shared_place))})\n"
    (place / "_shared.pth").write_text(line)
    if needs.wheels:
        run(
            "pip", "install", "--quiet", "--no-deps", "--python", str(made), *map(str, needs.wheels)
        )
    if needs.local:
        editable = [part for path in needs.local for part in ("--editable", str(path))]
        options = ["--quiet", "--no-deps", "--no-build-isolation", "--python", str(made)]
        run("pip", "install", *options, *editable)
    return made


def shared(framework: str, more: Iterable[str] = (), python: str = "") -> Path:
    """Return the interpreter of a cached venv with a framework, the requirements of a variant, and build tools."""
    requirement, usual = NEEDED[framework]
    try:
        interpreter = interpreters.find(",".join(filter(None, (usual, python))))
    except SkillToolsError as error:
        raise InstallError(str(error)) from error
    said = {canonicalize_name(Requirement(each).name): each for each in more}
    for each in (requirement, *COMMON, *BUILDERS):
        said.setdefault(canonicalize_name(Requirement(each).name), each)
    wanted = sorted(said.values())
    key = hashlib.sha256(json.dumps([wanted, str(interpreter)]).encode()).hexdigest()[:16]
    folder = cache_folder() / "evals" / key
    folder.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{folder}.lock"):
        if not (folder / "complete").is_file():
            shutil.rmtree(folder, ignore_errors=True)
            run("venv", "--quiet", "--no-project", "--python", str(interpreter), str(folder))
            # Not compiled as a whole: what is imported is, once, by whoever imports it first.
            target = ["--quiet", "--python", str(folder / "bin" / "python")]
            run("pip", "install", *target, *wanted)
            (folder / "complete").write_text("\n".join(wanted))
    return folder / "bin" / "python"


def run(*arguments: str) -> None:
    """Run uv, which ends when this process ends. Raise InstallError with uv's output if uv fails."""
    passed = {name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"}
    with tempfile.TemporaryDirectory() as folder:
        done = supervise.run(
            [find_uv_bin(), *arguments], cwd=Path(folder), env=passed, timeout=INSTALL_SECONDS,
            log=Path(folder) / "log",
        )  # fmt: skip
    if done.timed_out:
        raise InstallError(f"uv {arguments[0]}: not done in {INSTALL_SECONDS} s")
    if done.returncode:
        raise InstallError(f"uv {' '.join(arguments[:2])}: {done.log_tail[-1500:]}")


def _read(project: Path, needs: Needs, extras: set[str]) -> None:
    """Add the requirements of a project. Folders that the project depends on are read in turn."""
    listed = project / "requirements.txt"
    if listed.is_file() and not (project / "pyproject.toml").is_file():
        lines = [line.split("#")[0].strip() for line in listed.read_text("utf-8").splitlines()]
        needs.index += [line for line in lines if line and not line.startswith("-")]
    if not (project / "pyproject.toml").is_file():
        return
    try:
        data = tomllib.loads((project / "pyproject.toml").read_text("utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise InstallError(f"pyproject.toml of {project.name}: {error}") from error
    about, uv = data.get("project", {}), data.get("tool", {}).get("uv", {})
    needs.python = needs.python or about.get("requires-python", "")
    if "build-system" in data and uv.get("package", True) and project not in needs.local:
        needs.local.append(project)
    optional = about.get("optional-dependencies", {})
    wanted: Sequence[str] = [
        *about.get("dependencies", []),
        *(each for extra in extras for each in optional.get(extra, [])),
    ]
    sources = {canonicalize_name(name): source for name, source in uv.get("sources", {}).items()}
    for text in wanted:
        try:
            requirement = Requirement(text)
        except InvalidRequirement as error:
            raise InstallError(f"pyproject.toml of {project.name}: {error}") from error
        source = sources.get(canonicalize_name(requirement.name))
        if isinstance(source, dict) and "path" in source:
            beside = (project / source["path"]).resolve()
            if beside.suffix == ".whl":
                _read_wheel(beside, needs, requirement.extras)
            else:
                _read(beside, needs, set(requirement.extras))
        else:
            needs.index.append(text)


def _read_wheel(path: Path, needs: Needs, extras: set[str]) -> None:
    """Add a wheel, and the packages from the index that it requires."""
    try:
        with zipfile.ZipFile(path) as archive:
            (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
            lines = archive.read(name).decode().partition("\n\n")[0].splitlines()
    except (OSError, ValueError, zipfile.BadZipFile) as error:
        raise InstallError(f"{path.name} is no wheel: {error}") from error
    needs.wheels.append(path)
    for line in lines:
        if line.startswith("Requires-Dist: "):
            wanted = Requirement(line.removeprefix("Requires-Dist: "))
            names = ["", *extras]
            if not wanted.marker or any(wanted.marker.evaluate({"extra": name}) for name in names):
                wanted.marker = None
                needs.index.append(str(wanted))
