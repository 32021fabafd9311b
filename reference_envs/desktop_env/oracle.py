"""A solution of each task, with mouse and keyboard alone, by how the goal is called."""

import json
from collections.abc import Callable, Iterator
from typing import Any

Call = tuple[str, dict[str, Any]]
Task = dict[str, Any]

TITLE_BARS = {"galculator": [512, 209], "Mousepad": [512, 141]}
"""Where a window can be dragged by, in the middle of an empty screen."""


def solve(task: Task, seed: int) -> list[Call]:
    """The calls that solve a task."""
    goal = task["goal"]
    name = goal["name"].split()[0]
    return [*SOLUTIONS[name](task, goal), ("terminate", {"status": "success"})]


def keys(*names: str) -> Iterator[Call]:
    """Press keys, one after the other."""
    for name in names:
        yield "key", {"text": name}


def write(text: str) -> Call:
    """Type a text."""
    return "type", {"text": text}


def click(x: int, y: int) -> Call:
    """Click at a place."""
    return "left_click", {"coordinate": [x, y]}


def pause(seconds: float) -> Call:
    """Wait."""
    return "wait", {"duration": seconds}


def add(task: Task, goal: Task) -> Iterator[Call]:
    """Type the line that is new at the end."""
    yield from keys("ctrl+End")
    yield write(goal["text"].splitlines()[-1])
    yield from keys("ctrl+s")


def close(task: Task, goal: Task) -> Iterator[Call]:
    """Close the upper window, which is the editor; or go to the other first."""
    if goal["title"] == "galculator":
        yield from keys("alt+Tab")
    yield from keys("alt+F4")


def maximized(task: Task, goal: Task) -> Iterator[Call]:
    """Use the window manager's key; the editor has the focus."""
    yield from keys("alt+F10")


def minimized(task: Task, goal: Task) -> Iterator[Call]:
    """Use the window manager's key."""
    yield from keys("alt+F9")


def drag(task: Task, goal: Task) -> Iterator[Call]:
    """Drag the title bar; the second time bit by bit, with the button held."""
    start = TITLE_BARS[goal["title"]]
    if goal["place"] == "top left":
        left = 512 - (331 if goal["title"] == "galculator" else 640) // 2
        yield "left_click_drag", {"start_coordinate": start, "coordinate": [start[0] - left + 2, 8]}
        return
    end = [start[0], start[1] + (240 if goal["title"] == "galculator" else 150)]
    yield "mouse_move", {"coordinate": start}
    yield "left_mouse_down", {}
    yield "mouse_move", {"coordinate": [start[0], start[1] + 40]}
    yield "mouse_move", {"coordinate": end}
    yield "left_mouse_up", {}


def scale(task: Task, goal: Task) -> Iterator[Call]:
    """Move the slider with the keyboard, from 50."""
    steps = (int(goal["text"]) - 50) // 5
    yield "hold_key", {"text": "shift", "duration": 0.1}
    yield from keys(*["Right" if steps > 0 else "Left"] * abs(steps))
    yield click(611, 428)


def entry(task: Task, goal: Task) -> Iterator[Call]:
    """Write over what is there."""
    yield "triple_click", {"coordinate": [490, 396]}
    yield write(goal["text"])
    yield from keys("Return")


def replace(task: Task, goal: Task) -> Iterator[Call]:
    """Write the whole text anew."""
    yield from keys("ctrl+a")
    yield write(goal["text"])
    yield from keys("ctrl+s")


def cell(task: Task, goal: Task) -> Iterator[Call]:
    """Go to the cell with the arrow keys."""
    row, column = goal["cell"]
    value = goal.get("value") or task["answer"]
    yield from keys("ctrl+Home", *["Down"] * row, *["Right"] * column)
    yield write(f"{value}\n")
    yield from keys("ctrl+s")
    yield pause(0.5)


def move(task: Task, goal: Task) -> Iterator[Call]:
    """Drag the file onto the folder, which stands before it."""
    yield "left_click_drag", {"start_coordinate": [492, 247], "coordinate": [398, 247]}
    yield pause(1)


def rename(task: Task, goal: Task) -> Iterator[Call]:
    """Select the only file and use F2."""
    yield click(398, 247)
    yield from keys("F2")
    yield from keys("ctrl+a")
    yield write(goal["to"])
    yield from keys("Return")
    yield pause(0.5)


def setting(task: Task, goal: Task) -> Iterator[Call]:
    """Use the menus View and Document."""
    menu, entry = (
        ("alt+v", (405, 239)) if goal["name"] == "show-line-numbers" else ("alt+d", (444, 188))
    )
    yield from keys(menu)
    yield click(*entry)


def fill(fields: dict[str, str]) -> Iterator[Call]:
    """Fill in the order form from its first field on."""
    yield write(fields["name"])
    yield from keys("Tab")
    yield write(fields["quantity"])
    yield from keys("Tab")
    yield write(fields["colour"][0])
    yield from keys("Tab")
    if "gift" in fields:
        yield from keys("space")
    yield from keys("Tab", "Return")
    yield pause(1)


def form(task: Task, goal: Task) -> Iterator[Call]:
    """Fill in what the goal says."""
    yield from fill(goal["fields"])


def order(task: Task, goal: Task) -> Iterator[Call]:
    """Fill in what the note says: the browser has the focus."""
    yield from fill(json.loads(task["answer"]))


def label(task: Task, goal: Task) -> Iterator[Call]:
    """Type the code into the editor, which has the focus."""
    yield write(task["answer"])
    yield from keys("ctrl+s")


SOLUTIONS: dict[str, Callable[[Task, Task], Iterator[Call]]] = {
    "add": add,
    "close": close,
    "maximized": maximized,
    "minimized": minimized,
    "drag": drag,
    "scale": scale,
    "entry": entry,
    "replace": replace,
    "cell": cell,
    "total": cell,
    "move": move,
    "rename": rename,
    "show-line-numbers": setting,
    "word-wrap": setting,
    "form": form,
    "order": order,
    "label": label,
    "product": label,
}
