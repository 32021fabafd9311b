"""The files of an environment that a reader reviews: the author's own files, without generated files."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from pathlib import Path

from skill_tools.evidence.saved import hash_sources
from skill_tools.files import ANSWERS_FILE, CLAIMS_FILE, READINGS_FILE
from skill_tools.spec.model import EnvSpec

LARGEST = 400_000
"""Size in bytes from which a brief leaves a file out, so that the reader opens it in the folder."""
MOST_FILES = 60
"""Maximum files to list: environments have fewer, and no single reader reads a whole repository."""
TEXTS = (".py", ".yaml", ".yml", ".toml", ".md", ".txt", ".json", ".jinja")
SKIPPED = ("__pycache__", "runs", "tests", "node_modules", "venv")


def author_files(spec: EnvSpec, folder: Path) -> dict[str, str]:
    """Return the author's files of an environment with an env.yaml, by path, without the files that readers wrote."""
    readers = (READINGS_FILE, CLAIMS_FILE, ANSWERS_FILE)
    return {
        name: (folder / name).read_text("utf-8", "replace")
        for name in hash_sources(spec, folder)
        if name not in readers and _short(folder / name)
    }


def foreign_files(folder: Path, function: str = "") -> dict[str, str]:
    """Return the text files below a folder, code first.

    For a reward function, return its file and the modules that it imports from the folder.
    """
    found = _imported(folder, function) if function else sorted(_below(folder), key=_order)
    names = (path.relative_to(folder).as_posix() for path in found[:MOST_FILES])
    return {name: (folder / name).read_text("utf-8", "replace") for name in names}


def _imported(folder: Path, function: str) -> list[Path]:
    """Return a file, and the modules in its folder that the file imports directly or indirectly."""
    left, found = [folder / function], list[Path]()
    while left and len(found) < MOST_FILES:
        path = left.pop()
        if path in found or not _short(path):
            continue
        found.append(path)
        left += [folder / f"{name}.py" for name in _names(path)]
    return found


def _names(path: Path) -> Iterator[str]:
    try:
        tree = ast.parse(path.read_text("utf-8", "replace"))
    except (SyntaxError, ValueError, RecursionError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (each.name.replace(".", "/") for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.replace(".", "/")
            yield from (f"{node.module.replace('.', '/')}/{each.name}" for each in node.names)


def _below(folder: Path) -> Iterator[Path]:
    for place, names, files in os.walk(folder):
        names[:] = sorted(n for n in names if n not in SKIPPED and not n.startswith("."))
        for name in sorted(files):
            path = Path(place) / name
            if path.suffix in TEXTS and not name.startswith(".") and _short(path):
                yield path


def _order(path: Path) -> tuple[bool, bool, str]:
    return path.suffix != ".py", path.suffix == ".md", path.as_posix()


def _short(path: Path) -> bool:
    return path.is_file() and not path.is_symlink() and path.stat().st_size <= LARGEST
