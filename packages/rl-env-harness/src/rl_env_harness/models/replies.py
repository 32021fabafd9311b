"""Parse a model server's answer, in any format.

Servers differ in many details of the APIs that they implement (Chat Completions and Responses). Known formats
are parsed. For other formats, `NoReply` is raised, never one of Python's errors.
"""

import itertools
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..arguments import UNPARSED, clean, plain, read_arguments
from . import sampled
from .reply_parts import parts_of, text_of, text_of_part, usage_of

REASONING = ("reasoning_content", "reasoning", "reasoning_details", "thinking", "thinking_blocks")
"""Fields in which servers put a model's reasoning, next to its text."""
SIGNED = ("extra_content", "thought_signature")
"""Fields in which servers sign a call. If these fields are missing later, the servers refuse the conversation."""
OWN = ("", "none", "stop", "end", "end_turn", "stop_sequence", "eos", "eos_token", "completed")
CALLING = ("tool_calls", "tool_call", "tool_use", "function_call", "function_calls")
"""Finish reasons, in lower case, which mean that the model itself ended the message.

All others mean that it was cut off.
"""
BROKEN = frozenset({"error", "abort", "cancelled", "failed", "insufficient_system_resource"})
"""Finish reasons of a message that the server gave up."""
NOTHING = "(no text)"
"""The text that replaces an empty message of the model when the conversation is sent back."""
_NAME = re.compile(r"[^A-Za-z0-9_-]")
_STATUS = re.compile(r"[1-5][0-9][0-9]")


class NoReply(RuntimeError):
    """Raised when the answer contains no message, for example an error with a success status.

    Attributes:
        error: The server's own description, if it gave one.
        status: The status that the server gave.
    """

    def __init__(self, message: str, error: str = "", status: int | None = None) -> None:
        super().__init__(message)
        self.error, self.status = error, status


@dataclass(frozen=True)
class Call:
    """A tool call in a message.

    Attributes:
        id: The server's id, or a new id if the server's id is missing or was used before.
        said: The arguments as text, verbatim.
        signed: Fields that must be sent back to the server with the call.
    """

    id: str
    name: str
    said: str
    signed: dict[str, Any] = field(default_factory=dict)

    @property
    def arguments(self) -> dict[str, Any]:
        """Return the arguments as an object, which the environment plays or refuses."""
        return read_arguments(self.said)

    def written(self, *, sent: bool) -> dict[str, Any]:
        """Return the call for a chat message: as the model wrote it, or as it is `sent` back to a server.

        Servers parse the history: they require arguments that are an object, and they restrict the characters of
        names.
        """
        name, said = self.name, self.said
        if sent:
            name = _NAME.sub("_", name)[:64] or "unknown"
            said = "{}" if UNPARSED in (read := self.arguments) else json.dumps(read)
        function = {"name": name, "arguments": said}
        return {"id": self.id, "type": "function", "function": function, **self.signed}


