"""The deadline of the running episode's model requests: each episode is its own task."""

import asyncio
import contextvars

_until: contextvars.ContextVar[float | None] = contextvars.ContextVar("until", default=None)


def end_in(seconds: float) -> None:
    """Give the episode that runs in this task this many seconds from now."""
    _until.set(asyncio.get_running_loop().time() + seconds)


def deadline() -> float | None:
    """Return when the running episode's time ends, on the event loop's clock; None for never."""
    return _until.get()


def time_is_over() -> bool:
    """Whether the running episode's time is over."""
    until = _until.get()
    return until is not None and asyncio.get_running_loop().time() >= until
