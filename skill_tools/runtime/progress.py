"""Progress: how long work tells whoever waits for it."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str, str], None]
"""Called with who (a framework, or "domain") and what it is doing; "done" at its end."""


def silent(who: str, what: str) -> None:
    """Report nothing."""


def of_split(split: str, progress: Progress) -> Progress:
    """The same progress, told with a split beside who it is of."""
    return lambda who, what: progress(f"{who} {split}", what)
