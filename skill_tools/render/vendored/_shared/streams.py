"""A streamed answer, put together again. `skill-tools render` overwrites this file."""

import json
from collections.abc import Iterator
from typing import Any

_JOINED = ("content", "reasoning_content", "reasoning", "refusal")
"""Fields of a delta that are continued by the next one."""


def whole(text: Any) -> Any:
    """What was answered: JSON data, the answer that a stream adds up to, or the text itself.

    Some servers stream although nobody asked for it, and some do not although somebody did.
    """
    if not isinstance(text, str):
        return text
    try:
        return json.loads(text)
    except ValueError:
        pass
    events = list(_events(text))
    if not events:
        return text
    for event in reversed(events):
        if isinstance(event.get("response"), dict) and event["response"].get("output") is not None:
            found = event["response"]
            ended = str(event.get("type", "")).rpartition(".")[2]
            if ended in ("completed", "incomplete", "failed"):
                return {"status": ended, **found}
    if any("choices" in event for event in events):
        return _completion(events, ended="[DONE]" in text)
    return next((event for event in events if event.get("error")), events[-1])


def _events(text: str) -> Iterator[dict[str, Any]]:
    """The data of server-sent events; comments and the mark of the end are passed over."""
    for block in text.replace("\r\n", "\n").split("\n\n"):
        lines = (line[5:].lstrip() for line in block.split("\n") if line.startswith("data:"))
        data = "\n".join(lines)
        try:
            event = json.loads(data) if data and data != "[DONE]" else None
        except ValueError:
            continue
        if isinstance(event, dict):
            yield event


def _completion(events: list[dict[str, Any]], ended: bool) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant"}
    calls: list[dict[str, Any]] = []
    open_: dict[Any, dict[str, Any]] = {}
    found: dict[str, Any] = {"choices": [], "model": None, "usage": None}
    reason = None
    for event in events:
        if event.get("error"):  # amid the stream, with status 200
            return {"error": event["error"]}
        found["model"] = event.get("model") or found["model"]
        found["usage"] = event.get("usage") or found["usage"]
        choices = event.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(choice, dict) or choice.get("index") not in (0, None):
            continue
        reason = choice.get("finish_reason") or reason
        delta = choice.get("delta") or choice.get("message") or {}
        for name, value in delta.items():
            if name in _JOINED and isinstance(value, str):
                message[name] = (message.get(name) or "") + value
            elif isinstance(value, list) and name != "tool_calls":
                message[name] = [*(message.get(name) or []), *value]
        for number, part in enumerate(delta.get("tool_calls") or []):
            _add(calls, open_, number, part)
    if reason is None and not ended:
        return {"error": {"message": "the stream ended before the message did", "code": 502}}
    if calls:
        message["tool_calls"] = calls
    found["choices"] = [{"index": 0, "message": message, "finish_reason": reason}]
    return found


def _add(
    calls: list[dict[str, Any]], open_: dict[Any, dict[str, Any]], number: int, part: dict[str, Any]
) -> None:
    """Add a piece to the call that it continues; some servers give every call the same number."""
    place = part.get("index", number)
    known = open_.get(place)
    if known is None or _begins(known, part):
        known = open_[place] = {"function": {"name": "", "arguments": ""}}
        calls.append(known)
    for key, value in part.items():
        if key not in ("function", "index") and value is not None:
            known[key] = value
    said = part.get("function") or {}
    known["function"]["name"] = known["function"]["name"] or said.get("name") or ""
    piece = said.get("arguments")
    if piece is not None:
        known["function"]["arguments"] += piece if isinstance(piece, str) else json.dumps(piece)


def _begins(known: dict[str, Any], part: dict[str, Any]) -> bool:
    """Whether a piece begins a call of its own, though it has the number of one that is known."""
    if part.get("id") and known.get("id"):
        return known["id"] != part["id"]
    if not (part.get("function") or {}).get("name"):
        return False
    try:
        json.loads(known["function"]["arguments"])
    except ValueError:
        return False
    return True
