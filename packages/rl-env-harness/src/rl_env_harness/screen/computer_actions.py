"""Map each API's actions to calls of the environment's tools."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .screen_space import Space

QWEN = "computer_use"
"""Name of the function with which Qwen models operate a computer."""

Call = tuple[str, dict[str, Any]]

_SHARED = (
    *("screenshot", "left_click", "right_click", "middle_click", "double_click", "mouse_move"),
    *("left_click_drag", "scroll", "type", "key", "wait"),
)
_MORE = ("triple_click", "left_mouse_down", "left_mouse_up", "hold_key", "cursor_position")
COVERED = {
    "openai": {*_SHARED, "left_mouse_down", "left_mouse_up"},
    "anthropic": {*_SHARED, *_MORE},
    "qwen": {*_SHARED, "triple_click", "terminate"},
}
"""The tools of the environment for which an API has actions; the others become additional functions."""

_BUTTONS = {"left": "left_click", "right": "right_click", "wheel": "middle_click"}
_SIDES = {"back": "alt+Left", "forward": "alt+Right"}
_LINE = 100
"""Pixels of the screen that one click of the wheel scrolls, for APIs that count pixels."""


@dataclass(frozen=True)
class Action:
    """An action as the model's API expresses it, and the resulting tool calls."""

    said: dict[str, Any]
    calls: list[Call]

    @property
    def needs_picture(self) -> bool:
        """Whether the action's API requires a picture as the answer."""
        return self.said.get("type") == "computer_call"


def others(api: str, tools: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the environment's tools for which an API has no action."""
    return [tool for tool in tools if tool["name"] not in COVERED[api]]


def placed(arguments: dict[str, Any], space: Space) -> dict[str, Any]:
    """Return a call's arguments, with points converted to pixels of the screen."""
    points = ("coordinate", "start_coordinate")
    found = {name: space.to_screen(arguments[name]) for name in points if name in arguments}
    return {**arguments, **found}


def of_openai(item: dict[str, Any], space: Space) -> Action:
    """Return the calls of a `computer_call`, which contains one action or a list of actions."""
    asked = item.get("actions") or [item.get("action") or {"type": "screenshot"}]
    return Action(item, [call for each in asked for call in _of_openai(each, space)])


def _of_openai(action: dict[str, Any], space: Space) -> list[Call]:
    kind = action["type"]
    point = space.to_screen([action["x"], action["y"]]) if "x" in action else None
    held = {"text": _chord(action["keys"])} if action.get("keys") else {}
    if kind == "click":
        side = _SIDES.get(action["button"])
        if side:
            return [("key", {"text": side})]
        return [(_BUTTONS[action["button"]], {"coordinate": point, **held})]
    if kind == "double_click":
        return [("double_click", {"coordinate": point, **held})]
    if kind == "drag":
        return _dragged([space.to_screen([place["x"], place["y"]]) for place in action["path"]])
    if kind == "keypress":
        return [("key", {"text": _chord(action["keys"])})]
    if kind == "move":
        return [("mouse_move", {"coordinate": point})]
    if kind == "scroll":
        return _scrolled(point, action.get("scroll_x", 0), action.get("scroll_y", 0), held)
    if kind == "type":
        return [("type", {"text": action["text"]})]
    return [("wait", {"duration": 1})] if kind == "wait" else [("screenshot", {})]


def of_anthropic(asked: dict[str, Any], space: Space, pointer: list[Any]) -> list[Call]:
    """Return the tool call for a call of `computer`, whose actions have the names of the tools.

    A click or scroll without a coordinate is placed at the pointer.
    """
    asked = dict(asked)
    action = asked.pop("action", "screenshot")
    if action.endswith("_click") or action == "scroll":
        asked.setdefault("coordinate", pointer)
    return [(action, placed(asked, space))]


def qwen_function(space: Space) -> dict[str, Any]:
    """Return the function that Qwen3-VL is trained on."""
    width, height = space.size
    actions = [
        *("key", "type", "mouse_move", "left_click", "left_click_drag", "right_click"),
        *("middle_click", "double_click", "triple_click", "scroll", "hscroll", "wait", "terminate"),
    ]
    text, number = {"type": "string"}, {"type": "number"}
    point = {"type": "array", "items": number, "description": "(x, y)"}
    return {
        "name": QWEN,
        "description": (
            "Use a mouse and keyboard to interact with a computer, and take screenshots.\n"
            f"* The screen's resolution is {width}x{height}."
        ),
        "parameters": {
            "type": "object",
            "properties": {
                "action": {"type": "string", "enum": [*actions, "screenshot"]},
                "keys": {"type": "array", "items": text, "description": "for action=key"},
                "text": {**text, "description": "for action=type"},
                "coordinate": {**point, "description": "the place, x and y"},
                "pixels": {**number, "description": "to scroll: up and left are positive"},
                "time": {**number, "description": "seconds, for action=wait"},
                "status": {"type": "string", "enum": ["success", "failure"]},
            },
            "required": ["action"],
        },
    }


def of_qwen(asked: dict[str, Any], space: Space, pointer: list[Any]) -> list[Call]:
    """Return the tool calls for a call of `computer_use`. A drag begins at the pointer."""
    action = asked.get("action", "")
    point = space.to_screen(asked.get("coordinate", pointer))
    if action == "key":
        keys = asked.get("keys", [])
        return [("key", {"text": _chord(keys if isinstance(keys, list) else [keys])})]
    if action == "left_click_drag":
        start = space.to_screen(pointer)
        return [("left_click_drag", {"start_coordinate": start, "coordinate": point})]
    if action in ("scroll", "hscroll"):
        pixels = -asked.get("pixels", 0)
        across, down = (pixels, 0) if action == "hscroll" else (0, pixels)
        return _scrolled(point, across, down, {})
    if action == "wait":
        return [("wait", {"duration": asked.get("time", 1)})]
    if action in ("type", "terminate"):
        name = "text" if action == "type" else "status"
        return [(action, {name: asked[name]} if name in asked else {})]
    return [(action, {} if action == "screenshot" else {"coordinate": point})]


def _dragged(path: list[list[Any]]) -> list[Call]:
    if len(path) == 2:
        return [("left_click_drag", {"start_coordinate": path[0], "coordinate": path[1]})]
    first, *rest = path
    way: list[Call] = [("mouse_move", {"coordinate": point}) for point in rest]
    pressed: list[Call] = [("mouse_move", {"coordinate": first}), ("left_mouse_down", {})]
    return [*pressed, *way, ("left_mouse_up", {})]


def _scrolled(point: Any, across: float, down: float, held: dict[str, Any]) -> list[Call]:
    calls: list[Call] = []
    for pixels, ways in ((down, ("down", "up")), (across, ("right", "left"))):
        if pixels:
            amount = min(50, max(1, round(abs(pixels) / _LINE)))
            turn = {"scroll_direction": ways[pixels < 0], "scroll_amount": amount}
            calls.append(("scroll", {"coordinate": point, **turn, **held}))
    return calls or [("screenshot", {})]


def _chord(keys: list[str]) -> str:
    """Return keys as one chord. In a chord of several keys, a capital letter names the key and does not imply Shift."""
    alone = len(keys) == 1
    return "+".join(key if alone or len(key) > 1 else key.lower() for key in map(str, keys))
