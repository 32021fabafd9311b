"""Text that cannot be encoded: a YAML or JSON file can contain half of a surrogate pair."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def half_a_character(data: Any, place: tuple[str, ...] = ()) -> tuple[str, ...] | None:
    """Return the path in data to a text that cannot be encoded; None if there is none."""
    if isinstance(data, str):
        return None if _encodable(data) else place
    inner: Iterable[tuple[Any, Any]] = ()
    if isinstance(data, dict):
        inner = data.items()
    elif isinstance(data, list):
        inner = enumerate(data)
    for key, value in inner:
        # A field with such a name is reported by its parent's place.
        for each, at in ((key, place), (value, (*place, str(key)))):
            if (found := half_a_character(each, at)) is not None:
                return found
    return None


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
