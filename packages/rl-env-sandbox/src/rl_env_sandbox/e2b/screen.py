"""The backend `e2b` with a screen: a virtual machine of https://e2b.dev with an Xfce desktop.

E2B's own client for desktops starts the machine, its X server and its desktop. The client's methods for mouse
and keyboard are not used: a click at x=0 or y=0 does not move the pointer, the key Return is unknown, a
hundred letters take 7 s, and triple clicks, holding a key and scrolling sideways are impossible. Each action,
including its screenshot, is one script of xdotool, scrot and xprop calls.

E2B_TEMPLATE names a template with the programs that tasks start; E2B's own `desktop` has a few of them.
"""

from __future__ import annotations

import base64
import os
import re
import shlex
from collections.abc import Iterator, Sequence
from typing import Any

from .. import HOME, SandboxFailed, SandboxUnavailable, Settings
from ..screen import QUIET, Event, ScreenLost, Seen, Window
from . import refused
from .session import E2BSession
from .shell import NOWHERE

REQUIREMENT = "e2b-desktop>=2.7,<2.7.2"
ATTEMPTS = 60
"""Maximum screenshots to compare until two are equal; with the pauses, about 20 s."""
PATIENCE = 45.0
TYPING = 12
"""Milliseconds from one typed letter to the next."""
_SHOT = "/tmp/.screen"
_ASKED = ("_NET_WM_NAME", "WM_CLASS", "_NET_WM_STATE", "_NET_FRAME_EXTENTS")
_WINDOWS = f"""
active=$(xprop -root _NET_ACTIVE_WINDOW)
for w in $(xprop -root _NET_CLIENT_LIST_STACKING | grep -o '0x[0-9a-f]*'); do
  echo "window $w"; echo "$active"
  xwininfo -id $w; xprop -id $w {" ".join(_ASKED)}
done 2>/dev/null; true
"""


def open_screen(settings: Settings) -> E2BScreen:
    """Start a machine with a desktop, and make it ready.

    Raises SandboxUnavailable if these settings cannot work, and SandboxFailed for any other failure.
    """
    try:
        from e2b_desktop import Sandbox as Cloud
    except ImportError:
        raise SandboxUnavailable(
            f"a screen on the backend e2b needs the package {REQUIREMENT}, which is not installed: "
            f"add it to packages in env.yaml, or run with `uv run --with '{REQUIREMENT}'`"
        ) from None
    try:
        cloud = Cloud.create(
            template=os.environ.get("E2B_TEMPLATE") or None,
            resolution=settings.display,
            timeout=settings.limits.sandbox_seconds,
            allow_internet_access=False,
        )
    except Exception as error:  # noqa: BLE001 - no common base
        raise refused(error) from None
    screen = E2BScreen(cloud, settings)
    try:
        screen.prepare()
    except BaseException:
        screen.close()
        raise
    return screen


class E2BScreen(E2BSession):
    """A machine with a desktop; see `Screen` for its methods."""

    _spare: Sequence[str] = ()
    _letters: Sequence[str] = ()

    def prepare(self) -> None:
        """Upload the session's first files."""
        try:
            self._user = self._run("whoami").stdout.strip()
            self._upload()
        except Exception as error:  # noqa: BLE001 - no common base
            raise self._failed(error, "cannot be made ready") from None

    def play(self, events: Sequence[Event], picture: tuple[str, int] | None = None) -> Seen:
        """Send events. Return the pointer's position, any screenshot, and whether programs are idle."""
        letters = "".join(event[1] for event in events if event[0] == "type")
        given = self._keys_for(letters)
        seconds = sum(_seconds(event) for event in events)
        answer = self._script("\n".join([*given, *_commands(events), _look(picture)]), seconds)
        place, still, *encoded = answer.split("\n")
        x, y = (int(number) for number in re.findall(r"[XY]=(\d+)", place))
        return Seen((x, y), still == "still", base64.b64decode("".join(encoded)))

    def start(self, command: Sequence[str], output: str = "") -> None:
        """Start a program, and wait until the screen is still."""
        self._check_open()
        program = shlex.quote(command[0])
        reported = self._script(f"command -v {program} || echo missing", 0)
        if reported.endswith("missing"):
            raise SandboxUnavailable(
                f"E2B's template has no {command[0]}: build one that has it (templates, in "
                "https://e2b.dev/docs) and name it in E2B_TEMPLATE, or use the backend local"
            )
        printed = shlex.quote(output or "/dev/null")
        variables = " ".join(f"{k}={shlex.quote(v)}" for k, v in self._settings.variables.items())
        line = f"{variables} setsid {shlex.join(command)}"
        self._script(f"{line} </dev/null >{printed} 2>/dev/null &\n{_look(None)}", 0)

    def windows(self) -> list[Window]:
        """Return the existing windows."""
        reported = re.split(
            r"^window (0x[0-9a-f]+)\n", self._script(_WINDOWS, 0), flags=re.MULTILINE
        )
        pairs = zip(reported[1::2], reported[2::2], strict=True)
        return [window for number, text in pairs if (window := _window(number, text))]

    def _keys_for(self, text: str) -> list[str]:
        """Return script lines that permanently bind a spare key to each letter in ``text`` that has no key.

        By itself, xdotool binds the same key to each such letter in turn, so a program that reads a key press late
        gets the next letter. If there are not enough spare keys, xdotool still works in this way.
        """
        new = sorted({letter for letter in text if not letter.isascii()} - {*self._letters})
        if not new:
            return []
        if not self._spare:
            reported = self._script("xmodmap -pke 2>/dev/null || true", 0)
            self._spare = re.findall(r"^keycode +(\d+) = *$", reported, flags=re.MULTILINE)
        self._letters = [*self._letters, *new][: 2 * len(self._spare)]  # two with Shift
        names = [f"U{ord(letter):04X}" for letter in self._letters]
        if not names:
            return []
        pairs = zip(self._spare, names[::2], [*names[1::2], names[-1]], strict=False)
        given = (f"-e 'keycode {key} = {one} {other}'" for key, one, other in pairs)
        return [f"xmodmap {' '.join(given)} || exit"]

    def _script(self, script: str, seconds: float) -> str:
        """Run one of this module's scripts on the machine's screen; return its output."""
        self._check_open()
        options = {"cwd": HOME, "user": self._user}
        variables = {**NOWHERE, "HOME": HOME, "DISPLAY": ":0", "LC_ALL": "C.UTF-8"}
        try:
            done = self._cloud.commands.run(
                f"bash --noprofile --norc -c {shlex.quote(script)}",
                timeout=seconds + PATIENCE,
                envs=variables,
                **options,
            )
        except Exception as error:  # noqa: BLE001 - no common base
            if self._running() and "can't open display" in str(error).lower():
                raise ScreenLost(
                    "its X server has ended, so there is no longer a screen."
                ) from None
            raise self._failed(error, "broke off in the middle of an action") from None
        return done.stdout.strip()


