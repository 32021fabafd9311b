"""Messages in TRL's format: pictures as PIL images, and the arguments of calls as objects."""

from __future__ import annotations

import importlib
import json
from base64 import b64decode
from io import BytesIO
from typing import Any

from ..blocks import blocks_of


def rows(given: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return rows with prompts in TRL's format. If one row has `images`, all rows have the column."""
    found = [{**row, **columns(row["prompt"])} for row in given]
    shown = any("images" in row for row in found)
    return [{"images": [], **row} for row in found] if shown else found


def columns(messages: list[dict[str, Any]]) -> dict[str, Any]:
    """Return messages as the column `prompt` of a row, with `images` if they have pictures.

    Chat templates read the arguments of earlier calls as objects, not as text.
    """
    contents = [blocks_of(message["content"]) for message in messages]
    images = [part(b)["image"] for blocks in contents for b in blocks if b["type"] == "image"]
    prompt = []
    for message, blocks in zip(messages, contents, strict=True):
        changed = dict(message)
        if calls := message.get("tool_calls"):
            changed["tool_calls"] = [
                {**call, "function": _read(call["function"])} for call in calls
            ]
        if images:  # TRL adds them to the first content that is a plain text
            changed["content"] = [b if b["type"] == "text" else {"type": "image"} for b in blocks]
        prompt.append(changed)
    return {"prompt": prompt, **({"images": images} if images else {})}


def part(block: dict[str, Any]) -> dict[str, Any]:
    """Return an observation block as a part of a message's content in TRL's format."""
    if block["type"] == "text":
        return block
    image = importlib.import_module("PIL.Image")  # only where there are pictures
    return {"type": "image", "image": image.open(BytesIO(b64decode(block["data"])))}


def _read(function: dict[str, Any]) -> dict[str, Any]:
    return {**function, "arguments": json.loads(function["arguments"])}
