"""Forms in which a text can hide and be read all the same."""

from __future__ import annotations

import base64
import codecs
from collections.abc import Iterator


def disguises(text: str) -> Iterator[tuple[str, str]]:
    """A text in forms that a model reads without effort, and how each is called."""
    raw = text.encode()
    if text[::-1] != text:
        yield "backwards", text[::-1]
    for shape in (raw, text.upper().encode(), text.capitalize().encode()):
        yield "in base64", base64.b64encode(shape).decode().rstrip("=").lower()
        yield "in hexadecimal", shape.hex()
    if text.isascii() and any(letter.isalpha() for letter in text):
        yield "in ROT13", codecs.encode(text, "rot13")
    if text.isalnum() and "".join(sorted(text)) != text:
        yield "with its letters in order", "".join(sorted(text))
        yield "with its letters in order", " ".join(sorted(text))
    if text.isalnum():
        for between in (" ", "-", ".", ", "):
            yield "letter by letter", between.join(text)
