"""The display of a session. It plays pointer and keyboard events, waits until programs are idle, and takes
screenshots.

The display is a separate process that the keeper forks, so that an X server that hangs or dies affects
nothing else. It uses the X server as any program does. Events go through XTEST
(https://www.x.org/releases/X11R7.7/doc/xextproto/xtest.html). Pixels, including the pointer, come from the
framebuffer that `Xvfb -fbdir` maps to a file.
"""

import contextlib
import io
import itertools
import mmap
import os
import socket
import struct
import subprocess
import time
import zlib
from typing import Any

import frames
from idle import work_done
from isal import isal_zlib
from PIL import Image
from Xlib import XK, X, Xatom, error
from Xlib.display import Display as Connection
from Xlib.ext import xtest

LOOK = 0.01
"""Seconds between checks for idle programs: a check costs a copy of the screen."""
CALM = 5
"""Number of consecutive idle checks required, because a program on a busy machine may not run between two checks."""
SLACK = 0.002
"""Seconds of CPU time ignored within the quiet time: idle programs wake up, too."""
SETTLING = 5.0
"""Maximum seconds to wait for programs between two events; after that the next event is sent anyway."""
BACKGROUND = 0x3B5B7A
"""Color of the empty screen, as RGB."""
_SHIFT = XK.XK_Shift_L
_KEYS = {"\n": XK.XK_Return, "\t": XK.XK_Tab}
"""Keysyms of characters that are named keys: X protocol, appendix A."""


