"""The wheel of rl-env-sandbox: the same bytes from the same sources, as an environment has it.

An index would serve it, once it is on one. Until then the sources lie in this repository, and in our
own wheel; the environment gets what a build of them would give.
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
from pathlib import Path
from typing import Any

from skill_tools.errors import RenderError
from skill_tools.files import sandbox_project
from skill_tools.spec.model import VENDOR

IMPORTED = "rl_env_sandbox"
"""The name that a domain imports it by."""
DISTRIBUTION = "rl-env-sandbox"
_THEN = (1980, 1, 1, 0, 0, 0)
"""The time of every entry; the earliest that there is."""
_MODE = 0o100644 << 16


def source() -> Path:
    """The folder that has to be on the path for it to be imported."""
    return sandbox_project() / "src"


@functools.cache
def modules() -> dict[str, str]:
    """Its modules, as {path below `source`: text}."""
    paths = sorted((source() / IMPORTED).rglob("*.py"))
    return {path.relative_to(source()).as_posix(): path.read_text("utf-8") for path in paths}


@functools.cache
def path() -> str:
    """Where the wheel lies in an environment's folder."""
    return f"{VENDOR}/{IMPORTED}-{_declared()['version']}-py3-none-any.whl"


@functools.cache
def protocol() -> int:
    """The protocol of what is rendered now."""
    found = re.search(r"^PROTOCOL = (\d+)$", modules()[f"{IMPORTED}/environment.py"], re.MULTILINE)
    if not found:
        raise AssertionError("environment.py of rl-env-sandbox names no PROTOCOL")
    return int(found[1])


def requirement() -> str:
    """What an environment requires: this version's protocol, and any later one that serves it."""
    return f"{DISTRIBUTION}>={_declared()['version']}"


@functools.cache
def content() -> bytes:
    """The wheel. Stored and not compressed, as compressors differ from machine to machine."""
    info = f"{IMPORTED}-{_declared()['version']}.dist-info"
    files = {path: text.encode() for path, text in modules().items()}
    files[f"{info}/METADATA"] = _metadata().encode()
    files[f"{info}/WHEEL"] = _WHEEL.encode()
    files[f"{info}/RECORD"] = _record(files, f"{info}/RECORD").encode()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path, _THEN)
            entry.create_system, entry.external_attr = 3, _MODE
            archive.writestr(entry, data)
    return packed.getvalue()


def unpacked(environment: Path, cache: Path) -> Path:
    """The package of the wheel in an environment's folder, or of the one that rendering would write.

    It is unpacked once below ``cache``, by what the wheel holds. Raises RenderError for a file that is
    no such wheel.
    """
    there = sorted(environment.glob(f"{VENDOR}/{IMPORTED}-*.whl"))
    wheel = there[-1] if there else environment / path()
    data = wheel.read_bytes() if there else content()
    folder = cache / hashlib.sha256(data).hexdigest()[:16]
    if not folder.is_dir():
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="new-", dir=cache) as scratch:
            new = Path(scratch) / "new"
            try:
                with zipfile.ZipFile(io.BytesIO(data)) as archive:
                    archive.extractall(new)  # leaves out what leads out of the folder
            except (zipfile.BadZipFile, OSError, NotImplementedError) as error:
                raise RenderError(f"{wheel} is no wheel: {error}\n    fix: render again") from error
            if not (new / IMPORTED / "__init__.py").is_file():
                raise RenderError(f"{wheel} has no {IMPORTED}\n    fix: render again")
            try:
                new.rename(folder)
            except OSError:  # somebody else was quicker
                if not folder.is_dir():
                    raise
    return folder / IMPORTED


def refuse_former(environment: Path) -> None:
    """Raise RenderError where an author's module imports the folder that the package was before."""
    former = re.compile(r"^\s*from \.(sandbox\b| import sandbox\b)", re.MULTILINE)
    modules = sorted(environment.glob("*.py"))
    if found := [
        path.name for path in modules if former.search(path.read_text("utf-8", "replace"))
    ]:
        raise RenderError(
            f"{', '.join(found)} imports .sandbox, which is the package {IMPORTED} now\n"
            f"    fix: write `from {IMPORTED} import …` instead of `from .sandbox import …`"
        )


def _declared() -> dict[str, Any]:
    text = (sandbox_project() / "pyproject.toml").read_text("utf-8")
    declared: dict[str, Any] = tomllib.loads(text)["project"]
    return declared


_WHEEL = "Wheel-Version: 1.0\nGenerator: skill-tools\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def _metadata() -> str:
    known = _declared()
    lines = [
        "Metadata-Version: 2.4",
        f"Name: {known['name']}",
        f"Version: {known['version']}",
        f"Summary: {known['description']}",
        f"License-Expression: {known['license']}",
        f"Requires-Python: {known['requires-python']}",
        *(f"Requires-Dist: {each}" for each in known["dependencies"]),
    ]
    for extra, requirements in known["optional-dependencies"].items():
        lines.append(f"Provides-Extra: {extra}")
        lines += [f"Requires-Dist: {each}; extra == '{extra}'" for each in requirements]
    lines.append("Description-Content-Type: text/markdown")
    readme = (sandbox_project() / known["readme"]).read_text("utf-8")
    return "\n".join(lines) + f"\n\n{readme}"


def _record(files: dict[str, bytes], own: str) -> str:
    lines = []
    for path, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
        lines.append(f"{path},sha256={digest},{len(data)}\n")
    return "".join([*lines, f"{os.fspath(own)},,\n"])
