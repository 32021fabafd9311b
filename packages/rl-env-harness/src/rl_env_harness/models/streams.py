"""Assemble a streamed answer."""

import json
import re
from collections.abc import Iterator
from typing import Any

_SENT_ONCE = ("role", "tool_calls", "function_call")
"""Fields of a delta that the next delta does not continue, or does not continue as text."""
_DONE = re.compile(r"^data:\s*\[DONE\]", re.MULTILINE)


def whole(text: Any) -> Any:
    """Return the answer: JSON data, the assembled stream, or the text itself.

    Some servers stream without a request to do so, and others do not stream despite such a request.
    """
    if not isinstance(text, str):
        return text
    text = text.removeprefix("\ufeff")
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
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
        return _completion(events, ended=bool(_DONE.search(text)))
    return next((event for event in events if event.get("error")), events[-1])


def _events(text: str) -> Iterator[dict[str, Any]]:
    """Yield the data of server-sent events, without comments and the end marker."""
    for block in text.replace("\r\n", "\n").replace("\r", "\n").split("\n\n"):
        lines = [line[5:].strip() for line in block.split("\n") if line.startswith("data:")]
        event = _read("\n".join(lines))
        # Some servers omit the empty line between two events.
        for each in [event] if event is not None else map(_read, lines):
            if isinstance(each, dict):
                yield each


def _read(data: str) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def _completion(events: list[dict[str, Any]], ended: bool) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant"}
    calls: list[dict[str, Any]] = []
    open_: dict[str, dict[str, Any]] = {}
    found: dict[str, Any] = {"choices": [], "model": None, "usage": None}
    told: dict[str, Any] = {}
    reason = None
    for event in events:
        if event.get("error"):  # within the stream, with status 200
            return {"error": event["error"]}
        found["model"] = event.get("model") or found["model"]
        found["usage"] = event.get("usage") or found["usage"]
        choices = event.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(choice, dict) or choice.get("index") not in (0, None):
            continue
        reason = choice.get("finish_reason") or reason
        for name, value in _tokens({**event, **choice}).items():
            told[name] = _continued(told.get(name), value)
        delta = choice.get("delta") or choice.get("message") or {"content": choice.get("text")}
        if not isinstance(delta, dict):
            continue
        for name, value in delta.items():
            if name not in _SENT_ONCE:
                message[name] = _continued(message.get(name), value)
        pieces = delta.get("tool_calls") or delta.get("function_call") or []
        for number, part in enumerate(pieces if isinstance(pieces, list) else [pieces]):
            _add(calls, open_, number, part if isinstance(part, dict) else {"name": part})
    if reason is None and not ended:
        return {"error": {"message": "the stream ended before the message did", "code": 502}}
    if calls:
        message["tool_calls"] = calls
    if "logprobs" in told:
        told["logprobs"] = {"content": told["logprobs"]}
    found["choices"] = [{"index": 0, "message": message, "finish_reason": reason, **told}]
    return found


def _tokens(piece: dict[str, Any]) -> dict[str, Any]:
    """Return the tokens in a chunk. The prompt's tokens come once, and the message's tokens come as they are
    written."""
    entries = piece.get("logprobs")
    entries = entries.get("content") if isinstance(entries, dict) else None
    told = {name: piece.get(name) for name in ("prompt_token_ids", "token_ids")}
    return {name: value for name, value in {**told, "logprobs": entries}.items() if value}


def _continued(before: Any, value: Any) -> Any:
    """Add a delta to a field of a streamed answer. Texts and lists are extended; other values are replaced."""
    if not before or value is None:
        return before or value
    if isinstance(before, str) and isinstance(value, str):
        return before + value
    if isinstance(before, list | str) and isinstance(value, list | str):
        return [*_listed(before), *_listed(value)]
    return value


def _listed(value: list[Any] | str) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _add(
    calls: list[dict[str, Any]], open_: dict[str, dict[str, Any]], number: int, part: dict[str, Any]
) -> None:
    """Add a chunk to the call that it continues, or begin a new call. Some servers give every call the same index."""
    place = part.get("index")
    place = json.dumps(number if place is None else place)
    known = open_.get(place)
    if known is None or _begins(known, part):
        known = open_[place] = {"function": {"name": "", "arguments": ""}}
        calls.append(known)
    for key, value in part.items():
        if key not in ("function", "index", "name", "arguments") and value is not None:
            known[key] = value
    said = part.get("function") or part
    said = said if isinstance(said, dict) else {"name": said}
    known["function"]["name"] = known["function"]["name"] or said.get("name") or ""
    piece = said.get("arguments")
    if piece is not None:
        known["function"]["arguments"] += piece if isinstance(piece, str) else json.dumps(piece)


def _begins(known: dict[str, Any], part: dict[str, Any]) -> bool:
    """Return whether a chunk begins a new call although its index is already used."""
    if part.get("id") and known.get("id"):
        return bool(known["id"] != part["id"])
    said = part.get("function")
    if not (isinstance(said, dict) and said.get("name")):
        return False
    return _read(known["function"]["arguments"]) is not None
