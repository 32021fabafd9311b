"""The desktop of a session: an X server, a window manager, and the process that operates the desktop.

The session's keeper process starts these processes at the first request for a screen, and again if one ends.
"""

import os
import select
import socket
from collections.abc import Callable
from typing import Any, NoReturn

import display
import frames
import programs
from execution import Lost
from isolation import linux

STARTING = 20.0
"""Seconds for the X server to accept programs."""
LONGEST = 48 * 1024 * 1024
"""Maximum bytes in one answer, including a picture."""
MANAGER = ("openbox", "--sm-disable")
_SOCKETS = "/tmp/.X11-unix"


class Desk:
    """The processes of one display. `fork` is the keeper's function that forks a process."""

    def __init__(self, settings: dict[str, Any], fork: Callable[[], int]) -> None:
        self._settings = settings
        self._fork = fork
        self.stream: socket.socket | None = None
        self.driver = 0
        """The id of the process that operates the desktop; it cannot be read, and is therefore not measured.

        0 for none.
        """
        self._inbox: frames.Inbox | None = None

    def open(self, linked: socket.socket) -> None:
        """Start the X server, the window manager and the driver of the desktop, unless they are running.

        Args:
            linked: The keeper's own socket, which the driver closes.
        """
        if self.stream:
            return
        width, height = self._settings["display"]
        framebuffer = os.environ["TMPDIR"]
        os.makedirs(_SOCKETS, exist_ok=True)
        answer, answer_to = os.pipe()
        size = f"{width}x{height}x24"
        server = ("Xvfb", "-displayfd", str(answer_to), "-screen", "0", size, "-dpi", "96")
        server += ("-fbdir", framebuffer, "-nolisten", "tcp", "-noreset", "-ac")
        self._run(server, answer_to)
        os.close(answer_to)
        try:
            name = f":{_number(answer)}"
        finally:
            os.close(answer)
        os.environ["DISPLAY"] = name  # for all programs of the session from now on
        self._run(MANAGER)
        self.stream, theirs = socket.socketpair()
        self._inbox = frames.Inbox(self.stream, LONGEST)
        with theirs:
            self.driver = self._fork()
            if self.driver == 0:
                own = (linked, self.stream)
                _become_driver(self._settings, theirs, own, name, f"{framebuffer}/Xvfb_screen0")

    def take(self) -> dict[str, Any] | None:
        """Return the driver's answer, or None if the answer is incomplete. Raise Lost if the driver has ended."""
        try:
            return self._inbox.take()
        except frames.Broken:
            raise Lost("the display ended") from None

    def forget(self) -> None:
        """Forget the display's processes, which have ended."""
        os.environ.pop("DISPLAY", None)
        self.driver = 0
        if self.stream:
            self.stream.close()
            self.stream = None

    def _run(self, command: tuple[str, ...], kept: int = -1) -> None:
        if self._fork() == 0:
            programs.become(self._settings, command, kept)


def _number(answer: int) -> str:
    """Read the display number that the X server chose, including the line end.

    The X server dies if the line end is not read.
    """
    text = b""
    while not text.endswith(b"\n"):
        data = os.read(answer, 16) if select.select([answer], [], [], STARTING)[0] else b""
        if not data:
            raise Lost("the X server did not start")
        text += data
    return text.decode().strip()


def _become_driver(
    settings: dict[str, Any],
    stream: socket.socket,
    linked: tuple[socket.socket, ...],
    name: str,
    framebuffer: str,
) -> NoReturn:
    try:
        programs.leave_keeper(settings)
        linux.set_dumpable(False)  # no program of the session may inspect it
        for other in linked:
            other.detach()
        number = stream.detach()
        for low, high in ((3, number), (number + 1, 4096)):
            os.closerange(low, high)
        display.serve(socket.socket(fileno=number), name, framebuffer)
    finally:
        os._exit(0)
