"""A grader's code: its whole text, and the texts in it, such as labels, tags and keys, of which replies may consist."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from skill_tools.audit.target import FUNCTION, Target
from skill_tools.graders.repairs.code_repairs import GraderCode

LARGEST = 400_000
"""Bytes of a file to read at most."""
FILES = 12
"""Maximum files of a folder."""
MOST = 400
"""Maximum texts."""
LONGEST = 200
"""Characters of a text from which on it is prose."""


def constants_in(target: Target) -> tuple[str, ...]:
    """Return the short texts in the code of a target's grader, or () if the target is an address.

    The texts of the grader's own file come first.
    """
    files = islice(_files(target), FILES)
    found = (text for path in files for text in _texts(path))
    return tuple(islice(dict.fromkeys(found), MOST))


def code_of(target: Target) -> GraderCode | None:
    """Return the text of a reward function's file, or None if the target is something else."""
    named = FUNCTION.fullmatch(target.id) if target.folder and target.id else None
    if not named or target.folder is None:
        return None
    try:
        return GraderCode(named[1], (target.folder / named[1]).read_text("utf-8"))
    except (OSError, ValueError):
        return None


def _files(target: Target) -> Iterator[Path]:
    if target.folder is None:
        return
    if target.id and (named := FUNCTION.fullmatch(target.id)):
        yield target.folder / named[1]
    elif target.app:
        yield target.folder / target.app
    for path in sorted(target.folder.glob("**/*.py")):
        if not (set(path.relative_to(target.folder).parts) & {"tests", "scripts", ".venv"}):
            yield path


def _texts(path: Path) -> Iterator[str]:
    """Yield the texts in a file's code, except docstrings."""
    try:
        tree = (
            ast.parse(path.read_text("utf-8", "replace"))
            if path.stat().st_size <= LARGEST
            else ast.Module([], [])
        )
    except (OSError, SyntaxError, ValueError, RecursionError):
        return
    prose = {id(each.value) for each in ast.walk(tree) if isinstance(each, ast.Expr)}
    for node in ast.walk(tree):
        text = node.value if isinstance(node, ast.Constant) and id(node) not in prose else None
        if isinstance(text, str) and text.strip() and len(text) <= LONGEST:
            yield text
