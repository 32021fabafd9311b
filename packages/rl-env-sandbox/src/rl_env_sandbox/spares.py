"""Sessions with a screen that start in advance, so that an episode begins at once.

An X server cannot be forked as Python can. As soon as a process has opened its first screen, further sessions
therefore start in advance, in the background. <NAME>_SPARES, with the environment's name in capitals, is the
number of waiting sessions. The value 0 turns them off.
"""

from __future__ import annotations

import atexit
import os
import threading
from collections.abc import Callable
from typing import Any

from .environment import Environment

MOST = 8


class Spares:
    """Waiting sessions, grouped by their settings.

    Args:
        start: A function that opens a session with the given settings.
        most: A function that returns the number of sessions to keep waiting.
    """

    def __init__(self, start: Callable[[Any], Any], most: Callable[[Any], int]) -> None:
        self._start, self._most = start, most
        self._waiting: dict[Any, list[Any]] = {}
        self._lock = threading.Lock()
        self._filling: threading.Thread | None = None
        self._over = False
        os.register_at_fork(after_in_child=self._forget)
        atexit.register(self.close)

    def take(self, key: Any) -> Any:
        """Return a waiting session with these settings, or None. Start another session in the background."""
        with self._lock:
            waiting = self._waiting.get(key) or []
            found = waiting.pop() if waiting else None
            if not self._over and not (self._filling and self._filling.is_alive()):
                self._filling = threading.Thread(target=self._fill, args=(key,), daemon=True)
                self._filling.start()
        return found

    def close(self) -> None:
        """End the waiting sessions, which are no longer needed."""
        with self._lock:
            self._over, filling = True, self._filling
        if filling:
            filling.join()
        for session in (each for waiting in self._waiting.values() for each in waiting):
            session.close()
        self._waiting.clear()

    def _fill(self, key: Any) -> None:
        while not self._over and len(self._waiting.get(key, ())) < self._most(key):
            try:
                session = self._start(key)
            except Exception:  # noqa: BLE001 - whoever asks for one next is told why there is none
                return
            with self._lock:
                self._waiting.setdefault(key, []).append(session)

    def _forget(self) -> None:
        # They belong to the parent of this fork.
        self._waiting, self._lock, self._filling = {}, threading.Lock(), None


def wanted(environment: Environment) -> int:
    """Return how many sessions of an environment to keep waiting."""
    text = os.environ.get(environment.variable("SPARES"), "1")
    return min(int(text), MOST) if text.isdigit() else 1
