"""The actions of a computer-use model on one screen, as a base class for desktop domains.

Names and arguments follow the tool `computer_20251124` of Anthropic's computer use; a coordinate is `[x, y]` in
pixels from the top left. Every action except the last three in the class returns the resulting screen.
https://platform.claude.com/docs/en/agents-and-tools/tool-use/computer-use-tool
"""

from __future__ import annotations

import io
import tarfile
import time
from collections.abc import Mapping, Sequence

from . import HOME, Limits, keys, open_sandbox, shown
from .environment import calling
from .screen import PROGRAMS, Event, Screen, ScreenLost, open_screen

UNCHANGED = "The screen has not changed."

APART = 0.6
"""Minimum seconds between clicks at one place, so that two actions never make a double click."""
NEAR = 40
"""Pixels within which two clicks are at one place."""
SMALL = 8  # number of clicks within 1000 by 1000 before a hint about the scale
STEPS = 10
"""Number of pointer moves within a drag: programs react to the path, not only to its ends."""
COMMANDS = Limits(command_seconds=10, memory_mb=512, disk_mb=64)  # for looking, not for working

_ACTS: Event = ("pause", 0.3)
"""In GTK, a button pressed by a key acts a quarter of a second later, so that it is seen pressed."""
_BUTTONS = {"left": 1, "middle": 2, "right": 3}
_SCROLL = {"up": 4, "down": 5, "left": 6, "right": 7}
_SNAPSHOT = "tar --create --exclude='./.*' --directory ~ . 2>/dev/null | base64 --wrap 0"

Shown = list[str | bytes]
"""The result of an action: text, and the screen as an image file."""


class InvalidAction(Exception):
    """An action that cannot be taken. The model gets the reason and may try again."""


