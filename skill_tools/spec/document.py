"""A YAML document of an author: read within bounds, and the line of each of its fields."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import AliasEvent

from skill_tools.errors import Problem, SpecError

LARGEST = 262_144
"""Bytes; a spec is some dozens of lines, and an untrusted one is not read further."""


def parse(path: Path, fields: str = "see env.schema.json") -> tuple[dict[str, Any], str]:
    """A document and its text; ``fields`` says what to write where it has none.

    Raises SpecError where it is too large, no YAML, or no mapping.
    """
    if path.stat().st_size > LARGEST:
        raise SpecError([Problem(str(path), f"larger than {LARGEST} bytes", "move data to files")])
    try:
        text = path.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise SpecError(
            [Problem(str(path), f"not UTF-8 text: {error}", "save it as UTF-8")]
        ) from error
    return parse_text(text, str(path), fields), text


def parse_text(text: str, path: str, fields: str) -> dict[str, Any]:
    """The document that a text is; ``path`` names it in errors. Raises SpecError as ``parse`` does."""
    try:
        # An alias of an alias of an alias grows without limit, and a spec has no use for one.
        for event in YAML(typ="safe", pure=True).parse(text):
            if isinstance(event, AliasEvent):
                where = f"{path}:{event.start_mark.line + 1}"
                raise SpecError([Problem(where, "YAML aliases are not allowed", "write it out")])
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
        raise SpecError([Problem(f"{path}:1", "not a mapping of fields", fields)])
    return data


def find_line(path: Path, text: str, place: Sequence[str]) -> str:
    """``file:line, field`` of the deepest part of a place that is in the document."""
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
    """A document with its lines, which only a problem needs: reading it so takes long."""
    try:
        return YAML(typ="rt").load(text)
    except (YAMLError, RecursionError, ValueError):
        return None
