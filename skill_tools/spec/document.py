"""Read an author's YAML document within size limits, find the line of each field, and find text that cannot be
encoded.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    CollectionStartEvent,
    ScalarEvent,
)

from skill_tools.errors import Problem, SpecError

LARGEST = 262_144
"""Maximum bytes to read: a spec has a few dozen lines, and a file may be untrusted."""


MOST_VALUES = 200_000
"""Maximum values and keys after expanding aliases: several times as many as LARGEST bytes can hold."""


def parse(
    path: Path, fields: str = "see env.schema.json", *, aliases: bool = False
) -> tuple[dict[str, Any], str]:
    """Read a document. Return its data and its text.

    ``fields`` is the advice in the error if the document is empty. ``aliases`` allows YAML aliases, which
    programs write for repeated values. Raises SpecError if the document is too large, not YAML, or not a mapping.
    """
    if path.stat().st_size > LARGEST:
        raise SpecError([Problem(str(path), f"larger than {LARGEST} bytes", "move data to files")])
    try:
        text = path.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise SpecError(
            [Problem(str(path), f"not UTF-8 text: {error}", "save it as UTF-8")]
        ) from error
    return parse_text(text, str(path), fields, aliases=aliases), text


def parse_text(text: str, path: str, fields: str, *, aliases: bool = False) -> dict[str, Any]:
    """Parse a text as a document. ``path`` is the document's name in errors. Raises the same errors as ``parse``."""
    try:
        _bound_aliases(YAML(typ="safe", pure=True).parse(text), path, allowed=aliases)
        data = YAML(typ="safe", pure=True).load(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = f":{mark.line + 1}" if mark else ""
        what = f"not valid YAML: {error.problem or error.context}"
        raise SpecError(
            [Problem(f"{path}{line}", what, "check the indentation and quotes")]
        ) from error
    except (YAMLError, RecursionError, ValueError) as error:
        raise SpecError([Problem(path, f"not valid YAML: {error}", "")]) from error
    if not isinstance(data, dict):
        raise SpecError([Problem(f"{path}:1", "not a mapping from fields to values", fields)])
    return data


def _bound_aliases(events: Iterable[Any], path: str, *, allowed: bool) -> None:
    """Raise SpecError if the document has an alias or, with ``allowed``, if aliases expand beyond MOST_VALUES.

    Nested aliases can grow exponentially, and a spec does not need them.
    """
    sizes: dict[str, int] = {}
    open_: list[tuple[str | None, int]] = []
    total = 0
    for event in events:
        if isinstance(event, AliasEvent):
            what = "" if allowed else "YAML aliases are not allowed"
            if allowed and event.anchor not in sizes:
                what = "a YAML alias that contains itself"
            total += sizes.get(event.anchor, 0)
            if total > MOST_VALUES:
                what = f"YAML aliases of more than {MOST_VALUES} values"
            if what:
                where = f"{path}:{event.start_mark.line + 1}"
                raise SpecError([Problem(where, what, "write the value out in full")])
        elif isinstance(event, CollectionStartEvent):
            open_.append((event.anchor, total))
            total += 1
        elif isinstance(event, CollectionEndEvent):
            anchor, before = open_.pop()
            if anchor:
                sizes[anchor] = total - before
        elif isinstance(event, ScalarEvent):
            total += 1
            if event.anchor:
                sizes[event.anchor] = 1


def find_line(path: Path, text: str, place: Sequence[str]) -> str:
    """Return ``file:line, field`` for the deepest part of a path that exists in the document."""
    line, node = 1, _marks(text)
    for part in place:
        key: Any = int(part) if isinstance(node, CommentedSeq) and part.isdigit() else part
        if isinstance(node, CommentedMap) and key in node:
            line = node.lc.key(key)[0] + 1
        elif isinstance(node, CommentedSeq) and isinstance(key, int) and key < len(node):
            line = node.lc.item(key)[0] + 1
        else:
            break
        node = node[key]
    return f"{path}:{line}, {'.'.join(place) or 'the document'}"


@functools.lru_cache(maxsize=1)
def _marks(text: str) -> Any:
    """Parse a document with its line numbers. This is slow, so it is called only to report a problem."""
    try:
        return YAML(typ="rt").load(text)
    except (YAMLError, RecursionError, ValueError):
        return None


def half_a_character(data: Any, place: tuple[str, ...] = ()) -> tuple[str, ...] | None:
    """Return the path in the data to a text that cannot be encoded, or None if all texts can be encoded."""
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
