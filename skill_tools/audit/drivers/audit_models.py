"""Answers whoever asks a model: the scripts' turns, and judges; nothing goes out to where models are.

Who asks is told by the task of asyncio that asks, or by the reply that a prompt shows, where another
thread or process asks. Run in the venv of a framework: the standard library alone.
"""

from __future__ import annotations

import json
import re
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from argument_conventions import gold_of
from audit_bounds import cut
from audit_judge import Stands, find_reply, label_of_key, shows_key, verdict, words_of

TOO_LONG = "This model's maximum context length is 1 tokens: an audit's script is over."
"""What an endpoint says to a conversation that is too long; the frameworks know it by these words."""
ASKED = re.compile(r"/(chat/completions|completions|responses|messages)/?$")
"""The paths of endpoints of models."""
LONGEST = 4_000
"""Characters of a judge's prompt that are kept with an episode: a question, a key and an answer fit."""
MOST_JUDGED = 5
"""Judgements that are kept with an episode; a rubric of many points asks more, in the same words."""
STAND_IN = "stand-in judge"
"""The kind of a failure after words of a judge that is none: a real one may have been understood."""
REAL_SECONDS = 60.0
"""Seconds for the answer of a real judge: a small model on a processor needs some."""
# What comes straight from here, whatever was patched.
_open = urllib.request.build_opener(urllib.request.ProxyHandler({})).open


class ScriptOver(Exception):
    """The script is over, and the environment asks on: there is no more room."""


class Asker:
    """Who asks: an episode. ``model`` is the name of the model that plays, ``scoring`` whether that is over.

    passes: whether the framework has the model that plays answered itself. said: the replies that are
    scored, each with its right answer or "", the one that counts last. judged: what judges were asked, and
    what they said.
    """

    model = ""
    scoring, passes = True, False

    def __init__(self, script: dict[str, Any]) -> None:
        self.script = script
        self.said: list[tuple[str, str]] = []
        self.judged: list[dict[str, Any]] = []

    def reply(self, request: dict[str, Any]) -> dict[str, Any]:
        """The model's next message. Raises ScriptOver."""
        raise ScriptOver

    def key_of(self, row: Any) -> str:
        """The right answer of a row, as somebody says or as its columns are named; "" where there is none."""
        return str(self.script.get("gold") or gold_of(row) or "")

    @property
    def judgements(self) -> dict[str, Any]:
        """That judges were asked, and what; nothing where none was."""
        return {"judged": True, "judge": self.judged} if self.judged else {}


ASKING: ContextVar[Asker | None] = ContextVar("ASKING", default=None)
_open_ones: list[Asker] = []  # in this process; a thread of somebody's knows no context


@contextmanager
def asking(each: Asker) -> Iterator[None]:
    """Whoever asks a model in the block asks for this episode."""
    token = ASKING.set(each)
    _open_ones.append(each)
    try:
        yield
    finally:
        _open_ones.remove(each)
        ASKING.reset(token)


def answer(path: str, body: bytes) -> tuple[int, dict[str, Any]] | None:
    """The status and the answer to a request that was posted; None where it asks no model of ours."""
    kind = ASKED.search(path)
    if not kind:
        return None
    try:
        asked = json.loads(body)
    except ValueError:
        return None
    if not isinstance(asked, dict) or "model" not in asked:
        return None
    if any(each.passes and each.model == asked["model"] for each in _open_ones):
        return None
    episode = ASKING.get()
    try:
        if episode is not None and asked["model"] == episode.model and not episode.scoring:
            message = episode.reply(asked)
        else:
            status, text = _judge(episode, asked)
            if status != 200:
                return status, _error(text, "server_error" if status >= 500 else "rate_limit")
            message = {"role": "assistant", "content": text}
    except ScriptOver:
        return 400, _error(TOO_LONG, "invalid_request_error")
    return 200, shaped(kind[1], asked["model"], message)


def _error(said: str, kind: str) -> dict[str, Any]:
    return {"type": "error", "error": {"message": said, "type": kind, "code": None}}


