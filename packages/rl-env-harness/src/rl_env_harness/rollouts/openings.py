"""Opening messages for frameworks that do not support every part of a chat, such as roles, pictures or calls."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any
from xml.sax.saxutils import escape

from ..blocks import NO_IMAGE, said

Messages = Sequence[Mapping[str, Any]]
THE_TOOLS = "{tools}"
"""A placeholder in the instructions for an episode's tools, as JSON, if tasks offer different tools."""


def in_text(
    messages: Messages,
    instructions: str,
    tags: Mapping[str, str],
    enclosed: Mapping[str, str],
    tools: Sequence[Mapping[str, Any]],
) -> list[dict[str, Any]]:
    """Return opening messages for a model whose actions are text, with instructions in the system message.

    Earlier calls become text, and their results become user messages, as in the rest of the episode.
    Without tools no instructions are needed, because every message is an action.

    Args:
        tags: The tag of each tool.
        enclosed: The parameter that each tool's tag encloses.
        tools: The episode's tools. If tasks offer different tools, the instructions list these in place of
            THE_TOOLS.
    """
    found: list[dict[str, Any]] = []
    results: list[str] = []
    for message, after in zip(messages, [*messages[1:], None], strict=True):
        if message.get("role") == "tool":
            results.append(said(message))
            if after is None or after.get("role") != "tool":
                found.append({"role": "user", "content": numbered(results)})
                results = []
        elif calls := message.get("tool_calls"):
            written = [written_call(call["function"], tags, enclosed) for call in calls]
            texts = filter(None, [message["content"], *written])
            found.append({"role": message["role"], "content": "\n".join(texts)})
        else:
            found.append(dict(message))
    if not instructions:
        return found
    listed = "\n".join(json.dumps(tool, ensure_ascii=False) for tool in tools)
    instructions = instructions.replace(THE_TOOLS, listed, 1)
    if found and found[0].get("role") == "system":
        first, *rest = found
        return [{**first, "content": f"{first['content'].rstrip()}\n\n{instructions}"}, *rest]
    return [{"role": "system", "content": instructions}, *found]


def apart(prompt: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], str | None]:
    """Return the messages before the last message, and the text of the last message.

    If the last message has pictures, return all messages and None.
    """
    *before, last = prompt
    return (before, last["content"]) if isinstance(last["content"], str) else (prompt, None)


def numbered(texts: Sequence[str]) -> str:
    """Return the results of a message's calls as one text, with a number before each result if there are several."""
    if len(texts) > 1:
        texts = [f"[{number}] {text}" for number, text in enumerate(texts, 1)]
    return "\n\n".join(texts)


def in_one_text(messages: Messages) -> str:
    """Return opening messages as one text, for a framework without roles and pictures.

    If there is an assistant message, every message except the system message begins with its role.
    """
    spoke = any(message.get("role") == "assistant" for message in messages)
    texts = [
        f"[{message['role']}]\n{said(message, NO_IMAGE)}"
        if spoke and message.get("role") != "system"
        else said(message, NO_IMAGE)
        for message in messages
    ]
    return "\n\n".join(texts)


def written_call(
    function: Mapping[str, Any], tags: Mapping[str, str], enclosed: Mapping[str, str]
) -> str:
    """Return a call as text: as its tool's tag, or as JSON if the tag cannot express the call."""
    name, arguments = function["name"], json.loads(function["arguments"])
    attributes, tag = dict(arguments), tags.get(name)
    content = attributes.pop(enclosed.get(name), None)
    fits = isinstance(content, str | None) and (content or "") == (content or "").strip()
    if not tag or not fits or not all(isinstance(v, _PLAIN) for v in attributes.values()):
        call = json.dumps({"name": name, "arguments": arguments})
        return f"<tool_call>{call.replace('<', chr(92) + 'u003c')}</tool_call>"
    text = "".join(f' {key}="{_attribute(value)}"' for key, value in attributes.items())
    if content is None:
        return f"<{tag}{text}/>"
    if re.search(rf"</?{re.escape(tag)}[\s/>]", content, re.IGNORECASE):
        return written_call(function, {}, {})
    return f"<{tag}{text}>{content}</{tag}>"


_PLAIN = (str, int, float)


def _attribute(value: Any) -> str:
    return escape(value if isinstance(value, str) else json.dumps(value), {'"': "&quot;"})
