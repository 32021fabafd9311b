"""The blind players of a study, and the calls that each player makes on each task."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from skill_tools.evidence.calls import Calls
from skill_tools.probes.answers import constant, copies
from skill_tools.probes.exploits import middles
from skill_tools.probes.probe import ProbeContext

IDLE = "doing nothing"
"""The player that all others are compared with."""
AGAIN = "again"
"""The child's name for a player that repeats one random call."""

Player = tuple[str, dict[int, Calls | str]]
"""A player: its description in words, and its calls by the place of each task."""


def players(ground: ProbeContext, places: Sequence[int]) -> list[Player]:
    """Return the blind players, the most informative first.

    A blind player does nothing, repeats one random call, sends empty values for all parameters, always makes the
    same call, or copies a part of the prompt by a rule (such as the first option). A player that always makes the
    same call sends a value from a short list (such as the first of an enum) or a frequent answer. No player takes
    the first of ``valid_calls()``: models do not see these calls, which may depend on hidden values.
    """
    everywhere: list[tuple[str, Calls | str]] = [
        (IDLE, []),
        ("one random call, repeated", AGAIN),
    ]
    everywhere += _empty(ground)
    found: list[Player] = [(words, dict.fromkeys(places, calls)) for words, calls in everywhere]
    return [*found, *_tried(ground, places)]


def _tried(ground: ProbeContext, places: Sequence[int]) -> Iterator[Player]:
    """Yield blind players that play some of the exploits. Each player comes with its calls on each task."""
    by_words: dict[str, dict[int, Calls | str]] = {}
    most = len(ground.oracle)
    for trial in (*constant(ground, most), *copies(ground, most), *middles(ground)):
        if trial.index in places:
            by_words.setdefault(trial.words, {})[trial.index] = trial.calls
    yield from by_words.items()


def _empty(ground: ProbeContext) -> Iterator[tuple[str, Calls]]:
    """For each tool with several parameters, yield a call with the smallest values that the schema allows."""
    for tool in ground.tools:
        fields = tool["parameters"].get("properties", {})
        wanted = tool["parameters"].get("required", [])
        given = {name: _least(fields[name]) for name in wanted}
        if len(given) > 1 and ground.allows(tool["name"], given):
            yield (
                f"only {tool['name']} with the minimum in every parameter",
                [(tool["name"], given)],
            )


def _least(schema: Mapping[str, Any]) -> Any:
    if "enum" in schema:
        return schema["enum"][0]
    if choices := schema.get("anyOf"):
        return _least(choices[-1])
    kind = schema.get("type")
    if kind == "null":
        return None
    if kind == "object":
        return {name: _least(schema["properties"][name]) for name in schema.get("required", ())}
    if kind in ("integer", "number"):
        return schema.get("minimum", 0)
    if kind == "boolean":
        return False
    if kind == "array":
        return [_least(schema["items"])] * schema.get("minItems", 0)
    return " " * schema.get("minLength", 0)
