"""Progress on the terminal: who is doing what, and for how long."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console

from skill_tools.evidence import Progress, silent


@contextmanager
def show(console: Console, *, quiet: bool = False) -> Iterator[Progress]:
    """Yield a Progress that prints a line per change, or updates in place on a terminal."""
    if quiet:
        yield silent
    elif console.is_terminal:
        with console.status("starting") as status:
            latest: dict[str, str] = {}

            def update(who: str, what: str, seconds: float) -> None:
                latest[who] = what
                if what == "done":
                    console.print(f"{seconds:6.1f} s  {who}: done", highlight=False)
                    latest.pop(who)
                status.update("; ".join(f"{name}: {doing}" for name, doing in latest.items()))

            yield update
    else:

        def line(who: str, what: str, seconds: float) -> None:
            console.print(f"{seconds:6.1f} s  {who}: {what}", highlight=False, markup=False)

        yield line
