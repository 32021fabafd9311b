"""The meter of a session, which measures the session's processes while the session's keeper works."""

import contextlib
import threading
import time

from . import held, processes

HIDING = 2.0
"""Seconds that a process may be unreadable. Every new process is unreadable until it separates from its keeper."""


class Meter:
    """A meter that detects whether a session exceeds one of its limits.

    The meter runs in its own thread, because inspecting a process that forks can take long. During a fork bomb,
    the keeper must continue to count and end processes.
    """

    def __init__(self, limits: dict, folder: str) -> None:
        """Measure a session against these limits. If there is a folder, include the folder's size."""
        self._limits = limits
        self._folder = folder
        self._problem = ""
        self._measured = 0.0
        self._hidden = 0.0
        self._thread: threading.Thread | None = None

    def problem(self, every: float, spared: int) -> str:
        """Return the limit that the last measurement found exceeded, or "". Measure again after `every` seconds.

        Args:
            spared: The keeper's own process among the session's processes, which is not measured, or 0.
        """
        running = self._thread and self._thread.is_alive()
        if not running and time.monotonic() - self._measured > every:
            self._thread = threading.Thread(target=self._measure, args=(spared,), daemon=True)
            with contextlib.suppress(
                RuntimeError
            ):  # others of the same user have filled its process table
                self._thread.start()
        return self._problem

    def _measure(self, spared: int) -> None:
        try:
            self._problem = processes.excess(self._limits, self._folder, spared)
            self._hidden = 0.0
        except (held.Hidden, OSError, ValueError):
            self._hidden = self._hidden or time.monotonic()
            if time.monotonic() - self._hidden > HIDING:
                self._problem = "the session's resource use cannot be measured"
        finally:
            self._measured = time.monotonic()
