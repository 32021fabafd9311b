"""Observations as blocks of text and pictures. `skill-tools render` overwrites this file."""

import json
from base64 import b64encode
from collections.abc import Mapping
from typing import Any

from . import returned
from .arguments import clean

NO_IMAGE = "[an image that this framework cannot carry]"
"""The text for a model in place of a picture, if its framework carries only text."""
MOST_BYTES = 8_000_000
"""Maximum bytes of one observation as JSON: as many as the messages of every framework can carry."""
_LONGEST = 12
"""Bytes that the longest character takes as JSON."""
PNG = "image/png"
"""The media type of a picture with none of the signatures in `_KINDS`."""
_KINDS = {b"\xff\xd8": "image/jpeg", b"RI": "image/webp"}
"""Media types by the first two bytes of a file; a WebP file begins with RIFF."""


def as_text(blocks: list[dict[str, Any]], image: str = NO_IMAGE) -> str:
    """Return observation blocks as plain text, with a note in place of each image."""
    return "\n".join(block["text"] if block["type"] == "text" else image for block in blocks)


def as_blocks(result: Any) -> list[dict[str, Any]]:
    """Return a tool's result as blocks. A result is a text, a picture, an object, or a list of these.

    Raises WrongResult for anything else, and for a result of more than MOST_BYTES.
    """
    parts = result if isinstance(result, list | tuple) else [result]
    blocks = [
        {"type": "image", "media_type": _KINDS.get(part[:2], PNG), "data": b64encode(part).decode()}
        if isinstance(part, bytes)
        else {"type": "text", "text": clean(returned.as_text(part))}
        for part in parts
    ]
    _refuse_large(*(block.get("data", block.get("text", "")) for block in blocks))
    return blocks


def content_of(blocks: list[dict[str, Any]]) -> str | list[dict[str, Any]]:
    """Return blocks as the content of a chat message: a text, or a list of parts if there are pictures."""
    if all(block["type"] == "text" for block in blocks):
        return as_text(blocks)
    return [block if block["type"] == "text" else image_url(block) for block in blocks]


def blocks_of(content: Any) -> list[dict[str, Any]]:
    """Return the content of a chat message from any source as blocks."""
    parts = content if isinstance(content, list | tuple) else [content]
    return [_block(part) for part in parts if part is not None]


def said(message: Mapping[str, Any], image: str = "") -> str:
    """Return the text of a chat message and the calls that it makes, with a note for each picture."""
    calls = [call["function"] for call in message.get("tool_calls") or ()]
    written = [f"{call['name']}({call['arguments']})" for call in calls]
    return "\n".join(filter(None, [as_text(blocks_of(message.get("content")), image), *written]))


def image_url(block: dict[str, Any]) -> dict[str, Any]:
    """Return a picture as a part of a chat message."""
    url = f"data:{block['media_type']};base64,{block['data']}"
    return {"type": "image_url", "image_url": {"url": url}}


def _block(part: Any) -> dict[str, Any]:
    if not isinstance(part, Mapping):
        return {"type": "text", "text": str(part)}
    url = part.get("image_url")
    if url is None:
        return dict(part) if part.get("type") == "image" else {"type": "text", "text": _text(part)}
    kind, _, data = str(url["url"] if isinstance(url, Mapping) else url).partition(";base64,")
    return {"type": "image", "media_type": kind.removeprefix("data:"), "data": data}


def _text(part: Mapping[str, Any]) -> str:
    text = part.get("text")
    return text if isinstance(text, str) else json.dumps(part, default=str)


def _refuse_large(*texts: str) -> None:
    """Raise WrongResult if the texts of one observation take more than MOST_BYTES as JSON."""
    if sum(map(len, texts)) * _LONGEST <= MOST_BYTES:
        return
    size = sum(len(json.dumps(text)) for text in texts)
    if size > MOST_BYTES:
        raise returned.WrongResult(
            f"the observation has {size:,} bytes as JSON, and the maximum is {MOST_BYTES:,}; "
            "return a part, and let the agent ask for the rest"
        )


def ended_by(blocks: list[dict[str, Any]], line: str) -> list[dict[str, Any]]:
    """Return blocks with a line appended to the last text block, because some clients show only one block."""
    *before, last = blocks or as_blocks("")
    if not line or last["type"] != "text":
        return [*blocks, *(as_blocks(line) if line else [])]
    return [*before, *as_blocks("\n".join(filter(None, [last["text"], line])))]
