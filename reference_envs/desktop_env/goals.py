"""What a task asks for, looked up on the desktop itself: files, windows, settings.

Everything here comes from programs that the agent drove: a file may hold anything, and be anything.
"""

import configparser
import json
import zlib
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

from rl_env_sandbox.screen import Screen, ScreenLost, Window

SETTINGS = ".config/glib-2.0/settings/keyfile"
"""Where programs keep their settings, as there is no bus to ask."""
MOST = 4_000_000
"""Bytes of a spreadsheet once it is unpacked."""
_SHEET = "{http://www.gnumeric.org/v10.dtd}"


def reached(task: dict[str, Any], screen: Screen) -> bool:
    """Whether the desktop is as a task asks, and the rest of its files as they were."""
    try:
        goal = dict(task["goal"], answer=task.get("answer"))
        return _kept(task, screen) and GOALS[goal["kind"]](goal, screen)
    except ScreenLost:
        return False


def _kept(task: dict[str, Any], screen: Screen) -> bool:
    """Whether the files that the task does not mention are still there and the same."""
    mine = set(task["goal"].get("changes", []))
    others = [name for name in task["files"] if name not in mine]
    return all(screen.read_file(name) == task["files"][name].encode() for name in others)


def text_is(goal: dict[str, Any], screen: Screen) -> bool:
    """A file holds a text: the goal's, or the hidden answer. Space at its ends does not matter."""
    wanted = goal["text"] if goal.get("text") is not None else goal["answer"]
    found = screen.read_file(goal["path"])
    return found is not None and found.strip() == wanted.strip().encode()


def window_closed(goal: dict[str, Any], screen: Screen) -> bool:
    """One window is gone, and those of the other programs are not."""
    titles = [window.title for window in screen.windows()]
    gone = not any(goal["title"] in title for title in titles)
    return gone and all(any(kept in title for title in titles) for kept in goal["kept"])


def window_placed(goal: dict[str, Any], screen: Screen) -> bool:
    """A window is maximized, minimized, or at an edge of the screen."""
    found = [window for window in screen.windows() if goal["title"] in window.title]
    return len(found) == 1 and PLACES[goal["place"]](found[0])


PLACES: dict[str, Callable[[Window], bool]] = {
    "maximized": lambda window: window.maximized,
    "minimized": lambda window: window.minimized,
    "top left": lambda window: window.box[0] < 40 and window.box[1] < 60 and not window.maximized,
    "bottom": lambda window: window.box[1] + window.box[3] > 700 and not window.maximized,
}


def dialog_answered(goal: dict[str, Any], screen: Screen) -> bool:
    """A dialog was closed with OK and this in it: what it prints."""
    found = screen.read_file(goal["path"])
    return found is not None and found.decode("utf-8", "replace").strip() == goal["text"]


def cell_is(goal: dict[str, Any], screen: Screen) -> bool:
    """A cell of a saved spreadsheet holds a number or text, and the other cells what they held."""
    before = cells(goal["before"].encode())
    after = cells(screen.read_file(goal["path"], MOST) or b"")
    wanted = goal["value"] if goal.get("value") is not None else goal["answer"]
    return after == {**before, tuple(goal["cell"]): wanted}


def cells(data: bytes) -> dict[tuple[int, int], str]:
    """The cells of a Gnumeric file, packed or not, by row and column; none if it is no such file."""
    try:
        if data[:2] == b"\x1f\x8b":
            data = zlib.decompressobj(31).decompress(data, MOST)
        root = ElementTree.fromstring(data)
    except (zlib.error, ElementTree.ParseError):
        return {}
    found = root.iter(f"{_SHEET}Cell")
    return {(int(cell.get("Row", -1)), int(cell.get("Col", -1))): cell.text or "" for cell in found}


def form_sent(goal: dict[str, Any], screen: Screen) -> bool:
    """The web page saved what was filled in, and it is what was asked for."""
    found = screen.read_file(goal["path"])
    try:
        sent = json.loads(found or b"null")
    except (ValueError, RecursionError):
        return False
    return sent == (goal["fields"] if goal.get("fields") else json.loads(goal["answer"]))


def file_moved(goal: dict[str, Any], screen: Screen) -> bool:
    """A file is at another place than before, with what it held."""
    found = screen.read_file(goal["to"])
    return found == goal["text"].encode() and screen.read_file(goal["from"]) is None


def setting_is(goal: dict[str, Any], screen: Screen) -> bool:
    """A program's setting was changed."""
    found = screen.read_file(SETTINGS)
    settings = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        settings.read_string((found or b"").decode("utf-8", "replace"))
    except configparser.Error:
        return False
    return settings.get(goal["section"], goal["name"], fallback=None) == goal["value"]


GOALS: dict[str, Callable[[dict[str, Any], Screen], bool]] = {
    "text": text_is,
    "closed": window_closed,
    "placed": window_placed,
    "dialog": dialog_answered,
    "cell": cell_is,
    "form": form_sent,
    "moved": file_moved,
    "setting": setting_is,
}
