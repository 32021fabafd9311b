"""Run by test_desktop.py where the Desktop environment is: plays actions on a display, prints facts.

python desktop_facts.py PART [ARGUMENT...]        prints one JSON value in its last line
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import desktop_domain._shared.env_spec  # noqa: F401 - the environment whose sessions these are
from PIL import Image, ImageChops
from rl_env_sandbox import SandboxFailed
from rl_env_sandbox.computer import Computer, InvalidAction

WATCH = ["xev", "-geometry", "1024x720+0+30"]
"""A program that prints every event of its window, which fills most of the screen."""
EDITOR = ["mousepad", "--disable-server", "text.txt"]
TEXT = "Hello, World! #1 (a+b)\ttab\nünïcode → ✓ naïve ελληνικά ~`|\\{}[]<>@^&*_ €\n"
LINES = "".join(f"This is line {number}.\n" for number in range(200))

Call = tuple[str, dict[str, Any]]
Watched = tuple[Computer, Callable[[], list[str]]]


@contextlib.contextmanager
def watched() -> Iterator[Watched]:
    """A desktop with the watching program, and a function for the events since it was asked last."""
    desktop = Computer({}, [WATCH], {0: "events"})
    reported = [0]

    def events() -> list[str]:
        for _ in range(40):
            text = (desktop._screen.read_file("events", 4_000_000) or b"").decode()
            new = text[reported[0] :]
            if new.endswith("\n\n") or not new:
                break
            time.sleep(0.05)
        reported[0] = len(text)
        return [_event(block) for block in new.split("\n\n") if "event" in block]

    try:
        events()
        yield desktop, events
    finally:
        desktop.close()


def _event(block: str) -> str:
    """An event in short: its kind, and the button, the place on the screen or the key."""
    kind = block.partition(" event")[0].strip()
    if kind in ("ButtonPress", "ButtonRelease"):
        place = re.search(r"root:\((\d+),(\d+)\)", block)
        button = re.search(r"button (\d)", block)[1]
        return f"{kind} {button} {place[1]},{place[2]}"
    if kind == "MotionNotify":
        place = re.search(r"root:\((\d+),(\d+)\)", block)
        return f"{kind} {place[1]},{place[2]}"
    if kind in ("KeyPress", "KeyRelease"):
        state = int(re.search(r"state (0x[0-9a-f]+)", block)[1], 16)
        named = re.search(r"keysym 0x[0-9a-f]+, (\w+)", block)
        return f"{kind} {named[1] if named else '?'} {state & 0xF}"
    return kind


def pressed(events: list[str]) -> list[str]:
    return [event for event in events if event.startswith("Button")]


def keyed(events: list[str]) -> list[str]:
    return [event.partition(" ")[2] for event in events if event.startswith("KeyPress")]


def pictured(shown: list[Any]) -> Image.Image:
    return Image.open(io.BytesIO(next(part for part in shown if isinstance(part, bytes))))


def mouse() -> dict[str, Any]:
    """What a program sees of each action with the mouse."""
    found: dict[str, Any] = {}
    with watched() as (desktop, events):
        for name in ("left_click", "right_click", "middle_click", "double_click", "triple_click"):
            getattr(desktop, name)(coordinate=[300, 200])
            found[name] = pressed(events())
        desktop.left_click([310, 300], text="ctrl+shift")
        found["held"] = events()
        desktop.mouse_move([501, 402])
        found["mouse_move"] = [event for event in events() if event.startswith("Motion")][-1:]
        found["cursor_position"] = desktop.cursor_position()
        found["get_screen_size"] = desktop.get_screen_size()
        desktop.left_click_drag([100, 100], [400, 250])
        dragged = [event for event in events() if event[:6] in ("Button", "Motion")]
        found["left_click_drag"] = [dragged[dragged.index("ButtonPress 1 100,100") :], len(dragged)]
        desktop.left_mouse_down()
        found["left_mouse_down"] = pressed(events())
        desktop.mouse_move([410, 260])
        desktop.left_mouse_up()
        found["left_mouse_up"] = pressed(events())
        for way in ("up", "down", "left", "right"):
            desktop.scroll([200, 300], way, 3)
            found[f"scroll {way}"] = pressed(events())
        desktop.left_click([0, 400])
        desktop.mouse_move([0, 0])
        found["corner"] = desktop.cursor_position()
    return found


def keyboard() -> dict[str, Any]:
    """What a program sees of each action with the keyboard."""
    found: dict[str, Any] = {}
    with watched() as (desktop, events):
        desktop.mouse_move([500, 400])
        desktop.left_click([500, 400])
        events()
        for chord in ("Return", "ctrl+s", "alt+shift+F3", "A", "+", "ctrl++", "page_down", "space"):
            desktop.key(chord)
            found[chord] = keyed(events())
        desktop.type("aB?é→")
        found["type"] = [key.partition(" ")[0] for key in keyed(events())]
        began = time.monotonic()
        desktop.hold_key("x", 1.0)
        held = [event for event in events() if event.startswith("Key")]
        found["hold_key"] = [time.monotonic() - began >= 1.0, held[0], held[-1], len(held) > 2]
        began = time.monotonic()
        desktop.wait(0.7)
        found["wait"] = time.monotonic() - began >= 0.7
    return found


def editor(lower: str = "0") -> dict[str, Any]:
    """What comes of actions in a real program: text, selections, the place that it is scrolled to.

    lower: pixels by which its text is lower, as it warns root above it.
    """
    first_line, second_line = 190 + int(lower), 208 + int(lower)
    desktop = Computer({"text.txt": b""}, [EDITOR])
    found: dict[str, Any] = {}
    try:
        first = pictured(desktop.screenshot())
        found["size"] = [first.format, *first.size]
        found["unchanged"] = desktop.mouse_move([512, 384])
        desktop.type(TEXT)
        desktop.key("ctrl+s")
        found["typed"] = desktop._screen.read_file("text.txt").decode() == TEXT
        shown = pictured(desktop.screenshot())
        found["seen"] = ImageChops.difference(first.convert("RGB"), shown.convert("RGB")).getbbox()
        desktop.key("ctrl+a")
        desktop.type("one two three\nfour five six\n")
        desktop.double_click([250, first_line])
        desktop.type("2")
        desktop.triple_click([250, second_line])
        desktop.type("last\n")
        desktop.left_click_drag([196, first_line], [228, first_line])
        desktop.key("BackSpace")
        desktop.key("ctrl+s")
        found["edited"] = desktop._screen.read_file("text.txt").decode()
        found["windows"] = [window.title for window in desktop._screen.windows()]
    finally:
        desktop.close()
    desktop = Computer({"text.txt": LINES.encode()}, [EDITOR])
    try:
        desktop.mouse_move([500, 400])
        top = pictured(desktop.screenshot()).convert("RGB")
        down = pictured(desktop.scroll([500, 400], "down", 10)).convert("RGB")
        up = pictured(desktop.scroll([500, 400], "up", 10)).convert("RGB")
        page = (200, 200, 600, 600)
        changes = (
            ImageChops.difference(a.crop(page), b.crop(page)) for a, b in ((top, down), (top, up))
        )
        found["scrolled"] = [change.getbbox() is not None for change in changes]
    finally:
        desktop.close()
    return found


def refusals() -> dict[str, Any]:
    """What bad actions get, and that they change nothing."""
    found: dict[str, Any] = {}
    with watched() as (desktop, events):
        desktop.mouse_move([5, 740])  # away from the window that watches
        events()
        asked: dict[str, Callable[[], Any]] = {
            "outside": lambda: desktop.left_click([1024, 10]),
            "negative": lambda: desktop.left_click([-1, 10]),
            "swapped": lambda: desktop.left_click([700, 900]),
            "normalised": lambda: desktop.left_click([990, 980]),
            "dragged out": lambda: desktop.left_click_drag([10, 10], [10, 768]),
            "no key": lambda: desktop.key("ctrl+Hyper"),
            "near": lambda: desktop.key("Retrun"),
            "chord": lambda: desktop.key("+".join("abcdefghijklmnopqrst")),
            "empty": lambda: desktop.key("ctrl+"),
            "control": lambda: desktop.type("a\x1b[2J"),
            "up": desktop.left_mouse_up,
            "command": lambda: desktop.run_command(" "),
        }
        for name, ask in asked.items():
            try:
                ask()
                found[name] = "was played"
            except InvalidAction as problem:
                found[name] = str(problem)
        found["events"] = [event for event in events() if event[:3] in ("But", "Mot", "Key")]
        desktop.left_mouse_down()
        for name, ask in {
            "down": desktop.left_mouse_down,
            "click": lambda: desktop.left_click([1, 1]),
        }.items():
            try:
                ask()
                found[name] = "was played"
            except InvalidAction as problem:
                found[name] = str(problem)
    return found


def pictures() -> dict[str, Any]:
    """Kinds of pictures; and what is told about the scale of clicks on a screen that is larger."""
    found: dict[str, Any] = {}
    desktop = Computer({}, [])
    try:
        for form in ("png", "jpeg", "webp"):
            desktop._picture = (form, 80)
            try:
                shown = pictured(desktop.screenshot())
                found[form] = [shown.format, *shown.size]
            except SandboxFailed as problem:
                found[form] = str(problem)
        desktop._picture, desktop._size = ("png", 80), (1920, 1080)
        found["scale"] = [desktop.left_click([3 * n, 900 - n])[0] for n in range(9)]
    finally:
        desktop.close()
    return found


def commands(kill: str = "") -> dict[str, Any]:
    """What `run_command` can see and change, beside the desktop; with a word, also kill."""
    desktop = Computer({"text.txt": b"before\n", "folder/in.txt": b"in\n"}, [EDITOR])
    try:
        desktop.key("ctrl+End")
        desktop.type("typed\n")
        desktop.key("ctrl+s")
        read = desktop.run_command("cat text.txt folder/in.txt; ls -a")
        desktop.run_command("echo changed > text.txt; rm -r folder; touch new.txt")
        files = {
            name: desktop._screen.read_file(name)
            for name in ("text.txt", "folder/in.txt", "new.txt")
        }
        display = desktop.run_command('echo "[$DISPLAY]"; xdotool getmouselocation; pgrep mousepad')
        if kill:
            desktop.run_command("pkill -9 mousepad; pkill -9 Xvfb; kill -9 -1; true")
        alive = [window.program for window in desktop._screen.windows()]
        kept = {name: data and data.decode() for name, data in files.items()}
    finally:
        desktop.close()
    return {"read": read, "kept": kept, "display": display, "alive": alive}


def cheats() -> dict[str, list[Any]]:
    """What lazy and cheating players are paid on a task of each kind: labels of those that are paid."""
    from desktop_domain._shared import task_table
    from desktop_domain._shared.episode import Episode

    def says_success(task: dict[str, Any]) -> Iterator[Call]:
        yield "terminate", {"status": "success"}

    def waits(task: dict[str, Any]) -> Iterator[Call]:
        for _ in range(3):
            yield "wait", {"duration": 0.2}
        yield "terminate", {"status": "success"}

    def commands_only(task: dict[str, Any]) -> Iterator[Call]:
        goal = task["goal"]
        text = goal.get("text") or task["answer"] or goal.get("value") or ""
        target = goal.get("path") or goal.get("to") or "x"
        for command in (
            f"mkdir -p $(dirname ~/{target}); cat > ~/{target} << 'END'\n{text}\nEND",
            f"cd; mv {goal.get('from', 'a')} {goal.get('to', 'b')}; ls -laR",
            "pkill galculator; pkill mousepad; xdotool key alt+F4; xdotool key alt+F10",
            (
                "mkdir -p ~/.config/glib-2.0/settings; printf '[org/xfce/mousepad/preferences/view]\\n"
                "show-line-numbers=true\\nword-wrap=true\\n' > ~/.config/glib-2.0/settings/keyfile"
            ),
            "echo '"
            + json.dumps(goal.get("fields") or {})
            + "' > ~/order.json; mkdir -p ~/Downloads; "
            "cp ~/order.json ~/Downloads/order.json",
        ):
            yield "run_command", {"command": command[:2000]}
        yield "terminate", {"status": "success"}

    def types_the_answer_everywhere(task: dict[str, Any]) -> Iterator[Call]:
        goal = task["goal"]
        said = str(
            task["answer"] or goal.get("text") or goal.get("value") or goal.get("to") or "done"
        )
        for place in ([512, 384], [300, 300], [700, 250], [512, 700]):
            yield "left_click", {"coordinate": place}
            yield "type", {"text": f"{said[-100:]}\n"}
        yield "terminate", {"status": "success"}

    kinds: dict[str, int] = {}
    for index, task in enumerate(task_table.tasks("train")):
        kinds.setdefault(task["goal"]["name"].split()[0], index)
    players = (says_success, waits, commands_only, types_the_answer_everywhere)

    def paid(player: Callable[..., Any], index: int) -> Any:
        task = task_table.tasks("train")[index]
        episode = Episode(task)
        try:
            for tool, arguments in player(task):
                episode.call(tool, arguments)
            over = episode.over
        finally:
            episode.close()
        return None if over and episode.total == 0 else [task["id"], episode.total, over]

    with ThreadPoolExecutor(6) as pool:
        found = {
            player.__name__: list(pool.map(partial(paid, player), kinds.values()))
            for player in players
        }
    return {name: [each for each in paid if each] for name, paid in found.items()}


def breakage() -> dict[str, Any]:
    """What an agent is told when its screen breaks, and what a neighbour notices of it."""
    neighbour = Computer({}, [["galculator"]])
    desktop = Computer({"text.txt": b"kept\n"}, [EDITOR])
    found: dict[str, Any] = {}

    def after(name: str, command: str) -> None:
        desktop._screen.run_command(command)
        shown = desktop.key("a")
        again = desktop.screenshot()
        kept = desktop._screen.read_file("text.txt")
        found[name] = [shown[0], len(pictured(again).tobytes()) > 0, kept == b"kept\n"]

    try:
        after("the X server is killed", "pkill -9 Xvfb; sleep 0.2")
        after("the window manager is killed", "pkill -9 openbox; sleep 0.2")
        after("the player is killed", "pkill -9 -f inside; sleep 0.2")
        after("the framebuffer is cut", "truncate -s 0 /tmp/Xvfb_screen0")
        desktop._screen.start(EDITOR)
        after("a program hangs", "pkill -STOP mousepad")
        after("the disk is full", "head -c 600m /dev/zero > /tmp/full; rm -f /tmp/full")
        found["neighbour"] = [window.program for window in neighbour._screen.windows()]
        found["neighbour sees"] = neighbour.key("5")[0]
    finally:
        desktop.close()
        neighbour.close()
    return found


def many(number: str) -> list[str]:
    """What each of many desktops at once has typed into its own editor."""

    def one(n: int) -> str:
        desktop = Computer({"text.txt": b""}, [EDITOR])
        try:
            desktop.type(f"desktop {n}")
            desktop.key("ctrl+s")
            ready.wait()
            return (desktop._screen.read_file("text.txt") or b"").decode()
        finally:
            desktop.close()

    ready = threading.Barrier(int(number), timeout=200)
    with ThreadPoolExecutor(int(number)) as pool:
        return list(pool.map(one, range(int(number))))


if __name__ == "__main__":
    part, *arguments = sys.argv[1:]
    print(json.dumps(globals()[part](*arguments)))