class Computer:
    """A screen with programs. A domain inherits from this class, and adds tasks, a reward and an end."""

    def __init__(
        self,
        files: Mapping[str, bytes] | None = None,
        programs: Sequence[Sequence[str]] = (),
        outputs: Mapping[int, str] | None = None,
        limits: Limits = PROGRAMS,
    ) -> None:
        """Open a session with files, and start programs one after the other.

        Args:
            programs: Command lines. Each program starts as soon as the previous program has a window and is idle.
            outputs: The files for the programs' output, keyed by position in `programs`.
        """
        environment = calling()
        self._size: tuple[int, int] = environment.screen["size"]
        self._picture = (environment.screen["format"], environment.screen["quality"])
        # Whether to send a screen again that an action did not change; otherwise a note replaces it.
        self._repeats = environment.screen["unchanged"] == "repeat"
        self._screen: Screen = open_screen(files, limits=limits, environment=environment)
        self._sent = b""
        self._clicked: tuple[float, int, int, int] = (0.0, 0, 0, 0)
        self._held = False
        self._small = 0
        try:
            for place, program in enumerate(programs):
                self._start(program, (outputs or {}).get(place, ""))
            self._screen.play([("move", self._size[0] // 2, self._size[1] // 2)])
        except BaseException:
            self._screen.close()
            raise

    def _start(self, program: Sequence[str], output: str) -> None:
        before = len(self._screen.windows())
        self._screen.start(program, output)
        until = time.monotonic() + 20.0
        while len(self._screen.windows()) == before:
            if time.monotonic() > until:
                raise RuntimeError(f"{program[0]} showed no window within 20 s")
            self._screen.play([("pause", 0.05)])
        self._screen.play([])

    def screenshot(self) -> Shown:
        """Take no action, and return the screen."""
        return self._act([], "", again=True)

    def left_click(self, coordinate: list[int], text: str = "") -> Shown:
        """Click with the left button. `text` names keys to hold during the click."""
        return self._click("left", coordinate, text)

    def right_click(self, coordinate: list[int], text: str = "") -> Shown:
        """Click with the right button."""
        return self._click("right", coordinate, text)

    def middle_click(self, coordinate: list[int], text: str = "") -> Shown:
        """Click with the middle button."""
        return self._click("middle", coordinate, text)

    def double_click(self, coordinate: list[int], text: str = "") -> Shown:
        """Click twice with the left button."""
        return self._click("left", coordinate, text, 2)

    def triple_click(self, coordinate: list[int], text: str = "") -> Shown:
        """Click three times with the left button."""
        return self._click("left", coordinate, text, 3)

    def mouse_move(self, coordinate: list[int]) -> Shown:
        """Move the pointer."""
        x, y = self._place(coordinate)
        return self._act([("move", x, y)], f"The pointer is at ({x}, {y}).")

    def left_click_drag(self, start_coordinate: list[int], coordinate: list[int]) -> Shown:
        """Press the left button at one position, and release the button at another position."""
        self._check_button(held=False)
        (x0, y0), (x1, y1) = self._place(start_coordinate), self._place(coordinate)
        events: list[Event] = [*self._apart(1, x0, y0), ("move", x0, y0), ("press", 1)]
        for step in range(1, STEPS + 1):
            events += [("pause", 0.02), ("move", *_between((x0, y0), (x1, y1), step))]
        events += [("pause", 0.1), ("release", 1)]
        return self._act(events, f"Dragged from ({x0}, {y0}) to ({x1}, {y1}).")

    def left_mouse_down(self) -> Shown:
        """Press the left button at the pointer's position, and keep it pressed."""
        self._check_button(held=False)
        seen = self._act([("press", 1)], "The left button is pressed.")
        self._held = True
        return seen

    def left_mouse_up(self) -> Shown:
        """Release the left button."""
        self._check_button(held=True)
        self._held = False
        return self._act([("release", 1)], "The left button is released.")

    def scroll(
        self, coordinate: list[int], scroll_direction: str, scroll_amount: int, text: str = ""
    ) -> Shown:
        """Turn the mouse wheel at a position on the screen, by a number of clicks."""
        x, y = self._place(coordinate)
        button = _SCROLL[scroll_direction]
        turn: list[Event] = [("press", button), ("release", button)] * scroll_amount
        message = f"Scrolled {scroll_direction} by {scroll_amount} at ({x}, {y})."
        return self._act([("move", x, y), *self._holding(text, turn)], message)

    def type(self, text: str) -> Shown:
        """Type a text. A line break presses Return, and a tab presses Tab."""
        if odd := next((c for c in text if not c.isprintable() and c not in "\n\t"), None):
            raise InvalidAction(
                f"the character U+{ord(odd):04X} cannot be typed, so nothing was typed; to press "
                "keys such as Escape or ctrl+c, use key"
            )
        message = f"Typed {len(text)} character{'s' * (len(text) != 1)}."
        return self._act([("type", text), *([_ACTS] if text.endswith("\n") else [])], message)

    def key(self, text: str) -> Shown:
        """Press a key or a chord, such as Return or ctrl+s."""
        events = self._holding(text, [])
        acts = events[-1][1] in ("Return", "KP_Enter", "space")
        return self._act([*events, *([_ACTS] if acts else [])], f"Pressed {text}.")

    def hold_key(self, text: str, duration: float) -> Shown:
        """Hold a key or a chord for some seconds."""
        message = f"Held {text} for {duration:g} s."
        return self._act(self._holding(text, [("pause", duration)]), message)

    def wait(self, duration: float) -> Shown:
        """Do nothing for some seconds."""
        return self._act([("pause", duration)], f"Waited {duration:g} s.")

    def run_command(self, command: str) -> str:
        """Run a command on a copy of the desktop's files, and then discard the copy.

        The command can therefore inspect files, but cannot replace mouse and keyboard."""
        if "\0" in command or not command.strip():
            raise InvalidAction("the command is empty or has a null character; nothing was run")
        sandbox = open_sandbox(self._snapshot(), limits=COMMANDS)
        try:
            return shown.command(sandbox.run_command(command))
        finally:
            sandbox.close()

    def cursor_position(self) -> str:
        """Return the position of the pointer."""
        x, y = self._screen.play([]).pointer
        return f"The pointer is at ({x}, {y})."

    def get_screen_size(self) -> str:
        """Return the size of the screen."""
        return f"The screen is {self._size[0]} by {self._size[1]} pixels."

    def close(self) -> None:
        """End the session and remove its files; safe to call twice."""
        self._screen.close()

    def _click(self, name: str, coordinate: list[int], text: str, times: int = 1) -> Shown:
        self._check_button(held=False)
        x, y = self._place(coordinate)
        button = _BUTTONS[name]
        clicks: list[Event] = [("press", button), ("release", button)] * times
        events = [*self._apart(button, x, y), ("move", x, y), *self._holding(text, clicks)]
        message = f"{name} {('', 'double ', 'triple ')[times - 1]}click".capitalize()
        return self._act(events, f"{message} at ({x}, {y}).{self._scale(x, y)}")

    def _scale(self, x: int, y: int) -> str:
        """After several clicks within 1000 by 1000, return a hint about the screen's size once; otherwise ""."""
        self._small = self._small + 1 if max(x, y) <= 1000 and self._small >= 0 else -1
        if self._small != SMALL or max(self._size) < 1280:
            return ""
        return f" So far all clicks were within 1000 by 1000; the screen has {self._size[0]} by {self._size[1]} pixels."

    def _act(self, events: Sequence[Event], message: str, *, again: bool = False) -> Shown:
        """Play events on the screen. Return the message, and the screen unless it was sent before."""
        try:
            seen = self._screen.play(events, self._picture)
        except ScreenLost as problem:
            self._sent, self._held = b"", False
            return [f"The screen broke: {problem}"]
        if not seen.still:
            message = f"{message} Programs are still busy.".strip()
        unchanged, self._sent = seen.picture == self._sent, seen.picture
        if unchanged and not (again or self._repeats):
            return [f"{message} {UNCHANGED}".strip()]
        return [message, seen.picture] if message else [seen.picture]

    def _place(self, coordinate: list[int]) -> tuple[int, int]:
        x, y = coordinate
        width, height = self._size
        if 0 <= x < width and 0 <= y < height:
            return x, y
        within = f"x goes from 0 to {width - 1} and y from 0 to {height - 1}"
        hint = ""
        if 0 <= y < width and 0 <= x < height:
            hint = "; the other way round it would be inside: x comes first"
        elif 0 <= x <= 1000 and 0 <= y <= 1000:
            hint = "; coordinates are pixels, not a scale from 0 to 1000"
        raise InvalidAction(f"({x}, {y}) is outside the screen: {within}{hint}")

    def _holding(self, text: str, events: Sequence[Event]) -> list[Event]:
        """Return events that hold the keys of a chord during the given events."""
        if not text:
            return list(events)
        try:
            names = keys.chord(text)
        except ValueError as problem:
            raise InvalidAction(str(problem)) from None
        down: list[Event] = [("down", name) for name in names]
        up: list[Event] = [("up", name) for name in reversed(names)]
        # A window manager must have time to see a chord before its keys are up again.
        return [*down, *(events or ([("settle",)] if len(names) > 1 else [])), *up]

    def _apart(self, button: int, x: int, y: int) -> list[Event]:
        """Return a pause before a click that programs would otherwise combine with the previous click."""
        then, before, x0, y0 = self._clicked
        now = time.monotonic()
        near = button == before and max(abs(x - x0), abs(y - y0)) < NEAR
        pause = max(0.0, APART - (now - then)) if near else 0.0
        self._clicked = (now + pause, button, x, y)
        return [("pause", pause)] if pause else []

    def _check_button(self, *, held: bool) -> None:
        if self._held != held:
            raise InvalidAction(
                "the left button is already pressed; left_mouse_up releases it"
                if self._held
                else "the left button is not pressed; left_mouse_down presses it"
            )

    def _snapshot(self) -> dict[str, bytes]:
        """Return the files of the desktop that are not hidden."""
        found = self._screen.run_command(_SNAPSHOT)
        files: dict[str, bytes] = {}
        try:
            packed = io.BytesIO(_decoded(found.output))
            with tarfile.open(fileobj=packed) as archive:
                for member in archive:
                    path = member.name.removeprefix("./")
                    if member.isreg() and path and ".." not in path.split("/"):
                        files[path] = archive.extractfile(member).read()
        except (tarfile.TarError, ValueError) as problem:
            raise InvalidAction(f"the files of the desktop cannot be copied: {problem}") from None
        return files


def _decoded(text: str) -> bytes:
    import base64

    return base64.b64decode(text, validate=True)


def _between(start: tuple[int, int], end: tuple[int, int], step: int) -> tuple[int, int]:
    share = step / STEPS
    return tuple(round(a + (b - a) * share) for a, b in zip(start, end, strict=True))


__all__ = ["HOME", "Computer", "InvalidAction", "Shown"]
