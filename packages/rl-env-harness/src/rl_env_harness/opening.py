"""The opening messages of an episode: prompts, earlier messages and pictures. `skill-tools render` overwrites
this file.

A message is in the format of OpenAI's chat API. Its content is a text, or a list of parts if the domain shows
pictures.
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from . import env_spec
from .arguments import clean, clean_all
from .blocks import as_text, content_of

_PLACEHOLDER = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")
_OBSERVATION = "{observation}"
_ROLES = ("user", "assistant", "tool", "system")


class WrongHistory(ValueError):
    """Raised when a task's earlier messages are not in the format of OpenAI's chat API."""


def prompt(
    task: dict[str, Any], history: list[dict[str, Any]], observation: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Return the opening messages. A placeholder is filled once, and the text that fills it is not searched again."""
    fields = {k: clean(str(v)) for k, v in task.items() if k not in env_spec.HIDDEN_FIELDS}
    fields["observation"] = clean(as_text(observation))

    def fill(text: str) -> str:
        return filled(text, fields)

    first = fill(env_spec.SYSTEM_PROMPT)
    system = [{"role": "system", "content": first}] if env_spec.SYSTEM_PROMPT else []
    shown = any(block["type"] == "image" for block in observation)
    user = _parts(observation, fill) if shown else fill(env_spec.USER_PROMPT)
    return [*system, *history, {"role": "user", "content": user}]


def filled(text: str, fields: Mapping[str, str]) -> str:
    """Return a text with its placeholders filled in. A placeholder that names no field stays unchanged."""
    return _PLACEHOLDER.sub(lambda match: fields.get(match[1], match[0]), text)


def _parts(
    observation: list[dict[str, Any]], fill: Callable[[str], str]
) -> str | list[dict[str, Any]]:
    """Return the user prompt as parts, with pictures at the places at which the observation shows them."""
    before, *after = map(fill, env_spec.USER_PROMPT.split(_OBSERVATION))
    blocks = [{"type": "text", "text": before}]
    for text in after:
        for number, block in enumerate([*observation, {"type": "text", "text": text}]):
            if block["type"] == blocks[-1]["type"] == "text":
                inside = 0 < number < len(observation)  # two texts of the domain's
                joined = ("\n" if inside else "").join([blocks[-1]["text"], block["text"]])
                blocks[-1] = {"type": "text", "text": joined}
            else:
                blocks.append(block)
    return content_of([b for b in blocks if b["type"] == "image" or b["text"].strip()])


def history_of(task: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the earlier messages that a task holds. Raise WrongHistory, with the position of the wrong message."""
    if env_spec.HISTORY is None:
        return []
    given = task.get(env_spec.HISTORY)
    if not isinstance(given, list):
        raise WrongHistory(f"it is {_named(given)}, and must be a list of messages")
    messages: list[dict[str, Any]] = []
    open_calls: list[str] = []
    for at, message in enumerate(given):
        try:
            messages.append(_message(message, open_calls))
        except WrongHistory as error:
            raise WrongHistory(f"message {at}: {error}") from error
    if open_calls:
        raise WrongHistory(f"the call {open_calls[0]!r} has no result")
    return messages


def _message(message: Any, open_calls: list[str]) -> dict[str, Any]:
    """Return an earlier message in a uniform format.

    Args:
        open_calls: The ids of calls without a result so far, which this function updates.
    """
    if not isinstance(message, dict):
        raise WrongHistory(f"it is {_named(message)}, and must be an object")
    role, content = message.get("role"), message.get("content")
    calls = message.get("tool_calls") or []
    more = {"assistant": ["tool_calls"], "tool": ["tool_call_id"]}.get(str(role), [])
    if role not in _ROLES:
        raise WrongHistory(f"the role is {_named(role)}, and must be one of {', '.join(_ROLES)}")
    if odd := sorted(message.keys() - {"role", "content", *more}):
        raise WrongHistory(f"the role {role} has no {odd[0]!r}")
    if not isinstance(content, str) and not (content is None and calls):
        raise WrongHistory(f"the content is {_named(content)}, and must be a text")
    found: dict[str, Any] = {"role": role, "content": content or ""}
    if role == "tool":
        answered = message.get("tool_call_id")
        if answered not in open_calls:
            raise WrongHistory(f"no call before it has the tool_call_id {_named(answered)}")
        open_calls.remove(answered)
        return clean_all({**found, "tool_call_id": answered})
    if open_calls:
        raise WrongHistory(f"the call {open_calls[0]!r} before it has no result")
    if not isinstance(calls, list):
        raise WrongHistory(f"tool_calls is {_named(calls)}, and must be a list")
    found |= {"tool_calls": [_call(call) for call in calls]} if calls else {}
    open_calls += [call["id"] for call in found.get("tool_calls", ())]
    return clean_all(found)


def _call(call: Any) -> dict[str, Any]:
    made = call if isinstance(call, dict) else {}
    function = made["function"] if isinstance(made.get("function"), dict) else {}
    name = function.get("name")
    if not name or not isinstance(name, str) or not isinstance(made.get("id"), str):
        form = '{"id": …, "type": "function", "function": {"name": …, "arguments": …}}'
        raise WrongHistory(f"a call is {_named(call)}, and must be {form}")
    arguments = function.get("arguments")
    try:
        read = json.loads(arguments) if isinstance(arguments, str) else arguments
    except ValueError:
        read = None
    if not isinstance(read, dict):
        raise WrongHistory(f"the arguments of {name} are not a JSON object: {_named(arguments)}")
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return {"id": made["id"], "type": "function", "function": {"name": name, "arguments": text}}


def _named(value: Any) -> str:
    text = repr(value)
    return "missing" if value is None else text if len(text) <= 80 else f"{text[:80]}…"
