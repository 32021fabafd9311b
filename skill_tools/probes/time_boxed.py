"""Queries that an environment's code answers within a time limit, partly in parallel."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from contextvars import copy_context
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

from skill_tools.errors import DomainError
from skill_tools.reference.children import kept
from skill_tools.reference.playbook import LACKING, count_tasks
from skill_tools.reference.process import Query, one, time_limit
from skill_tools.spec.model import EnvSpec

WORKERS = 2
"""Number of parallel processes if the domain computes: the cores of a small machine."""
WAITING = 4
"""Number of parallel processes if the domain waits for programs."""
SPENT = 0.5
"""Minimum seconds for another question: starting a process takes about as long."""


@dataclass(frozen=True)
class Inquiry:
    """A series of questions to one environment about a split, with a wall-time limit; see ``open_inquiry``."""

    spec: EnvSpec
    folder: Path
    split: str
    began: float
    seconds: float

    def until(self, share: float) -> float:
        """Return how many seconds are left until the given share of the inquiry's time has passed."""
        return self.began + share * self.seconds - monotonic()

    @property
    def workers(self) -> int:
        """The number of parallel processes."""
        return WAITING if self.spec.blocking else WORKERS

    def ask(
        self,
        do: str,
        what: str,
        share: float,
        parts: Sequence[dict[str, Any]],
        told: Callable[[int], None] = lambda done: None,
    ) -> list[Any]:
        """Ask a question once for each set of arguments in ``parts``, several at a time.

        ``told`` receives the number of finished parts. A part is skipped, and its answer is None, if the other parts
        show that it would not fit into the remaining time.
        """
        took: list[float] = []
        query = Query(do, what)
        with ThreadPoolExecutor(self.workers) as pool:
            jobs = [
                pool.submit(copy_context().run, partial(self._one, query, share, part, took))
                for part in parts
            ]
            done = (job for job in as_completed(jobs) if job.result() is not None)
            for count, _ in enumerate(done, 1):
                told(count)
            return [job.result() for job in jobs]

    def ask_once(self, do: str, what: str) -> Any:
        """Ask a question about the split as a whole."""
        return one(self.spec, self.folder, Query(do, what, {"split": self.split}))

    def _one(self, query: Query, share: float, part: dict[str, Any], took: list[float]) -> Any:
        wall, began = self.until(share), monotonic()
        if wall < max([SPENT, *took]) and took:
            return None
        common = {"split": self.split, "max_turns": self.spec.episode.max_turns}
        given = {**common, "wall": max(SPENT, wall), **part}
        # The job stops by itself; the limit is for a call that never ends.
        limit = 1 + math.ceil(given["wall"] / time_limit())
        found = one(self.spec, self.folder, replace(query, arguments=given, share=limit))
        took.append(monotonic() - began)
        return found


@contextmanager
def open_inquiry(
    spec: EnvSpec, folder: Path, split: str | None, seconds: float
) -> Iterator[Inquiry]:
    """Open an inquiry about a split, by default the first split with tasks. Its processes end with the inquiry.

    If the given split has no tasks, raises DomainError with the names of the splits.
    """
    with kept():
        chosen = _choose_split(count_tasks(spec, folder), split)
        yield Inquiry(spec, folder, chosen, monotonic(), seconds)


def refuse_lacking(kind: str, message: str) -> None:
    """Raise DomainError if the machine, not the environment, causes the error."""
    if kind == LACKING:  # no key, or a kernel without confinement
        raise DomainError(f"the oracle cannot play: {message}")


def _choose_split(sizes: Mapping[str, int], split: str | None) -> str:
    chosen = split or next(iter(sizes), "")
    if not sizes.get(chosen):
        there = ", ".join(f"{name} ({size})" for name, size in sizes.items()) or "none"
        raise DomainError(
            f"there are no tasks in split {chosen!r}; the splits are: {there}\n"
            "    fix: name one of these with --split"
        )
    return chosen
