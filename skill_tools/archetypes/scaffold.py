"""Starting an environment in a folder: a starter's files are written once all of them can be used."""

from __future__ import annotations

import tempfile
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
"""What a repository with an environment does not keep; the author's own from then on."""


@dataclass(frozen=True)
class NewEnvironment:
    """The folder of an environment that was started, and the author's files in it."""

    folder: Path
    files: tuple[str, ...]


def start_in(folder: Path, starter: str, name: str | None = None) -> NewEnvironment:
    """Write a starter into a new or empty folder, whose name is the environment's unless given.

    Raises RenderError when the folder already holds something, SpecError for a name that a
    framework reserves; then nothing is written.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise RenderError(f"{folder} is not empty\n    fix: name a new folder; nothing was written")
    files = {**start(starter, name or folder.name.replace("-", "_").lower()), ".gitignore": LEFT}
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