class Display:
    """A connection to the session's X server, and the framebuffer behind it."""

    def __init__(self, name: str, framebuffer: str) -> None:
        """Connect to the X display ``name``, whose screen Xvfb maps to the file ``framebuffer``."""
        self._x = Connection(name)
        screen = self._x.screen()
        self._root = screen.root
        self._width, self._height = screen.width_in_pixels, screen.height_in_pixels
        self._root.change_attributes(background_pixel=BACKGROUND)
        self._root.clear_area()
        with open(framebuffer, "rb") as file:
            self._buffer = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
        # The header of an XWD file: https://www.x.org/releases/X11R7.7/doc/man/man1/xwd.1.xhtml
        header = struct.unpack(">25I", self._buffer[:100])
        self._start, self._stride = header[0] + 12 * header[19], header[12]
        self._bound: dict[int, int] = {}
        self._spare = self._unbound()
        self._shot: tuple[Any, bytes, bytes] = ((), b"", b"")
        self._still: tuple[float | None, bytes] = (None, b"")
        self._make_ready()

    def _make_ready(self) -> None:
        """Wait for the window manager, and press Shift once, which has no other effect.

        When XTEST presses its first key, the X server changes the keyboard, and the window manager requests its own
        keys again. A chord at that moment would be lost.
        """
        until = time.monotonic() + SETTLING
        while not self._property(self._root, "_NET_SUPPORTING_WM_CHECK", Xatom.WINDOW):
            if time.monotonic() > until:
                raise OSError("the window manager did not start")
            time.sleep(LOOK / 4)
        for kind in (X.KeyPress, X.KeyRelease):
            xtest.fake_input(self._x, kind, self._code(_SHIFT)[0])
        self.settle(LOOK * 3, SETTLING)

    def play(self, events: list[list[Any]], quiet: float) -> None:
        """Send events in order. The type `Event` in the package's module `screen` describes the events."""
        chord = any(kind == "settle" for kind, *_ in events)
        if chord:  # keys are held as long as programs take, and must not repeat meanwhile
            self._x.change_keyboard_control(auto_repeat_mode=X.AutoRepeatModeOff)
        for kind, *what in events:
            if kind == "move":
                x, y = what
                xtest.fake_input(self._x, X.MotionNotify, x=x, y=y)
            elif kind in ("press", "release"):
                xtest.fake_input(
                    self._x, X.ButtonPress if kind == "press" else X.ButtonRelease, *what
                )
            elif kind in ("down", "up"):
                code, _ = self._code(XK.string_to_keysym(what[0]))
                xtest.fake_input(self._x, X.KeyPress if kind == "down" else X.KeyRelease, code)
            elif kind == "type":
                self._type(what[0], quiet)
            elif kind == "settle":
                self.settle(quiet, SETTLING)
            elif kind == "pause":
                self._x.sync()
                time.sleep(what[0])
        if chord:
            self._x.change_keyboard_control(auto_repeat_mode=X.AutoRepeatModeOn)
        self._x.sync()

    def settle(self, quiet: float, most: float) -> bool:
        """Wait until screen and programs are still for `quiet` seconds, but at most `most` seconds.

        Return whether they are still.
        """
        self._x.sync()
        before, screen, calm = work_done(), self._pixels(), 0
        since = time.monotonic()
        until = since + most
        while time.monotonic() < until:
            time.sleep(LOOK)
            work, pixels = work_done(), self._pixels()
            calm += 1
            if work is None or before is None or work - before > SLACK or pixels != screen:
                since, before, screen, calm = time.monotonic(), work, pixels, 0
            # On a busy machine the checks may be far apart, so several are required as well.
            elif calm >= CALM and time.monotonic() - since >= quiet:
                self._still = before, screen
                return True
        return False

    def is_still(self) -> bool:
        """Return whether nothing has run and nothing has changed since the programs were last idle."""
        (before, screen), work = self._still, work_done()
        idle = work is not None and before is not None and work - before <= SLACK
        self._still = (work, screen) if idle else self._still
        return idle and self._pixels() == screen

    def picture(self, form: str, quality: int) -> bytes:
        """Return the screen as an image file: png, jpeg or webp. `quality` applies to jpeg and webp."""
        pixels = self._pixels()
        known, of, image = self._shot
        if known != (form, quality) or of != pixels:
            image = self._encode(pixels, form, quality)
            self._shot = ((form, quality), pixels, image)
        return image

    def pointer(self) -> tuple[int, int]:
        """Return the pointer's position."""
        found = self._root.query_pointer()
        return found.root_x, found.root_y

    def windows(self) -> list[dict[str, Any]]:
        """Return the windows that the window manager knows, from the lowest to the highest."""
        active = self._property(self._root, "_NET_ACTIVE_WINDOW", Xatom.WINDOW)
        found = []
        for number in self._property(self._root, "_NET_CLIENT_LIST_STACKING", Xatom.WINDOW):
            with contextlib.suppress(error.XError):
                found.append(self._described(number, number in active))
        return found

    def _described(self, number: int, active: bool) -> dict[str, Any]:
        window = self._x.create_resource_object("window", number)
        box = window.get_geometry()
        corner = window.translate_coords(self._root, 0, 0)
        named = window.get_full_text_property(self._x.intern_atom("_NET_WM_NAME"))
        states = self._property(window, "_NET_WM_STATE", Xatom.ATOM)
        names = [self._x.get_atom_name(state) for state in states]
        return {
            "title": named or window.get_wm_name() or "",
            "program": (window.get_wm_class() or ("", ""))[0],
            "box": [-corner.x, -corner.y, box.width, box.height],
            "active": active,
            "minimized": "_NET_WM_STATE_HIDDEN" in names,
            "maximized": "_NET_WM_STATE_MAXIMIZED_VERT" in names,
        }

    def _property(self, window: Any, name: str, kind: int) -> list[int]:
        found = window.get_full_property(self._x.intern_atom(name), kind)
        return list(found.value) if found else []

    def _pixels(self) -> bytes:
        return self._buffer[self._start : self._start + self._stride * self._height]

    def _encode(self, pixels: bytes, form: str, quality: int) -> bytes:
        layout = ("raw", "BGRX", self._stride, 1)
        image = Image.frombuffer("RGB", (self._width, self._height), pixels, *layout)
        if form == "png":
            return _png(image)
        file = io.BytesIO()
        image.save(file, form, quality=quality, **({"method": 0} if form == "webp" else {}))
        return file.getvalue()

    def _type(self, text: str, quiet: float) -> None:
        for character in text:
            symbol = _KEYS.get(character) or _symbol(character)
            code, shifted = self._code(symbol, quiet)
            if shifted:
                shift, _ = self._code(_SHIFT)
                xtest.fake_input(self._x, X.KeyPress, shift)
            xtest.fake_input(self._x, X.KeyPress, code)
            xtest.fake_input(self._x, X.KeyRelease, code)
            if shifted:
                xtest.fake_input(self._x, X.KeyRelease, shift)

    def _code(self, symbol: int, quiet: float = 0.0) -> tuple[int, bool]:
        """Return the key code for a symbol, and whether the symbol needs Shift.

        If no key has the symbol, bind a spare key to it.
        """
        for code, index in self._x.keysym_to_keycodes(symbol):
            if index in (0, 1) and code not in self._bound.values():
                return code, index == 1
        if symbol not in self._bound:
            if len(self._bound) == len(self._spare):
                # Programs look a key up when they read it, so it must not change its meaning before they
                # have read everything.
                self.settle(quiet, SETTLING)
                self._bound.clear()
            code = self._spare[len(self._bound)]
            self._x.change_keyboard_mapping(code, [[symbol, symbol]])
            self._x.sync()
            self._bound[symbol] = code
        return self._bound[symbol], False

    def _unbound(self) -> list[int]:
        info = self._x.display.info
        low, high = info.min_keycode, info.max_keycode
        rows = self._x.get_keyboard_mapping(low, high - low + 1)
        return [low + place for place, row in enumerate(rows) if not any(row)]