def _seconds(event: Event) -> float:
    """Return the minimum duration of an event."""
    if event[0] == "type":
        return len(event[1]) * TYPING / 1000
    return float(event[1]) if event[0] == "pause" else 0.0


def _commands(events: Sequence[Event]) -> Iterator[str]:
    """Yield events as lines of a script. Consecutive events that xdotool can play are joined into one line."""
    chain: list[str] = []
    for kind, *what in events:
        if kind in ("type", "settle"):
            yield from _flushed(chain)
        if kind == "move":
            chain += ["mousemove", *map(str, what)]
        elif kind in ("press", "release"):
            chain += ["mousedown" if kind == "press" else "mouseup", str(what[0])]
        elif kind in ("down", "up"):
            chain += ["keydown" if kind == "down" else "keyup", what[0]]
        elif kind == "pause":
            chain += ["sleep", f"{what[0]:g}"]
        elif kind == "settle":
            chain += ["sleep", f"{QUIET:g}"]
        else:
            yield from _typed(what[0])
    yield from _flushed(chain)


def _typed(text: str) -> Iterator[str]:
    """Yield script lines that type a text line by line, because xdotool drops the line breaks in typed text."""
    for number, line in enumerate(text.split("\n")):
        if number:
            yield "xdotool key Return || exit"
        if line:
            yield f"xdotool type --delay {TYPING} -- {shlex.quote(line)} || exit"


def _flushed(chain: list[str]) -> Iterator[str]:
    if chain:
        yield f"xdotool {shlex.join(chain)} || exit"
        chain.clear()


def _look(picture: tuple[str, int] | None) -> str:
    """Return a script that waits until the screen is still, and then prints the pointer's position and a screenshot."""
    form, quality = picture or ("png", 80)
    if form == "webp":
        raise SandboxFailed("E2B's desktop takes no pictures as webp; use png or jpeg")
    file = f"{_SHOT}.{'jpg' if form == 'jpeg' else form}"
    shoot = f"scrot --overwrite --pointer --quality {quality if form == 'jpeg' else 20} {file}"
    show = f"base64 --wrap 0 {file}" if picture else "true"
    return f"""
still=busy; last=
for n in $(seq {ATTEMPTS}); do
  sleep {QUIET:g}; {shoot} || exit
  now=$(md5sum < {file}); [ "$now" = "$last" ] && still=still && break; last=$now
done
xdotool getmouselocation --shell | tr '\\n' ' '; echo; echo $still; {show}
"""


def _window(number: str, text: str) -> Window | None:
    """Parse a window from the output of xwininfo and xprop. Return None if the window has closed in the meantime."""
    numbers = [
        re.search(rf"{what}:\s+(-?\d+)", text)
        for what in ("Absolute upper-left X", "Absolute upper-left Y", "Width", "Height")
    ]
    if not all(numbers):
        return None
    box: Any = tuple(int(found[1]) for found in numbers)
    title = re.search(r'_NET_WM_NAME\(\w+\) = "(.*)"', text)
    program = re.search(r'WM_CLASS\(\w+\) = "([^"]*)"', text)
    state = re.search(r"_NET_WM_STATE\(\w+\) = (.*)", text)
    states = state[1] if state else ""
    active = re.search(r"_NET_ACTIVE_WINDOW.*(0x[0-9a-f]+)", text)
    return Window(
        title=title[1] if title else "",
        program=program[1] if program else "",
        box=box,
        active=bool(active) and int(active[1], 16) == int(number, 16),
        minimized="_NET_WM_STATE_HIDDEN" in states,
        maximized="_NET_WM_STATE_MAXIMIZED_VERT" in states,
    )
