"""Progress reports from long-running work to its caller."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str, str], None]
"""Called with the actor (a framework, or "domain") and its activity; "done" at the end."""


def silent(who: str, what: str) -> None:
    """Discard a progress report."""


def of_split(split: str, progress: Progress) -> Progress:
    """Return a progress callback that adds the split to ``who`` in each report."""
    return lambda who, what: progress(f"{who} {split}", what)
