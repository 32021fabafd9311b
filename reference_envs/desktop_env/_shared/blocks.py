"""What a model is shown, as blocks of text and pictures. `skill-tools render` overwrites this file."""

from base64 import b64encode
from typing import Any

from .arguments import clean

NO_IMAGE = "[an image that this framework cannot carry]"
"""What a model is told where only text reaches it."""
PNG = "image/png"
"""The media type of a picture that begins as none of `_KINDS` does."""
_KINDS = {b"\xff\xd8": "image/jpeg", b"RI": "image/webp"}
"""Media types by the first two bytes of a file; a WebP file begins with RIFF."""


def as_text(blocks: list[dict[str, Any]], image: str = NO_IMAGE) -> str:
    """Observation blocks as plain text, with a note in the place of each image."""
    return "\n".join(block["text"] if block["type"] == "text" else image for block in blocks)


def as_blocks(result: Any) -> list[dict[str, Any]]:
    """What a tool returns, a text, a picture or a list of both, as blocks."""
    parts = result if isinstance(result, list | tuple) else [result]
    return [
        {"type": "image", "media_type": _KINDS.get(part[:2], PNG), "data": b64encode(part).decode()}
        if isinstance(part, bytes)
        else {"type": "text", "text": clean(str(part))}
        for part in parts
    ]


def ended_by(blocks: list[dict[str, Any]], line: str) -> list[dict[str, Any]]:
    """Blocks of which the last ends with a line: within it, since some clients show only one."""
    *before, last = blocks or as_blocks("")
    if not line or last["type"] != "text":
        return [*blocks, *(as_blocks(line) if line else [])]
    return [*before, *as_blocks("\n".join(filter(None, [last["text"], line])))]
