"""Build the wheels in an environment's `vendor/`; the same sources give the same bytes.

Once these packages are published, the wheels could come from a package index. Until then the sources are in
this repository and in the wheel of skill-tools. The environment gets the wheels that a build would produce.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import io
import os
import re
import tempfile
import tomllib
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from skill_tools.errors import RenderError
from skill_tools.files import harness_project, sandbox_project
from skill_tools.spec.model import VENDOR

EPISODE_MODULES = frozenset(
    {
        *("__init__", "arguments", "blocks", "env_spec", "episode", "opening", "returned"),
        *("task_table", "tool_rules", "visible_text"),
    }
)
"""Modules of rl-env-harness that environments contain as files in `_shared/`, outside the wheel."""
ROLE_MODULES = frozenset({"role_replies", "roles", "rubric"})
"""Further ones of environments with models inside."""
_THEN = (1980, 1, 1, 0, 0, 0)
"""The time of every entry: the earliest possible."""
_MODE = 0o100644 << 16


@dataclass(frozen=True)
class Wheel:
    """A distribution that environments contain as one file.

    Attributes:
        imported: The name of the package.
        declared: A function that returns the [project] table of its pyproject.toml.
        sources: A function that returns its modules as {path from the wheel's root: text}.
    """

    imported: str
    declared: Callable[[], dict[str, Any]]
    sources: Callable[[], Mapping[str, str]]

    @property
    def distribution(self) -> str:
        """The name of the distribution in a requirement and on the package index."""
        return str(self.declared()["name"])

    @property
    def path(self) -> str:
        """The path of the wheel in an environment's folder."""
        return f"{VENDOR}/{self.imported}-{self.declared()['version']}-py3-none-any.whl"

    @property
    def pinned(self) -> str:
        """The requirement for exactly this version."""
        return f"{self.distribution}=={self.declared()['version']}"

    @property
    def or_later(self) -> str:
        """The requirement for this version or a later version that supports current renderings."""
        return f"{self.distribution}>={self.declared()['version']}"

    def content(self) -> bytes:
        """Return the bytes of the wheel, which is uncompressed because compressors differ between machines."""
        return _content(self)

    def unpacked(self, environment: Path, cache: Path) -> Path:
        """Unpack the package's wheel and return the folder. If the environment has no such wheel, use the wheel that a
        rendering would write.

        The wheel is unpacked once below ``cache``, into a folder named by a hash of its content. Raises RenderError
        if the file is not a wheel of this package.
        """
        there = sorted(environment.glob(f"{VENDOR}/{self.imported}-*.whl"))
        file = there[-1] if there else environment / self.path
        data = file.read_bytes() if there else self.content()
        folder = cache / hashlib.sha256(data).hexdigest()[:16]
        if not folder.is_dir():
            cache.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(prefix="new-", dir=cache) as scratch:
                new = Path(scratch) / "new"
                self._unpack(data, new, file)
                try:
                    new.rename(folder)
                except OSError:  # another process was faster
                    if not folder.is_dir():
                        raise
        return folder / self.imported

    def _unpack(self, data: bytes, folder: Path, file: Path) -> None:
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                archive.extractall(folder)  # skips paths outside the folder
        except (zipfile.BadZipFile, OSError, NotImplementedError) as error:
            raise RenderError(f"{file} is not a wheel: {error}\n    fix: render again") from error
        if not (folder / self.imported / "__init__.py").is_file():
            raise RenderError(f"{file} has no {self.imported}\n    fix: render again")


def sandbox_source() -> Path:
    """Return the folder that must be on the import path to import rl_env_sandbox from its sources."""
    return sandbox_project() / "src"


def harness_source() -> Path:
    """Return the folder that must be on the import path to import rl_env_harness from its sources."""
    return harness_project() / "src"


@functools.cache
def protocol() -> int:
    """Return the protocol version of rl-env-sandbox that current renderings use."""
    module = SANDBOX.sources()[f"{SANDBOX.imported}/environment.py"]
    found = re.search(r"^PROTOCOL = (\d+)$", module, re.MULTILINE)
    if not found:
        raise AssertionError("environment.py of rl-env-sandbox does not define PROTOCOL")
    return int(found[1])


def refuse_former(environment: Path) -> None:
    """Raise RenderError if an author's module imports ``.sandbox``, which is now the package rl_env_sandbox."""
    former = re.compile(r"^\s*from \.(sandbox\b| import sandbox\b)", re.MULTILINE)
    modules = sorted(environment.glob("*.py"))
    if found := [
        path.name for path in modules if former.search(path.read_text("utf-8", "replace"))
    ]:
        raise RenderError(
            f"{', '.join(found)} imports .sandbox, which is now the package {SANDBOX.imported}\n"
            f"    fix: write `from {SANDBOX.imported} import …` instead of `from .sandbox import …`"
        )


@functools.cache
def episode_module(name: str) -> str:
    """Return the text of a module. Every environment contains this module as a file."""
    return (_harness_source() / f"{name}.py").read_text("utf-8")


def _harness_source() -> Path:
    return harness_source() / "rl_env_harness"


@functools.cache
def _sandbox_declared() -> dict[str, Any]:
    return _declared(sandbox_project())


@functools.cache
def _harness_declared() -> dict[str, Any]:
    return _declared(harness_project())


@functools.cache
def _sandbox_modules() -> dict[str, str]:
    return _texts(sandbox_source(), sorted((sandbox_source() / "rl_env_sandbox").rglob("*.py")))


@functools.cache
def _harness_modules() -> dict[str, str]:
    rooms = sorted(_harness_source().glob("*/*.py"))
    package = '"""What plays and serves an environment: see `_shared/__init__.py` of one."""\n'
    return {"rl_env_harness/__init__.py": package, **_texts(_harness_source().parent, rooms)}


SANDBOX = Wheel("rl_env_sandbox", _sandbox_declared, _sandbox_modules)
"""The wheel that runs an agent's programs."""
HARNESS = Wheel("rl_env_harness", _harness_declared, _harness_modules)
"""The wheel that plays and serves an environment."""


def _declared(project: Path) -> dict[str, Any]:
    """Return the [project] table of a folder's pyproject.toml, with the text of the README as ``readme``."""
    project_table = tomllib.loads((project / "pyproject.toml").read_text("utf-8"))["project"]
    return {**project_table, "readme": (project / "README.md").read_text("utf-8")}


def _texts(folder: Path, paths: list[Path]) -> dict[str, str]:
    return {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in paths}


@functools.cache
def _content(wheel: Wheel) -> bytes:
    info = f"{wheel.imported}-{wheel.declared()['version']}.dist-info"
    files = {path: text.encode() for path, text in wheel.sources().items()}
    files[f"{info}/licenses/LICENSE"] = (sandbox_project() / "LICENSE").read_bytes()
    files[f"{info}/METADATA"] = _metadata(wheel.declared()).encode()
    files[f"{info}/WHEEL"] = _WHEEL.encode()
    files[f"{info}/RECORD"] = _record(files, f"{info}/RECORD").encode()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path, _THEN)
            entry.create_system, entry.external_attr = 3, _MODE
            archive.writestr(entry, data)
    return packed.getvalue()


_WHEEL = "Wheel-Version: 1.0\nGenerator: skill-tools\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def _metadata(known: Mapping[str, Any]) -> str:
    lines = [
        "Metadata-Version: 2.4",
        f"Name: {known['name']}",
        f"Version: {known['version']}",
        f"Summary: {known['description']}",
        f"License-Expression: {known['license']}",
        "License-File: LICENSE",
        f"Requires-Python: {known['requires-python']}",
        *(f"Requires-Dist: {each}" for each in known["dependencies"]),
    ]
    for extra, requirements in known["optional-dependencies"].items():
        lines.append(f"Provides-Extra: {extra}")
        lines += [f"Requires-Dist: {each}; extra == '{extra}'" for each in requirements]
    lines.append("Description-Content-Type: text/markdown")
    return "\n".join(lines) + f"\n\n{known['readme']}"


def _record(files: Mapping[str, bytes], own: str) -> str:
    lines = []
    for path, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
        lines.append(f"{path},sha256={digest},{len(data)}\n")
    return "".join([*lines, f"{os.fspath(own)},,\n"])
