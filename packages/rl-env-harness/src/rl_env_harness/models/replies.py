"""What a model server answered, in whatever shape it came.

Servers differ in all but the gist of the APIs that they speak (Chat Completions and Responses). What
is understood is read; what is not is told by `NoReply`, never by an error of Python's.
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
"""Names under which servers put what a model thinks, next to its text."""
SIGNED = ("extra_content", "thought_signature")
"""Names under which servers sign a call; they refuse the conversation where it does not come back."""
OWN = ("", "none", "stop", "end", "end_turn", "stop_sequence", "eos", "eos_token", "completed")
CALLING = ("tool_calls", "tool_call", "tool_use", "function_call", "function_calls")
"""Reasons for the end of a message that are the model's own, in lower case. All others cut it."""
BROKEN = frozenset({"error", "abort", "cancelled", "failed", "insufficient_system_resource"})
"""Reasons for the end of a message that the machinery gave up."""
NOTHING = "(no text)"
"""What goes back for a message of a model that holds nothing."""
_NAME = re.compile(r"[^A-Za-z0-9_-]")
_STATUS = re.compile(r"[1-5][0-9][0-9]")


class NoReply(RuntimeError):
    """What came back holds no message: an error in a reply's clothes, or something else altogether.

    error: the server's own account of it, where it gave one, and status: the number that it gave.
    """

    def __init__(self, message: str, error: str = "", status: int | None = None) -> None:
        super().__init__(message)
        self.error, self.status = error, status


@dataclass(frozen=True)
class Call:
    """A tool call of a message: its id here, and what the model wrote.

    id: the server's, or one of ours where that is missing or was used before.
    said: the arguments as text, word for word. signed: what the server wants back with the call.
    """

    id: str
    name: str
    said: str
    signed: dict[str, Any] = field(default_factory=dict)

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments as an object, for the environment to play or to refuse."""
        return read_arguments(self.said)

    def written(self, *, sent: bool) -> dict[str, Any]:
        """The call in a chat message: as the model wrote it, or `sent` back to a server.

        Servers read the history: they want arguments that are an object, and names of few letters.
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

    text: "" where it wrote none. reasoning: by the server's own names. usage: tokens by the names
    `input_tokens`, `output_tokens`, `reasoning_tokens` and `cached_tokens`, as far as they are told.
    finish_reason: in the server's words. items: what a Responses server put beside message and calls.
    tokens: which were read and written, as far as that is told.
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
        """Whether the message was ended by something else than the model: a limit, a filter, silence.

        Servers have many words for that, and few for an end that is the model's own.
        """
        said = bool(self.text or self.calls or self.reasoning)
        silent = not said and self.usage.get("output_tokens") == 0
        return silent or str(self.finish_reason).lower() not in (*OWN, *CALLING)

    @property
    def lost(self) -> bool:
        """Whether the server says that the model made calls, and shows none."""
        return str(self.finish_reason).lower() in CALLING and not self.calls

    @property
    def about(self) -> dict[str, Any]:
        """What a record keeps of a turn besides the message."""
        cut = {"cut": True} if self.cut else {}
        return {"finish_reason": self.finish_reason, "usage": self.usage, **cut}

    def message(self, *, sent: bool = False, without: Iterable[str] = ()) -> dict[str, Any]:
        """As a chat message: as the model wrote it, or as it is `sent` back, `without` some fields.

        Content is always there, as text: some servers want it, and no template fails on it. Beside
        no call it is not sent empty, which other servers refuse.
        """
        calls = [call.written(sent=sent) for call in self.calls]
        calls = [{k: v for k, v in call.items() if k not in without} for call in calls]
        thought = {k: v for k, v in self.reasoning.items() if k not in without}
        called = {"tool_calls": calls} if calls else {}
        text = self.text or (NOTHING if sent and not calls else "")
        return {"role": "assistant", "content": text, **thought, **called}


def of_chat(data: Any, used: set[str], turn: int) -> Reply:
    """The message of a Chat Completions answer. Raises NoReply.

    used: the ids of calls so far, to which those of this message are added. turn: its number.
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
    # Also an empty thought: there are servers that want it back.
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
"""The first is what our own relay adds where a reason is not among the usual ones."""


def of_response(data: Any, used: set[str], turn: int) -> Reply:
    """The items of a Responses answer as one message. Raises NoReply."""
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
    """The blocks of an answer of Anthropic's Messages API as one message. Raises NoReply."""
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
    """The beginning of what came, for a person to see."""
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False, default=str)
    return repr(clean(text)[:200])


def _object(data: Any) -> dict[str, Any]:
    """An answer as JSON data. Raises NoReply for another value, and for an error with status 200."""
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
    """The calls of a message, also where there is one alone, or by the name they had once."""
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
    """An id of nine letters and digits, which is what the strictest server takes."""
    made = (f"c{each % 10**8:08d}" for each in itertools.count(number))
    return next(each for each in made if each not in used)


_ARGUMENTS = ("arguments", "parameters", "input")


def _named(data: Mapping[str, Any]) -> str | None:
    return data["model"] if isinstance(data.get("model"), str) else None
