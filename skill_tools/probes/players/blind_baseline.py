"""Players who do not look at the task, for a study: who they are, and on which tasks each is tried."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from skill_tools.evidence.calls import Calls
from skill_tools.probes.answers import constant, copies
from skill_tools.probes.exploits import middles
from skill_tools.probes.probe import ProbeContext

IDLE = "doing nothing"
"""The player with whom all others are compared."""
AGAIN = "again"
"""How the child knows a player who makes one random call, and then that one again."""

Player = tuple[str, dict[int, Calls | str]]
"""Who, in words, and what is played by the place of each task."""


def players(ground: ProbeContext, places: Sequence[int]) -> list[Player]:
    """Who plays without looking, the most telling first.

    Doing nothing, one random call again and again, nothing in every parameter, always one call (of few
    values: the first of an enum, an empty text; and the most frequent answers), a part of the prompt by a
    rule (its first option, a number). The first of ``valid_calls()`` is none: a model does not see them,
    and they may know what is hidden.
    """
    everywhere: list[tuple[str, Calls | str]] = [
        (IDLE, []),
        ("one random call again and again", AGAIN),
    ]
    everywhere += _empty(ground)
    found: list[Player] = [(words, dict.fromkeys(places, calls)) for words, calls in everywhere]
    return [*found, *_tried(ground, places)]


def _tried(ground: ProbeContext, places: Sequence[int]) -> Iterator[Player]:
    """The players that exploits know, each on all tasks that it has something to play on."""
    by_words: dict[str, dict[int, Calls | str]] = {}
    most = len(ground.oracle)
    for trial in (*constant(ground, most), *copies(ground, most), *middles(ground)):
        if trial.index in places:
            by_words.setdefault(trial.words, {})[trial.index] = trial.calls
    yield from by_words.items()


def _empty(ground: ProbeContext) -> Iterator[tuple[str, Calls]]:
    """For each tool of several parameters the call that says as little as its schema allows."""
    for tool in ground.tools:
        fields = tool["parameters"].get("properties", {})
        wanted = tool["parameters"].get("required", [])
        given = {name: _least(fields[name]) for name in wanted}
        if len(given) > 1 and ground.allows(tool["name"], given):
            yield f"only {tool['name']} with the least in every parameter", [(tool["name"], given)]


def _least(schema: Mapping[str, Any]) -> Any:
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type")
    if kind in ("integer", "number"):
        return schema.get("minimum", 0)
    if kind == "boolean":
        return False
    if kind == "array":
        return [_least(schema["items"])] * schema.get("minItems", 0)
    return " " * schema.get("minLength", 0)
