"""What happened in each episode, by the log of the model's server alone (see log.py).

It shares no code with what is tested, and needs nothing but Python: what it says is a second
opinion. An episode is known by the header X-Episode (once: the field `user`) and the model's name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote

Key = tuple[str, str]
"""Model and label of an episode."""
PREFLIGHT = "preflight"
CUT = ("length", "content_filter", "max_tokens")
THOUGHTS = ("reasoning_content", "reasoning")
EMPTY = "(no text)"
FULL = re.compile(
    r"exceed_context_size|maximum context length|context size|too long", re.IGNORECASE
)
SLACK = 0.05


@dataclass
class Call:
    """A tool call as the model wrote it; `answer` is what was sent back, None where nothing was."""

    id: str
    name: str
    said: str
    answer: str | None = None

    def arguments(self) -> dict[str, Any]:
        """What the model's text says: an object, or `_raw` with the text where it is none."""
        try:
            read = json.loads(self.said or "{}", strict=False, parse_constant=_refuse)
        except (ValueError, RecursionError):
            read = None
        return read if isinstance(read, dict) else {"_raw": self.said}


@dataclass
class Turn:
    """One message of the model: what the server answered, and what was sent back for it."""

    content: str
    thoughts: dict[str, str]
    calls: list[Call]
    finish: str | None
    usage: dict[str, int]
    seconds: float
    faults: int
    answer: str | None = None
    """What a user's message said next, where actions are text."""


@dataclass
class Episode:
    """All that the server saw of one episode. `wrong` is what should not have been on the wire."""

    key: Key
    prompt: list[dict[str, Any]] = field(default_factory=list)
    tools: list[dict[str, Any]] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    stopped_by: str = "answer"
    """What the last exchange was: an answer, full (the context), fault or silence."""
    server_model: str | None = None
    span: float = 0.0
    wrong: list[str] = field(default_factory=list)

    @property
    def text_actions(self) -> bool:
        """Whether the model acts by what it writes."""
        return not self.tools

    def ends(self) -> set[tuple[str, str | None]]:
        """The ends, with their limits, that are true of this episode."""
        if not self.turns:
            return {("failed", None)}
        if self.stopped_by == "full":
            return {("truncated", "context_full")}
        if self.stopped_by == "fault":
            return {("failed", None)}
        if self.stopped_by == "silence":
            return {("truncated", "time"), ("failed", None)}
        over = {("terminated", None), ("truncated", "turns"), ("truncated", "refusals")}
        broke = {("failed", None), ("truncated", "time")}
        last = self.turns[-1]
        if self.text_actions:
            return over | broke | ({("stopped", None)} if "<end_episode" in last.content else set())
        if last.calls:
            return over | broke
        return {("cut_off" if last.finish in CUT else "stopped", None)}


def episodes(log: Path) -> dict[Key, Episode]:
    """Every episode that the log tells of."""
    found: dict[Key, list[dict[str, Any]]] = {}
    for line in _exchanges(log):
        found.setdefault(line["key"], []).append(line)
    return {key: _episode(key, lines) for key, lines in found.items()}


def _exchanges(log: Path) -> Iterator[dict[str, Any]]:
    """The questions to the model, in the order in which they came."""
    lines = [json.loads(text) for text in log.read_text("utf-8").splitlines()]
    for line in sorted(lines, key=lambda each: each["at"]):
        if not line["path"].endswith("/chat/completions"):
            continue
        body = json.loads(line["request"])
        headers = {name.lower(): value for name, value in line["headers"].items()}
        label = unquote(headers.get("x-episode") or "") or body.get("user")
        if label and label != PREFLIGHT:
            yield {**line, "body": body, "key": (body["model"], label)}
        elif not label and body.get("max_tokens") != 1:
            yield {**line, "body": body, "key": (body["model"], "(no label)")}


def _episode(key: Key, lines: list[dict[str, Any]]) -> Episode:
    reported = Episode(key)
    first = lines[0]["body"]
    reported.prompt = first["messages"]
    reported.tools = [tool["function"] for tool in first.get("tools") or []]
    reported.span = lines[-1]["at"] + lines[-1]["seconds"] - lines[0]["at"]
    known, faults = first["messages"], 0
    for number, line in enumerate(lines):
        messages = line["body"]["messages"]
        if number and (reported.turns and not faults):
            _sent_back(reported, known, messages)
        elif messages != known:
            reported.wrong.append(f"request {number} repeats another one, but not in its words")
        if [tool["function"] for tool in line["body"].get("tools") or []] != reported.tools:
            reported.wrong.append(f"request {number} offers other tools than the first")
        known = messages
        turn, reported.stopped_by = _answer(line, faults)
        if turn is None:
            faults += 1
            continue
        reported.turns.append(turn)
        faults = 0
        reported.server_model = json.loads(line["reply"]).get("model")
    return reported


def _answer(line: dict[str, Any], faults: int) -> tuple[Turn | None, str]:
    """What the server answered, if it was a message and whoever asked was there to hear it."""
    if line.get("left") or "status" not in line:
        return None, "silence" if line.get("left") else "fault"
    if line["status"] != 200:
        return None, "full" if FULL.search(line["reply"]) else "fault"
    try:
        data = json.loads(line["reply"])
        [choice], usage = data["choices"], data["usage"]
    except (ValueError, KeyError):
        return None, "fault"
    message = choice["message"]
    calls = [
        Call(each["id"], each["function"]["name"], each["function"]["arguments"])
        for each in message.get("tool_calls") or []
    ]
    thoughts = {name: message[name] for name in THOUGHTS if message.get(name)}
    tokens = {"input_tokens": usage["prompt_tokens"], "output_tokens": usage["completion_tokens"]}
    return Turn(
        message.get("content") or "", thoughts, calls, choice["finish_reason"], tokens,
        line["seconds"], faults,
    ), "answer"  # fmt: skip


def _sent_back(reported: Episode, known: list[Any], messages: list[Any]) -> None:
    """Note what went back for the last message, and whatever of that is not as it should be."""
    turn, number = reported.turns[-1], len(reported.turns)
    if messages[: len(known)] != known or len(messages) <= len(known):
        reported.wrong.append(f"request {number} does not begin with what was sent before")
        return
    assistant, *answers = messages[len(known) :]
    expected = turn.content or ("" if turn.calls else EMPTY)
    if (assistant.get("role"), assistant.get("content")) != ("assistant", expected):
        reported.wrong.append(f"request {number} has another message than the model wrote")
    sent = assistant.get("tool_calls") or []
    if len(sent) != len(turn.calls):
        reported.wrong.append(f"request {number} has {len(sent)} calls of {len(turn.calls)}")
    for call, back in zip(turn.calls, sent, strict=False):
        arguments = call.arguments()
        wanted = {} if "_raw" in arguments else arguments
        if _object(back["function"]["arguments"]) != wanted or back["id"] != call.id:
            reported.wrong.append(f"request {number} has another call than the model made: {back}")
    if reported.text_actions:
        if [each["role"] for each in answers] != ["user"]:
            reported.wrong.append(f"request {number} has {len(answers)} answers to a text")
        turn.answer = answers[0]["content"] if answers else None
        return
    ids = [each.get("tool_call_id") for each in answers]
    if ids != [call.id for call in turn.calls]:
        reported.wrong.append(f"request {number} answers {ids}")
    for call, back in zip(turn.calls, answers, strict=False):
        call.answer = back["content"]


def _object(text: str) -> Any:
    """What text of ours holds as JSON; None for what no server could read."""
    try:
        return json.loads(text)
    except ValueError:
        return None


def _refuse(name: str) -> Any:
    raise ValueError(name)
