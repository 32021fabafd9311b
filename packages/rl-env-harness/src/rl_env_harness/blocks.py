"""Observations as blocks of text and pictures. `skill-tools render` overwrites this file."""

import json
from base64 import b64encode
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
    """Return a tool's result (a text, a picture, an object or a list of them) as blocks.

    Raises WrongResult for anything else, and for more than MOST_BYTES.
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


def as_opening(result: Any) -> str:
    """Return the result of `observe()` as text. Raises the errors of `as_blocks`."""
    text = clean(returned.as_text(result, "text"))
    _refuse_large(text)
    return text


def _refuse_large(*texts: str) -> None:
    """Raise WrongResult if the texts of one observation have more than MOST_BYTES as JSON."""
    if sum(map(len, texts)) * _LONGEST <= MOST_BYTES:
        return
    size = sum(len(json.dumps(text)) for text in texts)
    if size > MOST_BYTES:
        raise returned.WrongResult(
            f"the observation has {size:,} bytes as JSON, and the maximum is {MOST_BYTES:,}; "
            "return a part, and let the agent ask for the rest"
        )


def ended_by(blocks: list[dict[str, Any]], line: str) -> list[dict[str, Any]]:
    """Append a line to the last block: within it, because some clients show only one block."""
    *before, last = blocks or as_blocks("")
    if not line or last["type"] != "text":
        return [*blocks, *(as_blocks(line) if line else [])]
    return [*before, *as_blocks("\n".join(filter(None, [last["text"], line])))]
