"""Calls where no event loop runs, and at the same time on several threads.

Run in the venv of an audit: the standard library alone.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

SWITCHES = 1e-5
"""Seconds after which threads take turns: what they share is mixed up soon."""
CROWDED = 0.05
"""Seconds for which a call is made again and again while others are: what they share is seen by chance."""
FEW = 3
"""How often it is made that takes longer."""
YIELDS = 300
"""Lines of a call after each of which another thread may continue: what loops for long is not slowed down."""
Call = Callable[[], Any]


_its: list[asyncio.AbstractEventLoop] = []
"""The loop that the code of others finds where none runs; one, as it may keep it from its import on."""


@contextlib.contextmanager
def no_loop() -> Iterator[None]:
    """As if no loop ran: trainers call what is not asynchronous where none does, and some run one themselves."""
    ours = asyncio.get_running_loop()
    if not _its:
        _its.append(asyncio.new_event_loop())
    asyncio._set_running_loop(None)
    asyncio.set_event_loop(_its[0])
    try:
        yield
    finally:
        asyncio.set_event_loop(ours)
        asyncio._set_running_loop(ours)


def on_a_thread(call: Call) -> Any:
    """What a call returns that is made off the main thread; raises what it raises."""
    (returned,) = among(call, [])
    return returned


def among(call: Call, others: Sequence[Call], folder: str = "") -> list[Any]:
    """What a call returns each time that it is made while others are; once where there are none. Raises what it raises.

    folder: of the code between whose lines the threads take turns.
    """
    begin, over = threading.Barrier(1 + len(others)), threading.Event()
    found: list[Any] = []
    raised: list[BaseException] = []

    def own() -> None:
        begin.wait()
        until = time.monotonic() + CROWDED
        try:
            while not found or (others and (len(found) < FEW or time.monotonic() < until)):
                found.append(_yielding(call, folder))
        except BaseException as wrong:  # noqa: BLE001 - raised below
            raised.append(wrong)
        over.set()

    def other(each: Call) -> None:
        begin.wait()
        while not over.is_set():
            with contextlib.suppress(BaseException):  # its turn comes
                _yielding(each, folder)

    runs = [own, *((lambda each=each: other(each)) for each in others)]
    with _switching(len(runs)):
        # With a context of their own, as a trainer's threads have: nothing set at import is in it.
        threads = [threading.Thread(target=run, daemon=True) for run in runs]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
    if raised:
        raise raised[0]
    return found


def _yielding(call: Call, folder: str) -> Any:
    """What a call returns; between lines of that folder other threads continue."""
    left = YIELDS

    def trace(frame: Any, event: str, _: Any) -> Any:
        nonlocal left
        if left <= 0 or not frame.f_code.co_filename.startswith(folder):
            return None
        left -= 1
        time.sleep(0)
        return trace

    if not folder:
        return call()
    sys.settrace(trace)
    try:
        return call()
    finally:
        sys.settrace(None)


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
