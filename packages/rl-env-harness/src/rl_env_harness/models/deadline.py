"""The deadline for model requests of the running episode. Each episode runs in its own asyncio task."""

import asyncio
import contextvars

_until: contextvars.ContextVar[float | None] = contextvars.ContextVar("until", default=None)


def end_in(seconds: float) -> None:
    """Set the deadline of the episode that runs in this task to this many seconds from now."""
    _until.set(asyncio.get_running_loop().time() + seconds)


def deadline() -> float | None:
    """Return the end of the running episode's time, on the event loop's clock, or None if there is no limit."""
    return _until.get()


def time_is_over() -> bool:
    """Return whether the running episode's time is over."""
    until = _until.get()
    return until is not None and asyncio.get_running_loop().time() >= until
