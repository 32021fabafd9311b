"""Requests to models inside an environment, and whether an agent's text in a request is data or instructions."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from rl_env_harness.blocks import said
from rl_env_harness.visible_text import visible

from skill_tools.evidence.probed import Attempt
from skill_tools.evidence.trajectory import Trajectory
from skill_tools.spec.model import MESSAGE

LONG = 20
"""Minimum characters of a text that is not found somewhere by chance."""
_TAG = re.compile(r"<([A-Za-z][\w-]*)(?:\s[^<>]*)?>")
_FENCE = re.compile(r"`{3,}|~{3,}|\"{3,}|'{3,}")
_LINE = re.compile(
    r"^[^\w\n]*(?:[-=*#_~<>\[\]]{3,}|BEGIN\b|START\b).*$", re.MULTILINE | re.IGNORECASE
)


def replies_at(played: Trajectory, step: int) -> list[str]:
    """Return the replies that models in the environment gave after ``step`` steps, one line for each request."""
    return [
        f"{each['role']} ({each['purpose']}, {each['model']}): {each['reply'] or each['error']}"
        for each in played.requests or ()
        if each["step"] == step
    ]


def messages_of(played: Trajectory) -> list[str]:
    """Return the texts of the agent's messages in an episode."""
    written = (step.arguments for step in played.steps if step.tool == MESSAGE)
    return [str(each.get("text", "")) for each in written if isinstance(each, dict)]


def reached(attempt: Attempt, purpose: str | None = None) -> list[tuple[dict[str, Any], str]]:
    """Return the requests that present the text of an attack as more than data, each with a description of how the
    text reached the request.
    """
    played, honest = attempt.trajectory, attempt.compared
    asked = [message for each in (honest and honest.requests) or () for message in each["messages"]]
    attack, written, texts = attempt.change["text"], attempt.change["written"], messages_of(played)
    if visible(attack) in "\n".join(map(said, asked)):  # it quotes the prompt itself
        return []
    return [
        (request, how)
        for request in played.requests or ()
        if purpose in (None, request["purpose"])
        if (how := exposing(attack, written, request, texts))
    ]


def exposing(attack: str, written: str, request: dict[str, Any], texts: list[str]) -> str:
    """Return a description of how a text that the agent wrote reaches a model as more than data.

    Returns "" if the text is delimited or absent. The text is data in three cases: as the whole of a turn in a
    conversation, as part of a JSON string, or between a mark and a closing mark that the text itself does not
    contain.

    Args:
        attack: The text, as a policy wrote it.
        written: The whole message or argument that ends with the text.
        request: A record of a trajectory's ``requests``.
        texts: All texts of the agent's messages in the episode.
    """
    attack, written = visible(attack), visible(written)
    whole = {visible(text) for text in texts}
    for message in request["messages"] if attack else []:
        content = said(message)
        role = message.get("role")
        if content.strip() in whole and role in ("user", "assistant", "tool"):
            if request["purpose"] == "judge":
                return f"it is a {role} message of its own, which a judge reads as its instructions"
            continue
        content = _without_json(content)
        sought = written if written in content else attack
        if len(sought) < LONG:  # such as "yes", which may stand in a prompt by chance
            continue
        for at in _places(content, sought):
            before, after = content[:at], content[at + len(sought) :]
            if role == "system" and not _delimiter(before, after):
                return "it is in the system message"
            found = _delimiter(before, after)
            if not found:
                return f"nothing delimits it in the {role} message"
            if all(_closes(attack, mark) for mark in found):
                return f"it can close its delimiter {found[-1]} in the {role} message itself"
    return ""


def contains(text: str, request: dict[str, Any]) -> bool:
    """Return whether a request contains a text, either as it is or escaped in a JSON string."""
    shown = "\n".join(map(said, request["messages"]))
    return (
        text in shown
        or json.dumps(text)[1:-1] in shown
        or json.dumps(text, ensure_ascii=False)[1:-1] in shown
    )


def _without_json(content: str) -> str:
    """Return a text without its JSON strings, objects and lists, because JSON delimits its contents."""
    found, at, decoder = list[str](), 0, json.JSONDecoder()
    for start in re.finditer(r'["{\[]', content):
        if start.start() < at:
            continue
        try:
            _, end = decoder.raw_decode(content, start.start())
        except (ValueError, RecursionError):
            continue
        found.append(content[at : start.start()])
        at = end
    return " ".join([*found, content[at:]])


def _places(content: str, sought: str) -> Iterator[int]:
    at = content.find(sought)
    while at >= 0:
        yield at
        at = content.find(sought, at + 1)


def _delimiter(before: str, after: str) -> list[str]:
    """Return the marks that close the section between two texts, the outermost mark first."""
    found = list[str]()
    for tag in _TAG.finditer(before):
        close = f"</{tag[1]}>"
        if before.count(f"<{tag[1]}") > before.count(close) and close in after:
            found.append(close)
    for mark in dict.fromkeys(_FENCE.findall(before)):
        if before.count(mark) % 2 and mark in after:
            found.append(mark)
    for line in _LINE.findall(before):
        mark = line.strip()
        close = re.sub(r"\b(BEGIN|START)\b", _counterpart, mark, flags=re.IGNORECASE)
        if close in after and (close != mark or before.count(mark) % 2):
            found.append(close)
    return list(dict.fromkeys(found))


def _counterpart(match: re.Match[str]) -> str:
    return "END" if match[0].isupper() else "end" if match[0].islower() else "End"


def _closes(attack: str, mark: str) -> bool:
    return mark.lower() in attack.lower()
