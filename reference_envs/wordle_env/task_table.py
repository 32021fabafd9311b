"""The tasks by split, as every variant finds them.

Rendered from env.yaml; `skill-tools render` overwrites it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .env_spec import SECRET_FIELDS
from .tasks import TASKS


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
