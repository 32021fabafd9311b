"""What a model server puts on the wire, and how an episode with it should end."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

GUESS, OTHER = "crane", "slate"
ANSWER = "@ANSWER@"
"""Stands for the secret word of the task in everything that a kind answers."""
TAGGED = f"<guess>{GUESS}</guess>"
"""The same guess for a variant in which models act by text."""
SIGNATURE = "c2lnbmVkIGJ5IHRoZSBzZXJ2ZXI="

Json = dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """One answer of a server; a body that is text goes out as it is."""

    body: Any
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)

    def text(self, word: str) -> str:
        """The body as sent, about one secret word."""
        body = self.body if isinstance(self.body, str) else json.dumps(self.body)
        return body.replace(ANSWER, word)


@dataclass(frozen=True)
class Rule:
    """What a server does not take in a request: ``broken`` says why a request is refused, or None."""

    broken: Callable[[Json], str | None]
    status: int = 400
    shape: Callable[[str], Any] = lambda message: {
        "error": {"message": message, "type": "invalid_request_error", "code": None}
    }

    def answer(self, request: Json) -> Answer | None:
        """The refusal, if the request breaks the rule."""
        why = self.broken(request)
        return None if why is None else Answer(self.shape(why), self.status)


@dataclass(frozen=True)
class Expected:
    """How an episode should end.

    errors: the ``error`` of each step. says: what the failure's message holds; message: what the first
    step's observation holds. refused: requests that the server may refuse by its rules, no more and
    no fewer. requests: how many there are in all, where that matters. usage: of the first turn.
    tokens: of each turn, what the record has of them; nothing unless it is said.
    """

    end: str
    total: float | None
    errors: tuple[str | None, ...]
    limit: str | None = None
    says: str = ""
    message: str = ""
    refused: int = 0
    requests: int | None = None
    usage: Mapping[str, int] | None = None
    tokens: tuple[Json, ...] = ()


PLAYED = Expected("terminated", 1.0, (None, None))
"""The odd message was played, and the next one solved the task."""
IGNORED = Expected("terminated", 1.0, ("unreadable", None))
"""A text variant found no action in the odd message, said so, and went on."""
CUT = Expected("cut_off", 0.0, (None,))
GOES_ON = Expected("terminated", 1.0, (None, "unreadable", None))
FULL = Expected("truncated", 0.0, (None,), limit="context_full")


def failed(says: str, *, steps: int = 0, requests: int | None = None, refused: int = 0) -> Expected:
    """No score, with the cause."""
    about = {"says": says, "requests": requests, "refused": refused}
    return Expected("failed", None, (None,) * steps, **about)


def refused(error: str, message: str = "") -> Expected:
    """The call was refused, the model was told why, and the next message solved the task."""
    return Expected("terminated", 1.0, (error, None), message=message)


@dataclass(frozen=True)
class Kind:
    """One thing that real servers do.

    item: its number in issue 26, or 0 for one found later. source: the thread that reports it.
    turns: for each message of the model, the answers to the attempts at it; the last one repeats.
    calling and text: the outcome in variants with tool calls and in those that see only text.
    """

    name: str
    item: int
    source: str
    what: str
    turns: tuple[tuple[Answer, ...], ...]
    calling: Expected
    text: Expected
    rules: tuple[Rule, ...] = ()
    api: str = "chat"


def call(
    arguments: Any = f'{{"word": "{GUESS}"}}',
    id: Any = "call_one",
    name: Any = "guess",
    **more: Any,
) -> Json:
    """A tool call as most servers write it."""
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}} | more


def chat(
    content: Any = TAGGED,
    calls: Any = (),
    finish: Any = "tool_calls",
    usage: Any = None,
    more: Mapping[str, Any] | None = None,
    **message: Any,
) -> Json:
    """A chat completion; ``message`` has further fields of its message, ``more`` of the whole."""
    said = {"role": "assistant", "content": content, **message}
    if calls:
        said["tool_calls"] = list(calls)
    reported = {"prompt_tokens": 50, "completion_tokens": 9, "total_tokens": 59}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "odd",
        "choices": [{"index": 0, "message": said, "finish_reason": finish, "logprobs": None}],
        "usage": usage or reported,
        **(more or {}),
    }


def one(*answers: Any) -> tuple[Answer, ...]:
    """The answers to the attempts at one message."""
    return tuple(a if isinstance(a, Answer) else Answer(a) for a in answers)


USUAL = one(chat(calls=[call()]))
SOLVE = one(chat(f"<guess>{ANSWER}</guess>", [call(f'{{"word": "{ANSWER}"}}', "call_last")]))


def first(*answers: Any) -> tuple[tuple[Answer, ...], ...]:
    """An episode whose first message is the odd one."""
    return (one(*answers), SOLVE)


def second(*answers: Any) -> tuple[tuple[Answer, ...], ...]:
    """An episode whose second message is the odd one."""
    return (USUAL, one(*answers), SOLVE)
