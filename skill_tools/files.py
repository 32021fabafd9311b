"""Names of a spec's folder and files, and a function that writes a file completely or not at all."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterable, Mapping
from pathlib import Path

from skill_tools.errors import DomainError

SPEC_FILE = "env.yaml"
"""The file of an author's declarations.

It is named here, so that the MCP server can start without importing the code that reads it.
"""
EXAMPLES_FILE = "examples.yaml"
"""The file of worked examples, next to the spec; named here for the same reason."""
READINGS_FILE = "readings.yaml"
"""The file with the expectations of a reader of the prompts alone, next to the spec; an author may delete it."""
CLAIMS_FILE = "claims.yaml"
"""The file with the claims of a reader of everything, next to the spec; an author may delete it."""
ANSWERS_FILE = "answers.yaml"
"""The file with a second reader's answers, next to the claims."""
GOLD_FILE = "gold.jsonl"
"""The file of labeled replies by which a judge is calibrated, next to the spec."""

_HERE = Path(__file__).resolve().parent
_PACKAGES = (_HERE.parent / "packages", _HERE / "_packages")


def sandbox_project() -> Path:
    """Return the folder with the sources of rl-env-sandbox, in a checkout or an installation."""
    return _project("rl-env-sandbox")


def harness_project() -> Path:
    """Return the folder with the sources of rl-env-harness, in a checkout or an installation."""
    return _project("rl-env-harness")


def _project(name: str) -> Path:
    return next(place / name for place in _PACKAGES if (place / name / "pyproject.toml").is_file())


def find_environment(path: Path | str) -> Path:
    """Return the environment folder for a path that a user gave. Raises DomainError if the path is not a folder."""
    folder = Path(path)
    folder = folder.parent if folder.name == SPEC_FILE else folder
    if not folder.is_dir():
        raise DomainError(f"{folder} is not a folder\n    fix: name the folder with env.yaml in it")
    return folder.resolve()


def find_named(folder: Path, name: str) -> list[Path]:
    """Return the files for a name in the spec; a folder or a name with ``{split}`` may match several files.

    The path of a missing file is returned, too. Bytecode and hidden files of a folder are omitted.
    """
    if "{split}" in name:
        return sorted(folder.glob(name.replace("{split}", "*")))
    if not name.endswith("/"):
        return [folder / name]
    inside = (path.relative_to(folder / name).parts for path in (folder / name).rglob("*"))
    parts = (each for each in inside if not any(p[0] == "." or p == "__pycache__" for p in each))
    return sorted(path for each in parts if (path := folder.joinpath(name, *each)).is_file())


def write_whole(path: Path, data: str | bytes | Iterable[str], *, mode: int = 0o666) -> None:
    """Write a file atomically, from bytes, a text or parts of a text; text is encoded as UTF-8.

    If the process is killed, the old file or the new file remains, never half a file. A link at ``path`` is
    replaced, not followed. ``mode`` is the mode of a new file, less the umask. If OSError is raised, no temporary
    file is left behind.
    """
    # Beside it, as a rename is one step only within a file system; two writers never share it.
    fresh = path.with_name(f".{path.name}.{uuid.uuid4().hex}")
    try:
        new = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with os.fdopen(new, "wb") as file:
            for part in [data] if isinstance(data, str | bytes) else data:
                file.write(part.encode() if isinstance(part, str) else part)
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    """Write texts to their paths below a folder; existing files are overwritten."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
