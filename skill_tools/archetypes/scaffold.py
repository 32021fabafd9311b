"""Start an environment in a folder: write the files of a starter if all of them are valid."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from skill_tools.archetypes import start
from skill_tools.errors import RenderError, SpecError
from skill_tools.files import write_files
from skill_tools.frameworks import rules

LEFT = """\
# What `uv run` and builds leave here.
.venv/
uv.lock
*.egg-info/
__pycache__/
runs/
"""
"""The initial .gitignore of an environment; the author may change it."""


@dataclass(frozen=True)
class NewEnvironment:
    """A new environment: its folder, the author's files, and the parts of the author's input that were left out."""

    folder: Path
    files: tuple[str, ...]
    left_out: tuple[str, ...] = ()


def start_in(folder: Path, starter: str, name: str | None = None) -> NewEnvironment:
    """Write a starter into a new or empty folder. The folder's name is the default name of the environment.

    Raises RenderError if the folder is not empty, and SpecError if a framework reserves the name. In both cases
    nothing is written.
    """
    return write_new(folder, start(starter, name or folder.name.replace("-", "_").lower()))


def write_new(folder: Path, files: Mapping[str, str]) -> NewEnvironment:
    """Write an author's first files into a new or empty folder. Raises the same errors as ``start_in``."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise RenderError(f"{folder} is not empty\n    fix: name a new folder; nothing was written")
    files = {**files, ".gitignore": LEFT}
    with tempfile.TemporaryDirectory(prefix="skill-tools-") as scratch:
        write_files(Path(scratch), files)
        try:
            rules.load(Path(scratch))
        except SpecError as error:
            found = [
                replace(p, where=p.where.replace(scratch, str(folder))) for p in error.problems
            ]
            raise SpecError(found) from error
    write_files(folder, files)
    return NewEnvironment(folder, tuple(sorted(files)))
