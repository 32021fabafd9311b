"""Progress on the terminal: each actor, its activity, and the duration."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

from rich.console import Console

from skill_tools.runtime.progress import Progress


@contextmanager
def show_progress(console: Console) -> Iterator[Progress]:
    """Yield a Progress that prints a line per change, or updates in place on a terminal.

    ``console`` writes to standard error, so programs that read standard output see none of it.
    """
    started = perf_counter()

    def line(who: str, what: str) -> None:
        text = f"{perf_counter() - started:6.1f} s  {who}: {what}"
        console.print(text, highlight=False, markup=False)

    if not console.is_terminal:
        yield line
        return
    with console.status("starting") as status:
        doing: dict[str, str] = {}

        def update(who: str, what: str) -> None:
            doing[who] = what
            if what == "done":
                line(who, what)
                doing.pop(who)
            status.update("; ".join(f"{name}: {now}" for name, now in doing.items()))

        yield update
