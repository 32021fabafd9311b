"""Results as a model sees them: short enough to read, with a note about each part that was cut.

Text is `str` and an image is PNG `bytes`, the two types that a domain's tool may return.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping
from typing import Any

from . import CellResult, CommandResult

TEXT_LIMIT = 6000
"""Maximum characters of a cell's or command's text, also for a single output."""
ERROR_LIMIT = 3000
"""Maximum characters of a traceback."""
NOTE = 40
"""Maximum characters of the note about the cut part."""
IMAGES = 4
"""Maximum images of one cell."""
IMAGE_LIMIT = 1_000_000
"""Maximum bytes of one image."""

_PNG = b"\x89PNG\r\n\x1a\n"
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")
_RULER = re.compile(r"-{20,}\n")
_TEXTS = ("text/plain", "text/markdown", "text/latex", "application/json", "text/html")


def cell(result: CellResult, limit: int = TEXT_LIMIT) -> list[str | bytes]:
    """Return a cell's outputs in order, as texts and images, followed by the cell's note, if any.

    All text together (printed, displayed and raised) has at most `limit` characters. The list has at least one
    part.
    """
    parts: list[str | bytes] = []
    pictures = 0
    for output in result.outputs:
        part: str | bytes = _picture(output) or _text(output)
        if isinstance(part, bytes):
            pictures += 1
            if pictures > IMAGES:
                continue
        _add(parts, part)
    if pictures > IMAGES:
        _add(parts, f"[{pictures - IMAGES} more images were left out: a cell shows {IMAGES}]")
    parts = _fitted(parts, limit)
    if result.note:
        _add(parts, f"[{result.note}]")
    return parts or ["[no output]"]


def command(result: CommandResult, limit: int = TEXT_LIMIT) -> str:
    """Return a command's output. If the command did not succeed, add how it ended."""
    parts = [clip(plain(result.output), limit)]
    if result.exit_code:
        parts.append(f"[exit code {result.exit_code}]")
    if result.note:
        parts.append(f"[{result.note}]")
    return "\n".join(filter(None, parts)) or "[no output]"


def clip(text: str, limit: int) -> str:
    """Return text of at most `limit` characters.

    Text that is too long keeps its beginning and its end, with a note between them.
    """
    if len(text) <= limit:
        return text
    room = max(0, limit - NOTE)
    head, tail = text[: room * 2 // 3], text[len(text) - room // 3 :]
    # Whole lines, unless lines are too long for that.
    if (end := head.rfind("\n")) > room // 3:
        head = head[:end]
    if -1 < (start := tail.find("\n")) < room // 6:
        tail = tail[start + 1 :]
    cut = len(text) - len(head) - len(tail)
    return f"{head}\n[... {cut} characters cut ...]\n{tail}"


def plain(text: str) -> str:
    """Return text as a terminal shows it: without colors, and with only the last version of rewritten lines."""
    text = _ESCAPES.sub("", text).replace("\r\n", "\n")
    if "\r" in text:
        lines = (line.rstrip("\r").rpartition("\r")[2] for line in text.split("\n"))
        text = "\n".join(lines)
    return text.rstrip("\n")


def _add(parts: list[str | bytes], part: str | bytes) -> None:
    """Add a part of the shown result. Text that follows other text is appended to that text."""
    if isinstance(part, str) and parts and isinstance(parts[-1], str):
        parts[-1] = f"{parts[-1]}\n{part}" if part else parts[-1]
    elif part:
        parts.append(part)


def _fitted(parts: list[str | bytes], limit: int) -> list[str | bytes]:
    """Return a result's parts. If the texts together are too long, cut each text in proportion to its length."""
    total = sum(len(part) for part in parts if isinstance(part, str))
    if total <= limit:
        return parts
    return [
        clip(part, max(200, limit * len(part) // total)) if isinstance(part, str) else part
        for part in parts
    ]


def _picture(output: Mapping[str, Any]) -> bytes | str:
    """Return an output's image, a note why the image is not shown, or "" if there is no image."""
    data = output.get("data") or {}
    if "image/png" in data:
        try:
            image = base64.b64decode(data["image/png"])
        except (binascii.Error, TypeError, ValueError):
            return "[an image that is not PNG]"
        if not image.startswith(_PNG):
            return "[an image that is not PNG]"
        if len(image) > IMAGE_LIMIT:
            size = f"{len(image) / 1e6:.1f} MB"
            return f"[an image of {size} was left out: at most {IMAGE_LIMIT / 1e6:g} MB is shown]"
        return image
    if kinds := [kind for kind in data if kind.startswith("image/")]:
        return f"[an image as {kinds[0]} was left out: only PNG is shown]"
    return ""


def _text(output: Mapping[str, Any]) -> str:
    kind = output.get("output_type")
    if kind == "stream":
        return clip(plain(str(output.get("text", ""))), TEXT_LIMIT)
    if kind == "error":
        name = f"{output.get('ename', 'error')}: {output.get('evalue', '')}"
        text = plain("\n".join(output.get("traceback") or ())) or name
        return clip(_RULER.sub("", text, count=1), ERROR_LIMIT)
    data = output.get("data") or {}
    shown = next((data[form] for form in _TEXTS if form in data), "")
    return clip(plain(str(shown)), TEXT_LIMIT)