@dataclass(frozen=True)
class Reply:
    """One message of a model.

    Attributes:
        text: The text, or "" if the model wrote none.
        reasoning: The reasoning, under the server's own field names.
        usage: Token counts `input_tokens`, `output_tokens`, `reasoning_tokens` and `cached_tokens`, as far as
            the server reports them.
        finish_reason: The reason in the server's words.
        items: Other items of a Responses server, in addition to message and calls.
        tokens: The tokens read and written, if the server reports them.
    """

    text: str = ""
    calls: tuple[Call, ...] = ()
    reasoning: dict[str, Any] = field(default_factory=dict)
    finish_reason: str | None = None
    usage: dict[str, int] = field(default_factory=dict)
    model: str | None = None
    items: tuple[dict[str, Any], ...] = ()
    tokens: sampled.Tokens = field(default_factory=dict)

    @property
    def cut(self) -> bool:
        """Whether something other than the model ended the message, such as a limit or a filter.

        Servers have many names for these reasons, but few names for an end by the model. An empty message without
        tokens also counts as cut off.
        """
        said = bool(self.text or self.calls or self.reasoning)
        silent = not said and self.usage.get("output_tokens") == 0
        return silent or str(self.finish_reason).lower() not in (*OWN, *CALLING)

    @property
    def lost(self) -> bool:
        """Whether the server reports that the model made calls, but the answer contains no call."""
        return str(self.finish_reason).lower() in CALLING and not self.calls

    @property
    def about(self) -> dict[str, Any]:
        """Return the data about a turn that is recorded in addition to the message."""
        cut = {"cut": True} if self.cut else {}
        return {"finish_reason": self.finish_reason, "usage": self.usage, **cut}

    def message(self, *, sent: bool = False, without: Iterable[str] = ()) -> dict[str, Any]:
        """Return a chat message: as the model wrote it, or as it is `sent` back, `without` some fields.

        Content is always present, as text, because some servers require it and no template fails on it. A message
        without calls is never sent with empty content, because other servers refuse that.
        """
        calls = [call.written(sent=sent) for call in self.calls]
        calls = [{k: v for k, v in call.items() if k not in without} for call in calls]
        thought = {k: v for k, v in self.reasoning.items() if k not in without}
        called = {"tool_calls": calls} if calls else {}
        text = self.text or (NOTHING if sent and not calls else "")
        return {"role": "assistant", "content": text, **thought, **called}


def of_chat(data: Any, used: set[str], turn: int) -> Reply:
    """Parse the message of a Chat Completions answer. Raises NoReply if the answer has no message.

    Args:
        used: The ids of calls so far; the ids of this message's calls are added.
        turn: The number of the turn.
    """
    data = _object(data)
    choices = data.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(choice, Mapping):
        raise NoReply(f"not a chat completion, but {shown(data)}")
    message = choice.get("message")
    if not isinstance(message, Mapping):
        message = {"content": message if isinstance(message, str) else choice.get("text")}
    reason = next((choice[name] for name in _REASONS if choice.get(name)), None)
    _refuse_broken(reason, data)
    # Also empty reasoning, because some servers require it back.
    reasoning = {k: message[k] for k in REASONING if message.get(k) or message.get(k) == ""}
    text, thought = text_of(message.get("content"))
    if thought and not reasoning:
        reasoning = {"reasoning_content": thought}
    return Reply(
        text=text or text_of(message.get("refusal"))[0],
        calls=tuple(_calls(_called(message), used, turn)),
        reasoning=reasoning,
        finish_reason=None if reason is None else str(reason),
        usage=usage_of(data.get("usage")),
        model=_named(data),
        tokens=sampled.of_chat(data, choice),
    )


_REASONS = ("said_finish_reason", "finish_reason", "native_finish_reason")
"""The first is the field that this package's relay adds for an unusual reason."""


def of_response(data: Any, used: set[str], turn: int) -> Reply:
    """Parse the items of a Responses answer as one message. Raises NoReply if the answer has no message."""
    data = _object(data)
    output = data.get("output")
    status = str(data.get("status") or "completed")
    detail = data.get("incomplete_details")
    reason = detail.get("reason") if isinstance(detail, Mapping) else None
    reason = reason or (status if status != "completed" else None)
    _refuse_broken(reason, data)
    if not isinstance(output, list):
        said = data.get("output_text")
        if not isinstance(said, str):
            raise NoReply(f"not a response, but {shown(data)}")
        output = [{"type": "message", "content": said}]
    texts, thoughts, calls, kept = [], [], [], []
    for item in (each for each in output if isinstance(each, Mapping)):
        kind = item.get("type") or ("function_call" if "arguments" in item else "message")
        if kind == "message":
            texts.append(text_of(item.get("content"))[0])
        elif kind in ("function_call", "computer_call"):
            name = {"name": "computer"} if kind == "computer_call" else {}
            asked = {"arguments": item.get("actions") or item.get("action")} if name else {}
            calls.append({**item, "id": item.get("call_id") or item.get("id"), **name, **asked})
        elif kind == "reasoning":
            parts = [*parts_of(item.get("content")), *parts_of(item.get("summary"))]
            thoughts += [part for part in map(text_of_part, parts) if part]
            about = {k: v for k, v in item.items() if k in _THOUGHT and v is not None}
            kept.append({"summary": [], **about, "type": kind})
    reason = reason or ("tool_calls" if calls else "stop")
    return Reply(
        text="\n".join(filter(None, texts)),
        calls=tuple(_calls(calls, used, turn)),
        reasoning={"reasoning_content": "\n".join(thoughts)} if thoughts else {},
        finish_reason=str(reason),
        usage=usage_of(data.get("usage")),
        model=_named(data),
        items=tuple(kept),
        tokens=sampled.of_response(data, output),
    )


