"""Calls at the same time, each on a thread of its own. Run in the venv of an audit: the standard library alone."""

from __future__ import annotations

import contextlib
import contextvars
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

SWITCHES = 1e-5
"""Seconds after which threads take turns: what they share is mixed up soon."""


def at_once(calls: Sequence[Callable[[], Any]]) -> Any:
    """What the first call returns, made while the others are; raises what it raises."""
    together = threading.Barrier(len(calls))
    found: list[tuple[Any, BaseException | None]] = []

    def run(call: Callable[[], Any], mine: bool) -> None:
        together.wait()
        try:
            outcome = (call(), None)
        except BaseException as wrong:  # noqa: BLE001 - raised below, or of another reply
            outcome = (None, wrong)
        if mine:
            found.append(outcome)

    with _switching(len(calls)):
        threads = [
            threading.Thread(
                target=contextvars.copy_context().run, args=(run, call, not at), daemon=True
            )
            for at, call in enumerate(calls)
        ]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
    returned, wrong = found[0]
    if wrong is not None:
        raise wrong
    return returned


@contextlib.contextmanager
def _switching(count: int) -> Iterator[None]:
    """Take turns often in the block, where there are several."""
    before = sys.getswitchinterval()
    if count > 1:
        sys.setswitchinterval(SWITCHES)
    try:
        yield
    finally:
        sys.setswitchinterval(before)
