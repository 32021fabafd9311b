"""Answer model requests with the turns of scripts and the verdicts of judges, without sending any request.

The requesting episode is identified by its asyncio task or, for other threads and processes, by the reply in
the prompt. Runs in the venv of a framework: standard library only.
"""

from __future__ import annotations

import json
import os
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
"""An endpoint's error for a conversation that is too long, in words that the frameworks recognize."""
ASKED = re.compile(r"/(chat/completions|completions|responses|messages)/?$")
"""The paths of model endpoints."""
LONGEST = 4_000
"""Characters of a judge's prompt to keep with an episode: enough for a question, a key and an
answer."""
MOST_JUDGED = 5
"""Judgments to keep with an episode; a rubric with many points repeats the same words."""
STAND_IN = "stand-in judge"
"""The failure kind after a stand-in judge's reply: a real judge may have been understood."""
REAL_SECONDS = 60.0
"""Seconds for a real judge's reply: a small model on a CPU needs some."""
REAL_MODELS = "ORIGINAL_MODELS"
"""The variable that, set to `real`, lets an environment reach the models inside it; only a wrapped one reads it."""
# The unpatched function, for requests from here.
_open = urllib.request.build_opener(urllib.request.ProxyHandler({})).open


class ScriptOver(Exception):
    """The error for requests that the environment sends after the end of a script.

    The environment receives the error that a model API returns for a full context.
    """


class Asker:
    """An episode that sends requests to models.

    Attributes:
        model: The name of the model that plays the episode.
        scoring: Whether this model has finished, and replies are scored.
        passes: Whether the framework itself provides this model's replies.
        waits: Whether the episode has to wait for a reply.
        said: The scored replies, each with its correct answer or "". The reply that counts comes last.
        judged: The requests to judges, and the judges' answers.
    """

    model = ""
    scoring, passes, waits = True, False, False

    def __init__(self, script: dict[str, Any]) -> None:
        self.script = script
        self.said: list[tuple[str, str]] = []
        self.judged: list[dict[str, Any]] = []

    def reply(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the model's next message. Raise ScriptOver if there are no further messages."""
        raise ScriptOver

    def key_of(self, row: Any) -> str:
        """Return the correct answer from the script or from the row, or "" if there is no correct answer."""
        return str(self.script.get("gold") or gold_of(row) or "")

    @property
    def judgements(self) -> dict[str, Any]:
        """Return the requests to judges and the judges' answers, or an empty dict if there were no requests."""
        return {"judged": True, "judge": self.judged} if self.judged else {}


ASKING: ContextVar[Asker | None] = ContextVar("ASKING", default=None)
_open_ones: list[Asker] = []  # in this process; foreign threads do not inherit a context


@contextmanager
def asking(each: Asker) -> Iterator[None]:
    """Assign all model requests in the ``with`` block to this episode."""
    token = ASKING.set(each)
    _open_ones.append(each)
    try:
        yield
    finally:
        _open_ones.remove(each)
        ASKING.reset(token)


def answer(path: str, body: bytes) -> tuple[int, dict[str, Any]] | None:
    """Return the status and body of the answer to a posted request, or None if the request is not for a model."""
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
        elif os.environ.get(REAL_MODELS) == "real":
            return None
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
    """Return a message in the response format of one kind of endpoint."""
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
    """Return the status and text of a judge's verdict, and record the request with the episode."""
    texts = _texts_of(asked)
    prompt = "\n".join(texts)
    if episode is None:
        episode = _asked_for(texts)
    if episode is None:
        return 200, verdict(find_reply(texts, ""), "", "", {})
    # Other replies of the same batch may be scored as well: find the one in this prompt.
    several = [
        (said, key, find_reply(texts, said)) for said, key in reversed(episode.said or [("", "")])
    ]
    said, key, stands = next((s for s in several if s[2].how != "absent"), several[0])
    how = episode.script.get("judge") or {}
    status = int(how.get("status", 200))
    if status != 200:
        text = "the audit's judge is out of order"
    elif "ask" in how:
        status, text = _ask_real(how["ask"], asked)
    else:
        text = verdict(stands, said, key, how)
    if len(episode.judged) < MOST_JUDGED:
        episode.judged.append(_record(prompt, stands, key, text))
    return status, text


def _record(prompt: str, stands: Stands, key: str, text: str) -> dict[str, Any]:
    """Return the record of a judgment."""
    good, bad = words_of(stands.ours)
    shown = {"reply_shown": stands.how != "absent", "stands": stands.how, "closes": stands.closes}
    shown |= {"key_shown": bool(key.strip()) and shows_key(stands.ours, key)}
    words = {"good": good, "bad": bad, "label": cut(label_of_key(stands.ours), 200)}
    return {"asked": cut(prompt, LONGEST), "said": cut(text, LONGEST), **shown, **words}


def _asked_for(texts: list[str]) -> Asker | None:
    """Return the episode whose reply the prompt shows, or the only open episode if no reply is shown."""
    for each in reversed(_open_ones):
        if any(find_reply(texts, said).how != "absent" for said, _ in each.said):
            return each
    return _open_ones[0] if len(_open_ones) == 1 else None


def _texts_of(asked: Mapping[str, Any]) -> list[str]:
    """Return the texts of a request, one for each message."""
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
    """Return the status and text of a real judge's answer, which is requested through the auditing process."""
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