def of_anthropic(data: Any, used: set[str], turn: int) -> Reply:
    """Parse an answer of Anthropic's Messages API as one message. Raises NoReply if the answer has no message."""
    data = _object(data)
    blocks = [block for block in parts_of(data.get("content")) if isinstance(block, Mapping)]
    uses = [{**b, "arguments": b.get("input")} for b in blocks if b.get("type") == "tool_use"]
    text, thought = text_of(blocks)
    reason = data.get("stop_reason")
    return Reply(
        text=text,
        calls=tuple(_calls(uses, used, turn)),
        reasoning={"reasoning_content": thought} if thought else {},
        finish_reason=None if reason is None else str(reason),
        usage=usage_of(data.get("usage")),
        model=_named(data),
    )


_THOUGHT = ("type", "id", "summary", "content", "encrypted_content")


def shown(data: Any) -> str:
    """Return the beginning of an answer, for use in an error message."""
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False, default=str)
    return repr(clean(text)[:200])


def _object(data: Any) -> dict[str, Any]:
    """Return an answer as JSON data. Raise NoReply for a value that is not an object, and for an error with status
    200."""
    data = plain(data)
    if not isinstance(data, Mapping):
        raise NoReply(f"not a model's reply, but {shown(data)}")
    error = data.get("error")
    if error and not data.get("choices"):
        about = error if isinstance(error, Mapping) else {"message": error}
        code = str(about.get("code") or about.get("status"))
        status = int(code) if _STATUS.fullmatch(code) else None
        raise NoReply(f"the server returned an error: {shown(error)}", json.dumps(error), status)
    return dict(data)


def _refuse_broken(reason: Any, data: Mapping[str, Any]) -> None:
    if str(reason).lower() in BROKEN:
        raise NoReply(f"the server aborted the message ({reason}): {shown(data)}", "", 503)


def _called(message: Mapping[str, Any]) -> list[Any]:
    """Return the calls in a message, including a single call, or a call under the field's former name."""
    calls = message.get("tool_calls") or message.get("function_call") or []
    return list(calls) if isinstance(calls, list | tuple) else [calls]


def _calls(found: Iterable[Any], used: set[str], turn: int) -> Iterable[Call]:
    for number, call in enumerate(found):
        about = call if isinstance(call, Mapping) else {"name": call}
        function = about.get("function") or about.get("custom") or about
        function = function if isinstance(function, Mapping) else {"name": function}
        said = next((function[key] for key in _ARGUMENTS if function.get(key) is not None), "")
        name, wanted = function.get("name"), about.get("id")
        chosen = wanted if isinstance(wanted, str) and wanted.strip() else None
        if chosen is None or chosen in used:
            chosen = _unused(used, turn % 10**4 * 10**4 + number)
        used.add(chosen)
        signed = {key: about[key] for key in SIGNED if about.get(key)}
        text = said if isinstance(said, str) else json.dumps(said)
        yield Call(chosen, name if isinstance(name, str) else "", text, signed)


def _unused(used: set[str], number: int) -> str:
    """Return a new call id of nine letters and digits, the form that the strictest server requires."""
    made = (f"c{each % 10**8:08d}" for each in itertools.count(number))
    return next(each for each in made if each not in used)


_ARGUMENTS = ("arguments", "parameters", "input")


def _named(data: Mapping[str, Any]) -> str | None:
    return data["model"] if isinstance(data.get("model"), str) else None
