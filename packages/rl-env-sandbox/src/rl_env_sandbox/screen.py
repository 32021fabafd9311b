"""Screens: sessions with a display, on which programs show windows and an agent uses mouse and keyboard.

`computer.py` has the actions of a model, and this module has the backend's part of these actions. On the
backend `local`, a session has an X server, a window manager and the machine's own programs, confined like
every other session. On `e2b`, a session is a virtual machine with a desktop.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from . import CommandResult, Limits, Settings, backend
from .environment import Environment, calling

PACKAGES = ("pillow", "python-xlib", "isal")
"""Imports of the local backend's own process for the screen; under `packages` in env.yaml."""

QUIET = 0.1
"""Seconds for which programs must be idle before a screenshot."""
LONGEST = 20.0
"""Maximum seconds to wait for idle programs; a program that plays a film is never idle."""

PROGRAMS = Limits(memory_mb=2048, disk_mb=512, processes=512)
"""Limits for programs with windows."""

Event = tuple[Any, ...]
"""("move", x, y), ("press", button), ("release", button), ("down", keysym), ("up", keysym),
("type", text), ("pause", seconds) or ("settle",): wait until programs are idle. Buttons: 1 left, 2 middle,
3 right, 4 to 7 scroll up, down, left and right."""


class ScreenLost(Exception):
    """Raised because the agent broke the display. The message explains the error, and a new display is opened."""


@dataclass(frozen=True)
class Seen:
    """The state of the screen after some events.

    Attributes:
        pointer: The pointer's position.
        still: Whether programs were idle.
        picture: An image file, or b"" if no image was requested.
    """

    pointer: tuple[int, int]
    still: bool
    picture: bytes = b""


@dataclass(frozen=True)
class Window:
    """A program's window.

    Attributes:
        box: The x, y, width and height of the area within the window's frame, in pixels.
    """

    title: str
    program: str
    box: tuple[int, int, int, int]
    active: bool
    minimized: bool
    maximized: bool


class Screen(Protocol):
    """One session with a display. Its methods block, and raise ScreenLost if the display broke."""

    def play(self, events: Sequence[Event], picture: tuple[str, int] | None = None) -> Seen:
        """Send events, wait until programs are idle, and return the state of the screen.

        Args:
            picture: The format and quality of a screenshot, or None for no screenshot.
        """

    def start(self, command: Sequence[str], output: str = "") -> None:
        """Start a program, and wait until it is idle.

        Args:
            output: A file for the program's output.
        """

    def windows(self) -> list[Window]:
        """Return the existing windows, from the lowest to the highest."""

    def run_command(self, command: str) -> CommandResult:
        """Run a command in the session itself. Do not use this for the agent's own commands."""

    def read_file(self, path: str, limit: int = 1_000_000) -> bytes | None:
        """Return the first `limit` bytes of a file, or None if the file does not exist."""

    def write_file(self, path: str, data: bytes) -> None:
        """Write a file."""

    def close(self) -> None:
        """End every process of the session and remove its files; safe to call twice."""


def open_screen(
    files: Mapping[str, bytes] | None = None,
    *,
    variables: Mapping[str, str] | None = None,
    limits: Limits = PROGRAMS,
    environment: Environment | None = None,
) -> Screen:
    """Open a session with an empty screen of the size in env.yaml.

    Raises SandboxUnavailable if the backend cannot be used here, and SandboxFailed if the backend breaks.

    Args:
        files: File contents, keyed by path in the working directory.
    """
    environment = environment or calling()
    settings = Settings(
        {**CONFIGURATION, **(files or {})},
        packages=PACKAGES,
        variables={**_VARIABLES, **(variables or {})},
        limits=limits,
        display=environment.screen["size"],
        environment=environment,
    )
    module = importlib.import_module(f".{backend(environment)}.screen", __package__)
    return module.open_screen(settings)


_VARIABLES = {
    "GSETTINGS_BACKEND": "keyfile",  # settings are files, because there is no settings bus
    "NO_AT_BRIDGE": "1",
    "GTK_USE_PORTAL": "0",
    "XDG_RUNTIME_DIR": "/tmp",
}
_GTK = b"[Settings]\ngtk-cursor-blink=0\ngtk-enable-animations=0\ngtk-recent-files-enabled=0\n"
_OPENBOX = b"""<?xml version="1.0" encoding="UTF-8"?>
<openbox_config xmlns="http://openbox.org/3.4/rc">
  <theme><name>Clearlooks</name><animateIconify>no</animateIconify></theme>
  <desktops><number>1</number><popupTime>0</popupTime></desktops>
  <resize><popupShow>Never</popupShow></resize>
  <keyboard>
    <keybind key="A-F4"><action name="Close"/></keybind>
    <keybind key="A-Tab"><action name="NextWindow"/></keybind>
    <keybind key="A-F10"><action name="ToggleMaximize"/></keybind>
    <keybind key="A-F9"><action name="Iconify"/></keybind>
  </keyboard>
  <mouse>
    <dragThreshold>4</dragThreshold><doubleClickTime>500</doubleClickTime>
    <context name="Titlebar">
      <mousebind button="Left" action="Drag"><action name="Move"/></mousebind>
      <mousebind button="Left" action="DoubleClick"><action name="ToggleMaximize"/></mousebind>
    </context>
    <context name="Titlebar Top Right Bottom Left TLCorner TRCorner BRCorner BLCorner">
      <mousebind button="Left" action="Press">
        <action name="Focus"/><action name="Raise"/><action name="Unshade"/>
      </mousebind>
    </context>
    <context name="Top TRCorner Right BRCorner Bottom BLCorner Left TLCorner">
      <mousebind button="Left" action="Drag"><action name="Resize"/></mousebind>
    </context>
    <context name="Client">
      <mousebind button="Left" action="Press"><action name="Focus"/><action name="Raise"/></mousebind>
      <mousebind button="Middle" action="Press"><action name="Focus"/><action name="Raise"/></mousebind>
      <mousebind button="Right" action="Press"><action name="Focus"/><action name="Raise"/></mousebind>
    </context>
    <context name="Close">
      <mousebind button="Left" action="Click"><action name="Close"/></mousebind>
    </context>
    <context name="Iconify">
      <mousebind button="Left" action="Click"><action name="Iconify"/></mousebind>
    </context>
    <context name="Maximize">
      <mousebind button="Left" action="Click"><action name="ToggleMaximize"/></mousebind>
    </context>
    <context name="Desktop">
      <mousebind button="Middle" action="Press">
        <action name="ShowMenu"><menu>client-list-combined-menu</menu></action>
      </mousebind>
    </context>
  </mouse>
</openbox_config>
"""
CONFIGURATION = {
    ".config/gtk-3.0/settings.ini": _GTK,
    ".config/openbox/rc.xml": _OPENBOX,
    ".gtkrc-2.0": b"gtk-cursor-blink=0\n",
}
"""Files that the window manager and programs read at startup, by path in the working directory."""
