"""Data as a readable Python literal: foreign text stays text, and never becomes code."""

from __future__ import annotations

import math
from typing import Any

WIDTH = 96
"""Maximum characters in a line; a longer text gets a line of its own."""
DEEPEST = 40
"""Maximum depth of lists and objects: JSON sent to an environment has less."""
PERIODS = range(1, 9)
"""Lengths of the units that filler repeats; such texts are written as products."""
LONG = 200
"""Minimum characters of a repetition to write it that way."""


def literal(value: Any, indent: int = 0, deep: int = DEEPEST) -> str:
    """Return JSON data as a Python literal, broken into lines if the literal is long.

    Args:
        value: The data.
        indent: The indentation of the first line.
        deep: The maximum number of levels.

    Raises:
        ValueError: If the data is not JSON, or has too many levels.
    """
    if not deep:
        raise ValueError(f"it has more than {DEEPEST} levels")
    if isinstance(value, float) and not math.isfinite(value):
        return f'float("{value}")'
    if isinstance(value, str):
        return _text(value)
    if value is None or isinstance(value, bool | int | float):
        return repr(value)
    if isinstance(value, dict):
        left = (f"{_text(str(key))}: " for key in value)
        items = [
            (name, literal(each, indent + 4, deep - 1))
            for name, each in zip(left, value.values(), strict=True)
        ]
        return _whole("{", [f"{name}{each}" for name, each in items], "}", indent)
    if isinstance(value, list | tuple):
        return _whole("[", [literal(each, indent + 4, deep - 1) for each in value], "]", indent)
    raise ValueError(f"{type(value).__name__} is not JSON data")


def _whole(opening: str, items: list[str], closing: str, indent: int) -> str:
    line = f"{opening}{', '.join(items)}{closing}"
    if len(line) + indent <= WIDTH and "\n" not in line:
        return line
    inner = "".join(f"{' ' * (indent + 4)}{each},\n" for each in items)
    return f"{opening}\n{inner}{' ' * indent}{closing}"


def _text(text: str) -> str:
    """Return a text as a literal in double quotes. Write a long repetition as a product, such as ``"ab" * 50``."""
    if len(text) >= LONG:
        for period in PERIODS:
            part = text[:period]
            times = len(text) // period + 1
            if (part * times)[: len(text)] == text:
                return f"({_quoted(part)} * {times})[:{len(text)}]"
    return _quoted(text)


def _quoted(text: str) -> str:
    shown = repr(text)
    return f'"{shown[1:-1]}"' if shown[0] == "'" and '"' not in shown else shown
