"""Episodes as data for an HTML page. A text or picture that several episodes show is stored only once."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

from rl_env_harness.blocks import said
from rl_env_harness.models.replies import REASONING

from skill_tools.evidence.trajectory import Step, Trajectory

LONGEST = 200_000
"""Maximum characters of a text on the page; a longer one would freeze the browser."""
_PLACE = re.compile(r"#/steps/(\d+)/observation(?:/(\d+))?")
_INLINE = re.compile(r"data:(image/[\w.+-]+);base64,(.*)", re.DOTALL)


class Packer:
    """Episodes packed into rows of numbers, and the values to which these numbers refer.

    Attributes:
        values: Every distinct message, observation or text, as JSON data.
        pictures: Each picture as [media type, base64]; a block of an observation refers to a picture
            as {"picture": number}.
    """

    def __init__(self) -> None:
        self.values: list[Any] = []
        self.pictures: list[tuple[str, str]] = []
        self._places: dict[str, int] = {}
        self._numbers: dict[tuple[str, str], int] = {}

    def pack(self, episode: Trajectory, level: str = "") -> dict[str, Any]:
        """Pack one episode. ``prompt``, ``steps`` and ``said`` hold indices into ``values``."""
        failure = episode.failure
        return {
            "variant": episode.framework,
            "policy": episode.model,
            "label": episode.label,
            "split": episode.split or "",
            "index": episode.index,
            "task": "" if episode.task_id is None else str(episode.task_id),
            "level": level,
            "seed": episode.seed,
            "sample": episode.sample,
            "turns": episode.max_turns,
            "return": plain(episode.total),
            "metrics": plain(episode.metrics or {}),
            "end": episode.end,
            "limit": episode.limit or "",
            "failure": self._value(
                f"{failure.kind}: {failure.message}\n{failure.log}".strip() if failure else ""
            ),
            "seconds": plain(episode.seconds),
            "final": plain(episode.final_reward),
            "prompt": [self._message(message, episode.steps) for message in episode.prompt],
            "steps": [self._step(step) for step in episode.steps],
            "said": list(self._said(episode)),
            "asked": [self._asked(request) for request in episode.requests or ()],
        }

    def _step(self, step: Step) -> list[Any]:
        blocks = [self._block(block) for block in step.observation]
        called = [self._value(plain(step.arguments)), self._value(blocks)]
        return [step.tool, *called, plain(step.reward), step.done, step.error or ""]

    def _message(self, message: Mapping[str, Any], steps: list[Step]) -> int:
        content = message.get("content")
        parts = content if isinstance(content, list) else [{"type": "text", "text": content or ""}]
        blocks = [self._part(part, steps) for part in parts]
        if calls := message.get("tool_calls"):
            blocks.append({"type": "text", "text": _short(said({"tool_calls": calls}))})
        return self._value({"role": str(message.get("role", "")), "content": blocks})

    def _part(self, part: Any, steps: list[Step]) -> dict[str, Any]:
        """Pack a part of a chat message, which may refer to the picture of a step."""
        if not isinstance(part, Mapping):
            return {"type": "text", "text": str(part)}
        url = (part.get("image_url") or {}).get("url", "") if "image_url" in part else ""
        if inline := _INLINE.fullmatch(url):
            return self._block({"type": "image", "media_type": inline[1], "data": inline[2]})
        if place := _PLACE.fullmatch(url):
            found = steps[int(place[1])].observation if int(place[1]) < len(steps) else []
            number = int(place[2] or 0)
            return self._block(found[number]) if number < len(found) else _lost(url)
        return self._block(dict(part))

    def _block(self, block: Mapping[str, Any]) -> dict[str, Any]:
        if block.get("type") == "image" and "data" in block:
            picture = (str(block.get("media_type", "image/png")), str(block["data"]))
            number = self._numbers.setdefault(picture, len(self._numbers))
            if number == len(self.pictures):
                self.pictures.append(picture)
            return {"type": "image", "picture": number}
        if "text" in block:
            return {"type": "text", "text": _short(str(block["text"]))}
        return {"type": "text", "text": _short(json.dumps(plain(dict(block)), default=str))}

    def _asked(self, request: Mapping[str, Any]) -> list[Any]:
        """Pack a request to a model inside the environment.

        The result holds the number of earlier steps, role, purpose, model, seconds, messages, reply and error.
        """
        asked = "\n\n".join(f"{m.get('role')}: {said(m)}" for m in request["messages"])
        about = [request[name] for name in ("step", "role", "purpose", "model")]
        texts = [self._value(_short(text)) for text in (asked, request["reply"] or "")]
        return [*about, plain(request.get("seconds", 0.0)), *texts, request["error"] or ""]

    def _said(self, episode: Trajectory) -> Iterable[list[Any]]:
        """Yield the model's text outside its calls, as [number of earlier steps, text, reasoning, the turn's
        record]."""
        turns = iter(episode.turns)
        before = 0
        opened = False
        for message in episode.messages[episode.opened :]:
            if message.get("role") == "assistant":
                opened = True
                turn = next(turns, {})
                usage = turn.get("usage") or {}
                thoughts = [str(message[name]) for name in REASONING if message.get(name)]
                told = [turn.get("finish_reason"), usage.get("input_tokens")]
                told += [usage.get("output_tokens"), plain(turn.get("seconds"))]
                yield [
                    min(before, len(episode.steps)),
                    self._value(_short(_text(message.get("content")))),
                    self._value(_short("\n".join(thoughts))),
                    told,
                ]
                before += len(message.get("tool_calls") or ())
            elif opened and message.get("role") == "user":
                before = _answered(_text(message.get("content")), episode.steps, before)

    def _value(self, value: Any) -> int:
        """Return the index of a value in ``values``, and add the value if it is new."""
        text = json.dumps(value, sort_keys=True, default=str)
        place = self._places.setdefault(text, len(self._places))
        if place == len(self.values):
            self.values.append(value)
        return place


def plain(value: Any) -> Any:
    """Return a value as valid JSON. NaN and infinities become strings."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if isinstance(value, str):
        return _short(value)
    return value


def _answered(text: str, steps: list[Step], before: int) -> int:
    """Return the number of steps whose results the conversation has shown up to and including this message."""
    for step in steps[before:]:
        told = [block["text"] for block in step.observation if "text" in block]
        if not all(each in text for each in told):
            break
        before += 1
        if not told:
            break  # a picture alone may belong to any step
    return before


def _text(content: Any) -> str:
    """Return the text in a message, or "" if the message has no text."""
    if isinstance(content, list):
        parts = (part.get("text") or "" for part in content if isinstance(part, Mapping))
        return "".join(map(str, parts))
    return content if isinstance(content, str) else ""


def _short(text: str) -> str:
    left = len(text) - LONGEST
    return text if left <= 0 else f"{text[:LONGEST]}\n[{left:,} more characters]"


def _lost(url: str) -> dict[str, Any]:
    return {"type": "text", "text": f"[a picture that was not saved: {url[:80]}]"}
