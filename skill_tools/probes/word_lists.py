"""Lists that an environment ships, and the items in them that resemble a right answer."""

from __future__ import annotations

import ast
import json
import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice, takewhile
from pathlib import Path
from typing import Any

from skill_tools.errors import RenderError
from skill_tools.evidence.calls import calls_of
from skill_tools.probes.probe import ProbeContext, Trial, as_trial
from skill_tools.render.bundle import files_to_ship
from skill_tools.spec.model import EnvSpec

LARGEST = 4_000_000
"""Maximum bytes in a file; a larger file is data, not a list of answers."""
SHORTEST = 3
"""Minimum letters in an answer; a shorter answer resembles any other."""
LEAST = 20
"""Minimum items in a list of answers; a shorter list is a choice, or names of settings."""
TEXTS = 4
"""Number of unlisted texts to try per kind: a single one may still be a word."""
LIKE = {
    "letters": "another item of the list with the same letters",
    "begins": "another item of the list with the same beginning",
    "ends": "another item of the list with the same ending",
}
"""Ways in which an item may resemble a right answer, with descriptions."""


def shipped_lists(spec: EnvSpec, folder: Path) -> list[tuple[str, ...]]:
    """Return every list of texts in the domain's files, without duplicates.

    A list is the lines of a file, or a list inside JSON or a Python module. Nothing is imported. An unreadable
    file has no lists.
    """
    try:
        files = files_to_ship(folder.resolve(), spec)
    except RenderError:
        return []
    found: list[tuple[str, ...]] = []
    for path in files.values():
        if not path.is_file() or path.stat().st_size > LARGEST:
            continue
        try:
            several = _lists_of(path.suffix, path.read_text("utf-8"))
            unique = [tuple(dict.fromkeys(texts)) for texts in several]
            found += [texts for texts in unique if len(texts) >= LEAST]
        except (OSError, ValueError, SyntaxError, RecursionError):
            continue
    return found


def _lists_of(suffix: str, text: str) -> Iterator[list[str]]:
    """Yield the lists of texts in a file."""
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
    """Yield the lists of texts in a JSON value. If a list contains rows, also yield the values of each column."""
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


def alike(value: str, lists: list[tuple[str, ...]]) -> Iterator[tuple[str, str]]:
    """Yield items that a lax comparison would accept as ``value``, each with the reason: a key of ``LIKE``."""
    others = sorted({each for texts in lists if value in texts for each in texts} - {value})
    if len(value) < SHORTEST or not others:
        return
    same = [each for each in others if sorted(each) == sorted(value)]
    if same:
        yield "letters", same[0]
    for how, turn in (("begins", 1), ("ends", -1)):
        shared = {each: _shared(each[::turn], value[::turn]) for each in others}
        best = max(others, key=shared.__getitem__)
        if shared[best] * 2 >= len(value):
            yield how, best


def unlisted(ground: ProbeContext) -> Iterator[Trial]:
    """Yield trials that replace a list item by a text that is not in the list: a part of an item, or another text."""
    seen = set()
    for each in ground.solved:
        calls = calls_of(each)
        for place, (tool, given) in enumerate(calls):
            for name, value in given.items() if isinstance(given, dict) else ():
                items = next((texts for texts in ground.lists if value in texts), None)
                if items is None or (tool, name) in seen:
                    continue
                seen.add((tool, name))
                for what, text in lacking(value, items):
                    call = (tool, {**given, name: text})
                    if ground.allows(*call):
                        trial = [*calls[:place], call]
                        yield as_trial(f"unlisted-{what}", name, each, trial, parameter=name)


def lacking(value: str, items: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield a few texts that are not in a list: parts of an item, parts across two items, and random letters."""
    chance, known, half = random.Random(value), set(items), len(value) // 2
    places = [chance.randrange(len(items) - 1) for _ in range(10 * TEXTS)]
    letters = sorted(set("".join(items[at] for at in places)))
    everything = "".join(items)
    kinds = {
        "part": (items[at][:-1] for at in places),
        "across": ((items[at] + items[at + 1])[half : half + len(value)] for at in places),
        "other": ("".join(chance.choice(letters) for _ in value) for _ in places),
    }
    for kind, texts in kinds.items():
        fit = (
            t for t in texts if t and t not in known and (kind != "other" or t not in everything)
        )
        yield from ((kind, text) for text in islice(fit, TEXTS))


def _shared(one: str, other: str) -> int:
    """Return the length of the common prefix of two texts."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