def shaped(kind: str, model: str, message: dict[str, Any]) -> dict[str, Any]:
    """A message as the endpoint of a kind sends it."""
    used = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    text, reason = message.get("content"), "tool_calls" if message.get("tool_calls") else "stop"
    said: dict[str, Any] = {"id": "audit", "created": 0, "model": model}
    if kind == "messages":
        blocks = [{"type": "text", "text": text or ""}]
        used = {"input_tokens": 1, "output_tokens": 1}
        said |= {"type": "message", "role": "assistant", "content": blocks, "usage": used}
        return {**said, "stop_reason": "end_turn", "stop_sequence": None}
    if kind == "responses":
        part: dict[str, Any] = {"type": "output_text", "text": text or "", "annotations": []}
        item = {"type": "message", "id": "audit", "role": "assistant", "status": "completed"}
        said |= {"object": "response", "created_at": 0, "output": [{**item, "content": [part]}]}
        return {**said, "parallel_tool_calls": False, "tool_choice": "auto", "tools": []}
    choice: dict[str, Any] = {"index": 0, "finish_reason": reason}
    if kind == "completions":
        choice |= {"text": text or "", "logprobs": None}
        return {**said, "object": "text_completion", "choices": [choice], "usage": used}
    choice |= {"message": message, "logprobs": None}
    return {**said, "object": "chat.completion", "choices": [choice], "usage": used}


def _judge(episode: Asker | None, asked: Mapping[str, Any]) -> tuple[int, str]:
    """What a judge says, and the status of its answer; that it was asked is kept with the episode."""
    texts = _texts_of(asked)
    prompt = "\n".join(texts)
    if episode is None:
        episode = _asked_for(texts)
    if episode is None:
        return 200, verdict(find_reply(texts, ""), "", "", {})
    # Beside the reply that counts others of a batch may be scored: whose prompt is it?
    several = [
        (said, key, find_reply(texts, said)) for said, key in reversed(episode.said or [("", "")])
    ]
    said, key, stands = next((s for s in several if s[2].how != "absent"), several[0])
    how = episode.script.get("judge") or {}
    status = int(how.get("status", 200))
    if status != 200:
        text = "an audit's judge is out of order"
    elif "ask" in how:
        status, text = _ask_real(how["ask"], asked)
    else:
        text = verdict(stands, said, key, how)
    if len(episode.judged) < MOST_JUDGED:
        episode.judged.append(_record(prompt, stands, key, text))
    return status, text


def _record(prompt: str, stands: Stands, key: str, text: str) -> dict[str, Any]:
    """What is kept of a judgement."""
    good, bad = words_of(stands.ours)
    shown = {"reply_shown": stands.how != "absent", "stands": stands.how, "closes": stands.closes}
    shown |= {"key_shown": bool(key.strip()) and shows_key(stands.ours, key)}
    words = {"good": good, "bad": bad, "label": cut(label_of_key(stands.ours), 200)}
    return {"asked": cut(prompt, LONGEST), "said": cut(text, LONGEST), **shown, **words}


def _asked_for(texts: list[str]) -> Asker | None:
    """The episode whose reply a prompt shows, or the only one."""
    for each in reversed(_open_ones):
        if any(find_reply(texts, said).how != "absent" for said, _ in each.said):
            return each
    return _open_ones[0] if len(_open_ones) == 1 else None


def _texts_of(asked: Mapping[str, Any]) -> list[str]:
    """The texts of a request, one for each message."""
    messages = asked.get("messages", asked.get("input", asked.get("prompt")))
    if isinstance(messages, str):
        messages = [messages]
    first = [asked[name] for name in ("system", "instructions") if asked.get(name)]
    texts = []
    for each in [*first, *(messages or [])]:
        content = each.get("content") if isinstance(each, dict) else each
        parts = content if isinstance(content, list) else [content]
        said = [str(p.get("text", "")) if isinstance(p, dict) else str(p) for p in parts]
        texts.append("\n".join(said))
    return texts


def _ask_real(url: str, asked: Mapping[str, Any]) -> tuple[int, str]:
    """What a real judge says, which is asked by whoever audits; its status where it says nothing."""
    roles = ("system", "user", "assistant", "developer")
    messages = [
        m for m in asked.get("messages") or [] if isinstance(m, dict) and m.get("role") in roles
    ]
    plain = [{"role": "user", "content": text} for text in _texts_of(asked)]
    most = asked.get("max_tokens") or asked.get("max_completion_tokens")
    body = json.dumps({"messages": messages or plain, "max_tokens": most}).encode()
    request = urllib.request.Request(url, body, {"Content-Type": "application/json"})
    with _open(request, timeout=REAL_SECONDS) as told:
        said = json.loads(told.read())
    return int(said["status"]), str(said["text"])