def serve(stream: socket.socket, name: str, framebuffer: str) -> None:
    """Answer requests of the session's keeper until the keeper closes the connection."""
    display = Display(name, framebuffer)
    while True:
        try:
            request = frames.receive(stream)
        except frames.Broken:
            return
        try:
            frames.send(stream, _answer(display, request))
        except FileNotFoundError as problem:
            frames.send(stream, {"missing": str(problem.filename)})
        except (error.XError, ValueError, OSError) as problem:
            frames.send(stream, {"problem": f"{type(problem).__name__}: {problem}"})


def _answer(display: Display, request: dict[str, Any]) -> dict[str, Any]:
    quiet, most = request["settle"]
    asked = request["events"] or request["start"]
    display.play(request["events"], quiet)
    for program in request["start"]:
        _start(program)
    still = not most or (not asked and display.is_still()) or display.settle(quiet, most)
    if request["windows"]:
        return {"windows": display.windows()}
    answer: dict[str, Any] = {"pointer": display.pointer(), "still": still}
    if request["picture"]:
        answer["picture"] = frames.encoded(display.picture(*request["picture"]))
    return answer


def _start(program: dict[str, Any]) -> None:
    with open(program["output"] or os.devnull, "wb") as output:
        subprocess.Popen(
            program["command"],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )


def _png(image: Image.Image) -> bytes:
    """Return a PNG file (https://www.w3.org/TR/png-3/). This is several times faster than compression by Pillow."""
    pixels, row = memoryview(image.tobytes()), image.width * 3
    rows = (pixels[start : start + row] for start in range(0, len(pixels), row))
    filtered = b"".join(itertools.chain.from_iterable((b"\0", each) for each in rows))
    size = struct.pack("!IIBBBBB", image.width, image.height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", size), (b"IDAT", isal_zlib.compress(filtered, 1)), (b"IEND", b""))
    parts = [b"\x89PNG\r\n\x1a\n"]
    for kind, data in chunks:
        parts += [
            struct.pack("!I", len(data)),
            kind,
            data,
            struct.pack("!I", zlib.crc32(kind + data)),
        ]
    return b"".join(parts)


def _symbol(character: str) -> int:
    """Return the keysym of a character.

    Beyond Latin-1, the keysym is 0x01000000 plus the character's number (X protocol, appendix A).
    """
    number = ord(character)
    return number if number < 256 else 0x01000000 | number
