"""Until when the running episode may ask its model: each episode is a task of its own."""

import asyncio
import contextvars

_until: contextvars.ContextVar[float | None] = contextvars.ContextVar("until", default=None)


def end_in(seconds: float) -> None:
    """Give the episode that this task plays so many seconds from now."""
    _until.set(asyncio.get_running_loop().time() + seconds)


def deadline() -> float | None:
    """When the time of the running episode is over, on the event loop's clock; None for never."""
    return _until.get()


def time_is_over() -> bool:
    """Whether the running episode's time is over."""
    until = _until.get()
    return until is not None and asyncio.get_running_loop().time() >= until
