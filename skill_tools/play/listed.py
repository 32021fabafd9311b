"""Lists that an environment ships, and what of them is like a right answer."""

from __future__ import annotations

import ast
import json
from collections import defaultdict
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any

from skill_tools.errors import RenderError
from skill_tools.render.bundle import files_to_ship
from skill_tools.spec.model import EnvSpec

LARGEST = 4_000_000
"""Bytes of a file that is read; what is larger is data and no list of answers."""
SHORTEST, LEAST = 3, 20
"""Letters of an answer, and texts of a list, below which nothing is like anything."""


def shipped_lists(spec: EnvSpec, folder: Path) -> list[frozenset[str]]:
    """Every list of texts in the domain's files: one a line, in JSON, or written in a module.

    Nothing is imported. A file that cannot be read has no lists.
    """
    try:
        files = files_to_ship(folder.resolve(), spec)
    except RenderError:
        return []
    found: list[frozenset[str]] = []
    for path in files.values():
        if not path.is_file() or path.stat().st_size > LARGEST:
            continue
        try:
            several = _lists_of(path.suffix, path.read_text("utf-8"))
            found += [texts for texts in map(frozenset, several) if len(texts) >= LEAST]
        except (OSError, ValueError, SyntaxError, RecursionError):
            continue
    return found


def _lists_of(suffix: str, text: str) -> Iterator[list[str]]:
    """The lists of texts in a file."""
    if suffix == ".py":
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.List | ast.Tuple | ast.Set):
                yield _texts([e.value for e in node.elts if isinstance(e, ast.Constant)])
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value.split()
    elif suffix == ".json":
        yield from _within(json.loads(text))
    elif suffix == ".jsonl":
        yield from _within([json.loads(line) for line in text.splitlines() if line.strip()])
    else:
        yield text.splitlines()
        yield text.split()


def _within(value: Any) -> Iterator[list[str]]:
    """The lists of texts in JSON, and what rows have under one name."""
    if isinstance(value, list):
        yield _texts(value)
        columns: dict[str, list[Any]] = defaultdict(list)
        for each in value:
            if isinstance(each, dict):
                for name, inner in each.items():
                    columns[name].append(inner)
            else:
                yield from _within(each)
        yield from map(_texts, columns.values())
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _within(inner)


def _texts(values: list[Any]) -> list[str]:
    return [value for value in values if isinstance(value, str)]


def alike(value: str, lists: list[frozenset[str]]) -> Iterator[tuple[str, str]]:
    """Others of the lists that hold a right answer, such as a lax comparison takes for it."""
    others = sorted({each for texts in lists if value in texts for each in texts} - {value})
    if len(value) < SHORTEST or not others:
        return
    same = [each for each in others if sorted(each) == sorted(value)]
    if same:
        yield "another of its list with the same letters", same[0]
    for what, turn in (("begins", 1), ("ends", -1)):
        shared = {each: _shared(each[::turn], value[::turn]) for each in others}
        best = max(others, key=shared.__getitem__)
        if shared[best] * 2 >= len(value):
            yield f"another of its list that {what} as it does", best


def _shared(one: str, other: str) -> int:
    """How many letters two texts begin with alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
