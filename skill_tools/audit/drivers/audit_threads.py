"""Calls without a running event loop, and concurrent calls on several threads.

Runs in the venv of an audit: standard library only.
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
"""Thread switch interval in seconds, short enough to expose shared state soon."""
CROWDED = 0.05
"""Seconds for which a call is repeated alongside others, because races show up only by chance."""
FEW = 3
"""Number of repetitions of a slower call."""
YIELDS = 300
"""Lines of a call after each of which another thread may continue; long loops are not slowed down."""
Call = Callable[[], Any]


_its: list[asyncio.AbstractEventLoop] = []
"""The loop that foreign code finds if none runs; there is only one, because code may keep the loop that it finds at
import.
"""


@contextlib.contextmanager
def no_loop() -> Iterator[None]:
    """Hide the running event loop during the ``with`` block.

    Trainers call synchronous functions without a running loop, and some functions start their own loop.
    """
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
    """Return the result of a call on another thread. If the call raises an exception, raise the exception here too."""
    (returned,) = among(call, [])
    return returned


def among(call: Call, others: Sequence[Call], folder: str = "") -> list[Any]:
    """Repeat a call while other threads make other calls. Return the results of the repeated call.

    If the call raises an exception, raise the exception here too.

    If there are no other calls, the call is made only once.

    Args:
        call: The call to repeat.
        others: The other calls.
        folder: A folder of code. After each line of this code, another thread may run.
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
        # In a fresh context, as a trainer's threads have: nothing set at import is in it.
        threads = [threading.Thread(target=run, daemon=True) for run in runs]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
    if raised:
        raise raised[0]
    return found


def _yielding(call: Call, folder: str) -> Any:
    """Return the result of a call. After each line of the folder's code, other threads may run."""
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
    """If there are several threads, switch between the threads often during the ``with`` block."""
    before = sys.getswitchinterval()
    if count > 1:
        sys.setswitchinterval(SWITCHES)
    try:
        yield
    finally:
        sys.setswitchinterval(before)
