"""A trajectory's conversation as chat messages for training, including pictures."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal

from rl_env_harness.arguments import UNPARSED, read_arguments
from rl_env_harness.models.conversation import FOLLOWS
from rl_env_harness.models.replies import REASONING

from skill_tools.evidence.images.references import as_address, picture_at
from skill_tools.evidence.trajectory import Step, Trajectory
from skill_tools.frameworks import FRAMEWORKS

Message = dict[str, Any]
ArgumentsForm = Literal["object", "text"]
"""The form of a call's arguments: a JSON object, or its text."""


class Unfit(ValueError):
    """Raised with the reason why a conversation is unfit for training."""


def conversation(trajectory: Trajectory, arguments: ArgumentsForm = "object") -> list[Message]:
    """Return the messages in OpenAI's chat format, up to the model's last message.

    Raises Unfit if the model sent no message, if arguments are not a JSON object, or if a picture is missing. Messages
    that were not recorded are built from prompt and steps, one per call; with text actions, as `<tool_call>` tags.
    """
    messages = _recorded(trajectory) if trajectory.messages else _made(trajectory)
    if arguments == "object":
        for message in messages:
            for call in message.get("tool_calls") or ():
                call["function"]["arguments"] = json.loads(call["function"]["arguments"])
    while messages and not _says_something(messages[-1]):
        messages.pop()
    if not any(message["role"] == "assistant" for message in messages[trajectory.opened :]):
        raise Unfit("no message from the model")
    return messages


def acts_in_text(trajectory: Trajectory) -> bool:
    """Return whether the model acted through text that the environment parsed, rather than through tool calls."""
    framework = FRAMEWORKS.get(trajectory.framework)
    return framework is not None and framework.actions == "text"


def _says_something(message: Message) -> bool:
    """Return whether a message is a non-empty message of the model. Messages after the last such message teach
    nothing."""
    said = bool(message.get("content") or message.get("tool_calls"))
    return message["role"] == "assistant" and said


def _recorded(trajectory: Trajectory) -> list[Message]:
    messages: list[Message] = []
    pictures: list[Message] = []
    for message in trajectory.messages:
        if message["role"] != "tool":
            messages += _shown(pictures)
            pictures = []
        if message["role"] == "assistant":
            messages.append(_said(message))
        elif message["role"] == "tool":
            text, images = _split(message["content"], trajectory.steps)
            pictures += images
            messages.append({**message, "content": text or (FOLLOWS if images else "")})
        else:
            messages.append({**message, "content": _whole(message["content"], trajectory.steps)})
    return messages + _shown(pictures)


def _said(message: Message) -> Message:
    """Return the model's message with text, reasoning and calls, but without the server's signatures."""
    calls = [_call(call) for call in message.get("tool_calls") or ()]
    thoughts = {name: message[name] for name in REASONING if message.get(name)}
    said = {"role": "assistant", "content": message.get("content") or "", **thoughts}
    return {**said, "tool_calls": calls} if calls else said


def _call(call: Mapping[str, Any]) -> Message:
    function = call["function"]
    made = {"name": function["name"], "arguments": as_object(function["arguments"])}
    return {"id": call["id"], "type": "function", "function": made}


def as_object(arguments: Any) -> str:
    """Return arguments as a JSON object's text, unchanged if they already are. Raises Unfit if they are no object."""
    read = read_arguments(arguments)
    if UNPARSED in read:
        raise Unfit("a call whose arguments are not a JSON object")
    try:
        strict = isinstance(arguments, str) and json.loads(arguments) == read
    except ValueError:  # such as line breaks within strings, which other parsers refuse
        strict = False
    return arguments if strict else json.dumps(read, ensure_ascii=False)


def _made(trajectory: Trajectory) -> list[Message]:
    messages: list[Message] = [
        _said(message) if message["role"] == "assistant" else dict(message)
        for message in trajectory.prompt
    ]
    for number, step in enumerate(trajectory.steps):
        said = as_object(step.arguments)
        if acts_in_text(trajectory):
            # The text must not close the tag; JSON allows a backslash before a slash.
            call = json.dumps(
                {"name": step.tool, "arguments": json.loads(said)}, ensure_ascii=False
            )
            call = call.replace("</", "<\\/")
            messages.append({"role": "assistant", "content": f"<tool_call>{call}</tool_call>"})
            messages.append({"role": "user", "content": step.text})
            continue
        made = f"c{number:08d}"
        function = {"name": step.tool, "arguments": said}
        called = [{"id": made, "type": "function", "function": function}]
        messages.append({"role": "assistant", "content": "", "tool_calls": called})
        texts = [block["text"] for block in step.observation if block["type"] == "text"]
        images = [_image(block) for block in step.observation if block["type"] == "image"]
        seen = "\n".join(texts) or (FOLLOWS if images else "")
        messages.append({"role": "tool", "tool_call_id": made, "content": seen})
        messages += _shown(images)
    if last := _text(trajectory.final_message):
        messages.append({"role": "assistant", "content": last})
    return messages


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "".join(part.get("text") or "" for part in content if isinstance(part, Mapping))
    return content if isinstance(content, str) else ""


def _shown(images: list[Message]) -> list[Message]:
    """Return pictures as a user message, as the model received them, because tool messages contain only text."""
    return [{"role": "user", "content": images}] if images else []


def _split(content: Any, steps: list[Step]) -> tuple[str, list[Message]]:
    if isinstance(content, str):
        return content, []
    parts = _whole(content, steps)
    text = "\n".join(part["text"] for part in parts if part["type"] == "text")
    return text, [part for part in parts if part["type"] != "text"]


def _whole(content: Any, steps: list[Step]) -> Any:
    """Return a message's content with pictures instead of references. Raises Unfit if a picture is missing."""
    if not isinstance(content, list):
        return content
    parts, seen = [], 0
    for part in content:
        if part.get("type") != "image_url":
            parts.append(part)
            continue
        parts.append(_found(part["image_url"]["url"], steps, seen))
        seen += 1
    return parts


def _found(url: str, steps: list[Step], number: int) -> Message:
    """Return the picture to which a reference points.

    For a reference to a whole observation, ``number`` selects the observation's picture.
    """
    try:
        return _shows(picture_at(url, steps, number))
    except LookupError as error:
        raise Unfit("a picture that is missing from its steps") from error


def _image(block: Mapping[str, Any]) -> Message:
    return _shows(as_address(block))


def _shows(address: str) -> Message:
    return {"type": "image_url", "image_url": {"url": address}}
