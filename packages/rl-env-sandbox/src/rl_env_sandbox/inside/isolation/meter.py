"""The meter of a session: measures what its processes use, next to its keeper's other work."""

import contextlib
import threading
import time

from . import held, processes

HIDING = 2.0
"""Seconds that a process may be hidden; each one is for a moment, until it is its keeper no more."""


class Meter:
    """What a session uses too much of, if anything.

    In a thread of its own: to look into a process that forks can take long, and while this waits
    for a fork bomb, its keeper has to count and end it.
    """

    def __init__(self, limits: dict, folder: str) -> None:
        """Measure by limits; a folder, too, if there is one."""
        self._limits = limits
        self._folder = folder
        self._problem = ""
        self._measured = 0.0
        self._hidden = 0.0
        self._thread: threading.Thread | None = None

    def problem(self, every: float, spared: int) -> str:
        """What was found last, or "". Measures again if that was `every` seconds ago.

        spared: a process of ours among the session's, which is not measured; 0 for none.
        """
        running = self._thread and self._thread.is_alive()
        if not running and time.monotonic() - self._measured > every:
            self._thread = threading.Thread(target=self._measure, args=(spared,), daemon=True)
            with contextlib.suppress(RuntimeError):  # others of the same user have filled its table
                self._thread.start()
        return self._problem

    def _measure(self, spared: int) -> None:
        try:
            self._problem = processes.excess(self._limits, self._folder, spared)
            self._hidden = 0.0
        except (held.Hidden, OSError, ValueError):
            self._hidden = self._hidden or time.monotonic()
            if time.monotonic() - self._hidden > HIDING:
                self._problem = "what the session uses cannot be measured"
        finally:
            self._measured = time.monotonic()
