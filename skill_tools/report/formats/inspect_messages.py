"""A trajectory's conversation as Inspect messages, including pictures."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

from rl_env_harness.arguments import UNPARSED, read_arguments
from rl_env_harness.models.replies import REASONING

from skill_tools.evidence.images.references import as_address, picture_at
from skill_tools.evidence.trajectory import Step, Trajectory

LOST = "[a picture that was not saved]"
"""Placeholder for a reference to a picture that the steps do not contain."""
ERRORS = {"invalid_arguments": "parsing", "unreadable": "parsing"}
"""Inspect's error types for refused calls; Inspect has no type for other reasons."""


def as_messages(inspect: SimpleNamespace, episode: Trajectory) -> list[Any]:
    """Return the recorded messages. If no messages were recorded, build them from prompt and steps, one message per
    call."""
    return list((_recorded if episode.messages else _made)(inspect, episode))


def said_last(episode: Trajectory) -> str:
    """Return the text of the model's last message, or "" if the model wrote none."""
    played = episode.messages[episode.opened :]
    spoken = [each for each in played if each["role"] == "assistant"]
    return _text(spoken[-1].get("content") if spoken else episode.final_message)


def usage_of(inspect: SimpleNamespace, episode: Trajectory) -> Any:
    """Return the sum of tokens over all turns, or None if the server did not count tokens."""
    counted = [turn["usage"] for turn in episode.turns if turn.get("usage")]
    if not counted:
        return None
    names = ("input_tokens", "output_tokens", "cached_tokens", "reasoning_tokens")
    read, written, cached, thought = (sum(c.get(n, 0) for c in counted) for n in names)
    return inspect.ModelUsage(
        input_tokens=read - cached,  # Inspect's count excludes cached tokens
        output_tokens=written,
        total_tokens=read + written,
        input_tokens_cache_read=cached or None,
        reasoning_tokens=thought or None,
    )


def _recorded(inspect: SimpleNamespace, episode: Trajectory) -> Iterator[Any]:
    opened, played = episode.messages[: episode.opened], episode.messages[episode.opened :]
    answers = sum(message["role"] == "tool" for message in played)
    # If a call took several steps, the record does not say which step a message belongs to.
    steps = iter(episode.steps if answers == len(episode.steps) else ())
    yield from _told(inspect, episode, opened, iter(()))
    yield from _told(inspect, episode, played, steps)


def _told(
    inspect: SimpleNamespace,
    episode: Trajectory,
    messages: Sequence[Mapping[str, Any]],
    steps: Iterator[Step],
) -> Iterator[Any]:
    names: dict[str, str] = {}
    for message in messages:
        role, content = message["role"], message.get("content")
        if role == "assistant":
            calls = [_call(inspect, each) for each in message.get("tool_calls") or ()]
            names |= {call.id: call.function for call in calls}
            yield _spoken(inspect, episode.model, message, calls)
        elif role == "tool":
            call = message.get("tool_call_id")
            shown = _parts(inspect, content, episode.steps)
            yield _answer(inspect, call, names.get(call or ""), shown, next(steps, None))
        else:
            yield _opened(inspect, role, _parts(inspect, content, episode.steps))


def _made(inspect: SimpleNamespace, episode: Trajectory) -> Iterator[Any]:
    yield from _told(inspect, episode, episode.prompt, iter(()))
    for number, step in enumerate(episode.steps):
        call = _called(inspect, f"c{number:08d}", step.tool, step.arguments)
        yield inspect.ChatMessageAssistant(content="", tool_calls=[call], model=episode.model)
        shown = [
            inspect.ContentImage(image=as_address(block))
            if block.get("type") == "image"
            else inspect.ContentText(text=str(block.get("text", "")))
            for block in step.observation
        ]
        yield _answer(inspect, call.id, step.tool, _joined(shown), step)
    if last := _text(episode.final_message):
        yield inspect.ChatMessageAssistant(content=last, model=episode.model)


def _opened(inspect: SimpleNamespace, role: str, content: Any) -> Any:
    kind = inspect.ChatMessageSystem if role in ("system", "developer") else inspect.ChatMessageUser
    return kind(content=content)


def _spoken(
    inspect: SimpleNamespace, model: str, message: Mapping[str, Any], calls: Sequence[Any]
) -> Any:
    """Return the model's message, with its reasoning before its text."""
    said = _text(message.get("content"))
    thoughts = [
        inspect.ContentReasoning(reasoning=thought if isinstance(thought, str) else _json(thought))
        for name in REASONING
        if (thought := message.get(name))
    ]
    content = [*thoughts[:1], inspect.ContentText(text=said)] if thoughts else said
    return inspect.ChatMessageAssistant(content=content, tool_calls=[*calls] or None, model=model)


def _call(inspect: SimpleNamespace, call: Mapping[str, Any]) -> Any:
    function = call["function"]
    return _called(inspect, call["id"], function["name"], function["arguments"])


def _called(inspect: SimpleNamespace, identity: str, tool: str, arguments: Any) -> Any:
    given = read_arguments(arguments)
    wrong = "the arguments are not a JSON object" if UNPARSED in given else None
    return inspect.ToolCall(id=identity, function=tool, arguments=given, parse_error=wrong)


def _answer(
    inspect: SimpleNamespace, call: str | None, tool: str | None, content: Any, step: Step | None
) -> Any:
    error = None
    if step and step.error:
        kind = ERRORS.get(step.error, "unknown")
        error = inspect.ToolCallError(type=kind, message=f"{step.error}: {step.text}")
    return inspect.ChatMessageTool(content=content, tool_call_id=call, function=tool, error=error)


def _parts(inspect: SimpleNamespace, content: Any, steps: Sequence[Step]) -> Any:
    """Return the content of a message: text, or a list of texts and pictures."""
    if not isinstance(content, list):
        return content if isinstance(content, str) else ""
    parts, seen = [], 0
    for part in content:
        if part.get("type") != "image_url":
            parts.append(inspect.ContentText(text=str(part.get("text", ""))))
            continue
        try:
            address = picture_at(part["image_url"]["url"], steps, seen)
        except LookupError:
            parts.append(inspect.ContentText(text=LOST))
        else:
            parts.append(inspect.ContentImage(image=address))
        seen += 1
    return _joined(parts)


def _joined(parts: list[Any]) -> Any:
    """Return the parts of a message, or a single string if all parts are text."""
    if any(part.type != "text" for part in parts):
        return parts
    return "\n".join(part.text for part in parts)


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "".join(part.get("text") or "" for part in content if isinstance(part, Mapping))
    return content if isinstance(content, str) else ""


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
