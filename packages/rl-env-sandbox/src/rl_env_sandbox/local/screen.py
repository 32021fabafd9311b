"""The local backend's screens: an X server, a window manager and programs of this machine.

They need Xvfb, openbox and xkbcomp from Debian's packages xvfb, openbox and x11-xkb-utils.
`skill-tools doctor` reports missing packages.
"""

from __future__ import annotations

import base64
import shutil
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from .. import SandboxFailed, SandboxUnavailable, Settings
from ..inside import frames
from ..screen import CONFIGURATION, LONGEST, QUIET, Event, ScreenLost, Seen, Window
from ..spares import Spares, wanted
from . import LocalSandbox

_NEEDED = {"Xvfb": "xvfb", "openbox": "openbox", "xkbcomp": "x11-xkb-utils"}
_PATIENCE = 15.0
"""Seconds for the display to answer, in addition to the duration of the events."""


def open_screen(settings: Settings) -> LocalScreen:
    """Open a session with a screen. Raise SandboxUnavailable if programs that a screen needs are missing."""
    if missing := [package for name, package in _NEEDED.items() if not shutil.which(name)]:
        raise SandboxUnavailable(
            f"a screen needs {', '.join(missing)}\n"
            f"    fix: sudo apt-get install --no-install-recommends {' '.join(missing)}"
        )
    key = _Key(settings)
    while (screen := _SPARES.take(key)) and not screen.answers():
        screen.close()
    screen = screen or LocalScreen(settings)
    screen.begin(settings)
    return screen


class _Key:
    """A session's settings without the files of an episode, because the files are placed later."""

    def __init__(self, settings: Settings) -> None:
        self.settings = replace(settings, files=CONFIGURATION)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and repr(self.settings) == repr(other.settings)

    def __hash__(self) -> int:
        return hash(repr(self.settings))


class LocalScreen(LocalSandbox):
    """A session with a screen on this machine; see `Screen` for its methods."""

    def begin(self, settings: Settings) -> None:
        """Place the files of an episode, unless the session already started with them."""
        if self._settings is settings:
            return
        self._settings = settings
        for path, data in settings.files.items():
            if CONFIGURATION.get(path) == data:
                continue
            answer = self._ask({"do": "place", "path": path, "data": frames.encoded(data)})
            if "failure" in answer:
                self.close()
                raise SandboxFailed(answer["failure"])
            if "lost" in answer:  # the replacement session has started with the files
                return

    def answers(self) -> bool:
        """Return whether the session still answers."""
        try:
            self.play([])
        except (ScreenLost, SandboxFailed):
            return False
        return not self.restarts

    def play(self, events: Sequence[Event], picture: tuple[str, int] | None = None) -> Seen:
        """Send events. Return the pointer's position, any screenshot, and whether programs are idle."""
        answer = self._look(events=list(events), picture=picture)
        data = base64.b64decode(answer.get("picture", ""))
        x, y = answer["pointer"]
        return Seen((x, y), answer["still"], data)

    def start(self, command: Sequence[str], output: str = "") -> None:
        """Start a program."""
        self._look(start=[{"command": list(command), "output": output}])

    def windows(self) -> list[Window]:
        """Return the existing windows."""
        found = self._look(windows=True, settle=(QUIET, 0.0))["windows"]
        return [Window(**{**window, "box": tuple(window["box"])}) for window in found]

    def _look(self, **asked: Any) -> dict[str, Any]:
        ask = {"events": [], "start": [], "windows": False, "picture": None, **asked}
        ask.setdefault("settle", (QUIET, LONGEST))
        pauses = sum(event[1] for event in ask["events"] if event[0] == "pause")
        seconds = pauses + LONGEST + _PATIENCE
        answer = self._ask({"do": "screen", "ask": ask, "seconds": seconds}, seconds)
        if missing := answer.get("missing"):
            raise SandboxUnavailable(
                f"the program {missing} is not installed\n"
                f"    fix: sudo apt-get install --no-install-recommends {missing}"
            )
        if "failure" in answer or "problem" in answer:
            raise SandboxFailed(answer.get("failure") or answer["problem"])
        if why := answer.get("lost") or answer.get("ended"):
            new = "A new screen takes its place, without the programs that ran; files are kept."
            raise ScreenLost(f"{why}. {new}")
        return answer


def _started(key: _Key) -> LocalScreen:
    screen = LocalScreen(key.settings)
    screen.play([])
    return screen


def _wanted(key: _Key) -> int:
    return wanted(key.settings.environment)


_SPARES = Spares(_started, _wanted)
