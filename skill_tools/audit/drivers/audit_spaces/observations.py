"""Observations and renderings of Gymnasium environments as texts and pictures.

Runs in the venv of Gymnasium or PettingZoo.
"""

from __future__ import annotations

import base64
import json
import math
import re
import struct
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np
from audit_bounds import cut, image_block, text_block

LONGEST = 800
"""Maximum characters of a description in the prompt: a paragraph, not a manual."""
LARGEST_DOC = 16_000
"""Maximum characters of a docstring to read."""
FIGURE = re.compile(r"```\{.{0,2000}?```", re.DOTALL)
"""Matches a figure in a docstring."""
TAG = re.compile(r"<[^<>\n]{1,300}>")
"""Matches an HTML tag in a docstring."""
COLOUR = re.compile(r"\x1b\[[0-9;]{0,20}[A-Za-z]")
"""Matches an escape sequence of a terminal."""
COLOURED = re.compile(r"\x1b\[[0-9;]{1,20}m([^\x1b]{1,200})\x1b\[0?m")
"""Matches a text in color or on a colored ground."""
PICTURE = (1, 3, 4)
"""Numbers of channels of a picture: grey, RGB, and RGB with transparency."""


def as_prompt(about: str, shown: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the opening message: a description, and the texts of the first observation."""
    texts = [block["text"] for block in shown if block["type"] == "text"]
    return [{"role": "user", "content": "\n\n".join(filter(None, [about, *texts]))}]


def first_paragraph(doc: str | None) -> str:
    """Return the first paragraph of prose in a docstring."""
    text = TAG.sub("", FIGURE.sub("\n\n", (doc or "")[:LARGEST_DOC]))
    lines = (line.strip() for line in text.splitlines())
    text = "\n".join("" if line.startswith(("#", "|", ":")) else line for line in lines)
    paragraphs = (" ".join(each.split()) for each in re.split(r"\n\n+", text))
    prose = (
        each for each in paragraphs if each and not each.startswith("This environment is part")
    )
    return cut(next(prose, ""), LONGEST)


def plain(value: Any) -> Any:
    """Return a value of a space as JSON data: arrays as lists, scalars as numbers, floats exactly."""
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, Mapping):
        return {str(name): plain(inner) for name, inner in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):  # a graph
        return plain(value._asdict())
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    return value if value is None or isinstance(value, bool | int | str) else str(value)


def written(value: Any) -> str:
    """Return a value of a space as canonical JSON."""
    return json.dumps(plain(value), sort_keys=True, ensure_ascii=False)


def observed(value: Any) -> list[dict[str, Any]]:
    """Return an observation as blocks: a picture if the observation is a picture, otherwise JSON."""
    if _is_picture(value):
        return [text_block("Observation: a picture"), picture(value)]
    return [text_block(f"Observation: {written(value)}")]


def rendered(environment: Any, mode: str | None) -> list[dict[str, Any]]:
    """Return the rendering of an environment as blocks."""
    shown = environment.render() if mode else None
    if isinstance(shown, list):  # of a mode that collects frames
        shown = shown[-1] if shown else None
    if shown is None:
        return []
    if _is_picture(shown):
        return [picture(shown)]
    # No model sees colors: what they mark is put in brackets.
    return [text_block(COLOUR.sub("", COLOURED.sub(r"[\1]", str(shown))))]


def render_mode(metadata: Any, asked: Any) -> str | None:
    """Return the render mode: ``asked``, or text by default if the environment supports text.

    Raises ValueError for a mode that the environment does not support.
    """
    modes = [str(each) for each in (metadata or {}).get("render_modes") or ()]
    if asked in (None, "none"):
        return "ansi" if asked is None and "ansi" in modes else None
    if asked not in modes or asked == "human":
        usable = [each for each in modes if each != "human"]
        raise ValueError(
            f"render={asked}: the environment renders {', '.join(usable) or 'nothing'}"
        )
    return str(asked)


def picture(pixels: Any) -> dict[str, Any]:
    """Return an array of pixels as a block with a PNG."""
    height, width, channels = pixels.shape
    rows = np.ascontiguousarray(pixels).reshape(height, width * channels)
    data = b"".join(b"\0" + row.tobytes() for row in rows)
    kind = {1: 0, 3: 2, 4: 6}[channels]
    header = struct.pack(">IIBBBBB", width, height, 8, kind, 0, 0, 0)
    parts = (b"IHDR", header), (b"IDAT", zlib.compress(data)), (b"IEND", b"")
    made = b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
        for name, body in parts
    )
    return image_block(base64.b64encode(b"\x89PNG\r\n\x1a\n" + made).decode(), "image/png")


def _is_picture(value: Any) -> bool:
    shaped = isinstance(value, np.ndarray) and value.dtype == np.uint8 and value.ndim == 3
    return bool(shaped and value.shape[2] in PICTURE and min(value.shape[:2]) > 0)
