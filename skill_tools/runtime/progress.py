"""Progress: how long-running work reports to its caller."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str, str], None]
"""Called with the actor (a framework, or "domain") and its activity; "done" at the end."""


def silent(who: str, what: str) -> None:
    """Report nothing."""


def of_split(split: str, progress: Progress) -> Progress:
    """Return the same callback, which adds a split to the actor."""
    return lambda who, what: progress(f"{who} {split}", what)
