"""Threads that play blocking episodes: one for each episode, so that no episode waits for another episode."""

from __future__ import annotations

import asyncio
import atexit
import queue
import signal
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any, Protocol

PATIENCE = 5.0
"""Seconds for which closing an episode waits for its running call."""

closing_on_signals = True
"""Whether a signal closes all sessions at once. A draining server does this itself."""

_open: set[EpisodeThread] = set()


class Closable(Protocol):
    """The content of a session: an Episode, or an object that wraps an episode."""

    def close(self) -> None:
        """Free the resources of the session's content; safe to call twice."""


class EpisodeThread:
    """A session's own thread, which executes the session's work in order.

    An episode is therefore closed after its running call, and an abandoned episode is closed as soon as it has
    been opened. The thread is a daemon, so that a call that never returns does not keep the process alive.
    """

    def __init__(self, held: Closable | None = None) -> None:
        """Start the thread. When the thread ends, it closes `held` or the result of `hold`."""
        self._held = held
        self._work: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._closed: Future[None] = Future()
        self._closed.set_running_or_notify_cancel()  # a caller that stops waiting does not stop it
        self._lock = threading.Lock()
        self._ending = False
        threading.Thread(target=self._work_off, name="episode", daemon=True).start()
        _open.add(
            self
        )  # not before: without a thread it would never close, and closing waits for it

    async def run(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Run a function in the thread and return its result, unless the call is canceled before it starts.

        Raises the function's exceptions, and RuntimeError if the session is closed.
        """
        outcome: Future[Any] = Future()

        def work() -> None:
            if outcome.set_running_or_notify_cancel():
                try:
                    outcome.set_result(function(*arguments))
                except BaseException as error:  # noqa: BLE001 - it is raised where it is awaited
                    outcome.set_exception(error)

        with self._lock:
            if self._ending:
                raise RuntimeError("the session is closed: no further call is possible")
            self._work.put(work)
        return await asyncio.wrap_future(outcome)

    def hold(self, make: Callable[..., Any], *arguments: Any) -> Any:
        """Create the session's content, and close the previous content. Call this function through `run`."""
        self._let_go()
        self._held = make(*arguments)
        return self._held

    def close_soon(self) -> Future[None]:
        """Let the thread close the session after its pending work, and return at once. Safe to call twice."""
        with self._lock:
            if not self._ending:
                self._ending = True
                self._work.put(None)
        return self._closed

    async def close(self) -> None:
        """Close the session as `close_soon` does, and wait. After PATIENCE seconds, closing continues in the
        background."""
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.wrap_future(self.close_soon()), PATIENCE)

    def close_amid(self) -> None:
        """Close the session now, even during a call. This is the last resort when the process ends."""
        if self._held is not None:
            self._end()

    def _work_off(self) -> None:
        while work := self._work.get():
            work()
            del work  # free the content now, not with the next call
        self._end()

    def _end(self) -> None:
        failure: BaseException | None = None
        try:
            self._let_go()
        except BaseException as error:  # noqa: BLE001 - it is raised where `close` is awaited
            failure = error
        _open.discard(self)
        with self._lock:
            if self._closed.done():
                return
            if failure:
                self._closed.set_exception(failure)
            else:
                self._closed.set_result(None)

    def _let_go(self) -> None:
        with self._lock:
            held, self._held = self._held, None
        if held is not None:
            held.close()


def close_all() -> None:
    """Close every session because the process is ending. This takes at most 2 * PATIENCE seconds.

    A session whose call takes longer than PATIENCE is closed during the call, which ends the call in most
    sandboxes.
    """
    closing = {thread.close_soon(): thread for thread in list(_open)}
    late = wait(closing, PATIENCE).not_done
    for closed in late:
        _in_thread(closing[closed].close_amid)
    wait(late, PATIENCE)


def _in_thread(function: Callable[[], None]) -> None:
    try:
        threading.Thread(target=function, daemon=True).start()
    except RuntimeError:  # Python 3.12 starts no threads at exit
        function()


def close_at_shutdown(app: Any) -> None:
    """Let a FastAPI app close every session when its server stops, before the app's own clean-up."""
    outer = app.router.lifespan_context

    @asynccontextmanager
    async def lifespan(app: Any) -> AsyncIterator[Any]:
        async with outer(app) as state:
            try:
                with _closing_on_signals():
                    yield state
            finally:
                await asyncio.to_thread(close_all)

    app.router.lifespan_context = lifespan


@contextmanager
def _closing_on_signals() -> Iterator[None]:
    """Close all sessions as soon as the server gets a signal to stop.

    The server would otherwise wait for its open requests first.
    """
    in_main = threading.current_thread() is threading.main_thread()
    if not in_main or not closing_on_signals:
        yield  # a thread of a rollout, which gets no signals, or a server that does it itself
        return
    numbers = (signal.SIGINT, signal.SIGTERM)
    handlers = {n: h for n in numbers if callable(h := signal.getsignal(n))}

    def stop(number: int, frame: Any) -> None:
        _in_thread(close_all)
        handlers[signal.Signals(number)](number, frame)

    for number in handlers:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)


atexit.register(close_all)
