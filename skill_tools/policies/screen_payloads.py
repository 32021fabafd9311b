"""A policy server's responses to computer-use clients, with the same calls in each API's format.

Formats: `computer_call` of https://developers.openai.com/api/docs/guides/tools-computer-use,
`tool_use` of https://platform.claude.com/docs/en/agents-and-tools/tool-use/computer-use-tool, and
the function `computer_use` of https://github.com/QwenLM/Qwen3-VL.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from skill_tools.policies.scripted import Call
from skill_tools.policies.tokens import Said

QWEN = "computer_use"
THOUSANDTHS = 1000
_BUTTONS = {"left_click": "left", "right_click": "right", "middle_click": "wheel"}
_ANTHROPIC = {
    *("screenshot", "left_click", "right_click", "middle_click", "double_click", "triple_click"),
    *("mouse_move", "left_click_drag", "left_mouse_down", "left_mouse_up", "scroll", "type", "key"),
    *("hold_key", "wait", "cursor_position"),
}
_LINE = 100


def openai_action(call: Call) -> dict[str, Any] | None:
    """Return a call as an action of OpenAI's computer tool; None if that tool has no such action."""
    asked = call.arguments
    if not isinstance(asked, Mapping):
        return None
    place = dict(zip("xy", asked.get("coordinate", ()), strict=False))
    keys = {"keys": str(asked["text"]).split("+")} if asked.get("text") else {}
    if call.tool in _BUTTONS:
        return {"type": "click", "button": _BUTTONS[call.tool], **place, **keys}
    if call.tool == "double_click":
        return {"type": "double_click", **place, **keys}
    if call.tool == "left_click_drag":
        points = (asked["start_coordinate"], asked["coordinate"])
        return {"type": "drag", "path": [{"x": x, "y": y} for x, y in points]}
    if call.tool == "scroll":
        pixels = asked["scroll_amount"] * _LINE
        pixels *= -1 if asked["scroll_direction"] in ("up", "left") else 1
        across = asked["scroll_direction"] in ("left", "right")
        way = {"scroll_x": pixels if across else 0, "scroll_y": 0 if across else pixels}
        return {"type": "scroll", **place, **way, **keys}
    simple = {
        "mouse_move": {"type": "move", **place},
        "key": {"type": "keypress", **keys},
        "type": {"type": "type", "text": asked.get("text", "")},
        "screenshot": {"type": "screenshot"},
    }
    return simple.get(call.tool)


def qwen_calls(call: Call, screen: tuple[int, int]) -> list[Call]:
    """Return a call as calls of Qwen's function; a drag becomes two calls, because a drag begins at the pointer."""
    asked = call.arguments
    if call.tool == "left_click_drag" and isinstance(asked, Mapping):
        start = Call("mouse_move", {"coordinate": asked["start_coordinate"]})
        end = {"action": call.tool, "coordinate": _thousandths(asked["coordinate"], screen)}
        return [_qwen_call(start, screen), Call(QWEN, end)]
    return [_qwen_call(call, screen)]


def _thousandths(point: Sequence[int], screen: tuple[int, int]) -> list[int]:
    pairs = zip(point, screen, strict=True)
    return [round(value * THOUSANDTHS / size) for value, size in pairs]


def _qwen_call(call: Call, screen: tuple[int, int]) -> Call:
    asked = call.arguments
    known = {*_BUTTONS, "double_click", "triple_click", "mouse_move", "scroll", "type", "key"}
    if not isinstance(asked, Mapping) or call.tool not in {
        *known,
        "wait",
        "screenshot",
        "terminate",
    }:
        return call
    said: dict[str, Any] = {"action": call.tool}
    if "coordinate" in asked:
        said["coordinate"] = _thousandths(asked["coordinate"], screen)
    if call.tool == "key":
        said["keys"] = str(asked.get("text", "")).split("+")
    if call.tool == "type":
        said["text"] = asked.get("text", "")
    if call.tool == "wait":
        said["time"] = asked.get("duration", 1)
    if call.tool == "terminate":
        said["status"] = asked.get("status", "success")
    if call.tool == "scroll":
        way = asked["scroll_direction"]
        said["action"] = "hscroll" if way in ("left", "right") else "scroll"
        said["pixels"] = asked["scroll_amount"] * _LINE * (1 if way in ("up", "left") else -1)
    return Call(QWEN, said)


def anthropic_message(body: Mapping[str, Any], position: int, said: Said) -> dict[str, Any]:
    """Return a turn as the response to a Messages request."""
    turn = said.turn
    content: list[dict[str, Any]] = [{"type": "text", "text": turn.text}] if turn.text else []
    for number, call in enumerate(turn.calls):
        asked = dict(call.arguments) if isinstance(call.arguments, Mapping) else {}
        name = call.tool
        if name in _ANTHROPIC:
            name, asked = "computer", {"action": call.tool, **asked}
        identity = f"toolu_{position}_{number}"
        content.append({"type": "tool_use", "id": identity, "name": name, "input": asked})
    return {
        "id": f"msg_{position}",
        "type": "message",
        "role": "assistant",
        "model": body["model"],
        "content": content,
        "stop_reason": "max_tokens" if said.cut else "tool_use" if turn.calls else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": said.asked, "output_tokens": said.answered},
    }


def wants_computer(body: Mapping[str, Any]) -> bool:
    """Return whether a Responses request offers OpenAI's computer tool."""
    kinds = {tool.get("type") for tool in body.get("tools") or []}
    return bool(kinds & {"computer", "computer_use_preview"})


def wants_qwen(body: Mapping[str, Any]) -> bool:
    """Return whether a Chat Completions request offers Qwen's function."""
    return any(tool.get("function", {}).get("name") == QWEN for tool in body.get("tools") or [])
