"""The tasks by split, as every variant finds them.

Rendered from env.yaml; `skill-tools render` overwrites it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from . import notebook as _domain
from .env_spec import SECRET_FIELDS


def splits() -> list[str]:
    """Names of the splits, in the author's order."""
    return list(TASKS)


def tasks(split: str) -> Sequence[dict[str, Any]]:
    """All tasks of a split. Raises KeyError naming the splits there are."""
    if split not in TASKS:
        raise KeyError(f"there is no split {split!r}; the splits are: {', '.join(TASKS)}")
    return TASKS[split]


def task(split: str, index: int) -> dict[str, Any]:
    """One task. Raises KeyError for a split and IndexError for an index that does not exist."""
    found = tasks(split)
    if not 0 <= index < len(found):
        raise IndexError(
            f"there is no task {index} in split {split!r}; it has 0 to {len(found) - 1}"
        )
    return found[index]


def public(task: dict[str, Any]) -> dict[str, Any]:
    """A task without its secret fields, to list or to show."""
    return {key: value for key, value in task.items() if key not in SECRET_FIELDS}


def _read_tasks() -> dict[str, list[dict[str, Any]]]:
    pattern = "tasks/{split}.jsonl"
    folder = Path(_domain.__file__).parent  # the author's; this module can lie elsewhere
    usual = ["train", "validation", "test"]
    found = sorted(
        folder.glob(pattern.replace("{split}", "*")),
        key=lambda path: (usual.index(path.stem) if path.stem in usual else len(usual), path.stem),
    )
    return {path.stem: _read_split(path) for path in found}


def _read_split(path: Path) -> list[dict[str, Any]]:
    read = []
    for number, line in enumerate(path.read_text("utf-8").split("\n"), 1):
        try:
            found = json.loads(line) if line.strip() else {}
        except ValueError as error:
            raise ValueError(f"tasks file {path.name}, line {number}: {error}") from error
        if not isinstance(found, dict):
            raise TypeError(f"tasks file {path.name}, line {number}: not a JSON object")
        if found:
            read.append(found)
    return read


TASKS = _read_tasks()
