"""Edge cases as trials, with calls at every bound of every parameter, and with difficult values."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from typing import Any

from skill_tools.evidence.calls import calls_of
from skill_tools.policies.schema_values import arguments_of, value_of
from skill_tools.probes.probe import ProbeContext, Trial, as_trial


def edges(ground: ProbeContext, most: int) -> list[Trial]:
    """Return trials with values at and just inside the bounds of each parameter, and with difficult values."""
    found: list[tuple[str, dict[str, Any], str]] = []
    place = next(iter(ground.oracle.values()))
    longest = max(ground.oracle.values(), key=lambda each: len(each.steps))
    half = calls_of(longest)[: len(calls_of(longest)) // 2]
    chance = random.Random(0)
    for tool in ground.tools:
        usual = [
            calls
            for t in ground.oracle.values()
            for calls in calls_of(t)
            if calls[0] == tool["name"]
        ]
        base = (
            dict(usual[0][1])
            if usual and isinstance(usual[0][1], dict)
            else arguments_of(tool["parameters"], chance)
        )
        if not tool["parameters"].get("properties"):
            found.append((tool["name"], {}, f"{tool['name']}()"))
        for name, schema in tool["parameters"].get("properties", {}).items():
            for value in (*_nearly(base.get(name)), *edge_values(schema)):
                given = {**base, name: value}
                if ground.allows(tool["name"], given):
                    shown = (
                        repr(value)
                        if len(repr(value)) < 60
                        else f"{repr(value)[:40]}… ({len(repr(value))} characters)"
                    )
                    found.append((tool["name"], given, f"{tool['name']}({name}={shown})"))
        for given, what in _both_bounds(tool["parameters"].get("properties", {}), base):
            if ground.allows(tool["name"], given):
                found.append((tool["name"], given, f"{tool['name']}({what})"))
    after = calls_of(place)[:4]  # an accepted call may break a later one
    trials = [as_trial("edge", what, place, [(tool, given), *after]) for tool, given, what in found]
    trials += [
        as_trial("edge", what, longest, [*half, (tool, given)])
        for tool, given, what in found
        if half
    ]
    return trials[:most]


def _nearly(value: Any) -> Iterator[Any]:
    """Yield texts close to a right text, with another letter, capitals, whitespace or another number."""
    if isinstance(value, str) and value:
        yield from (value[:-1] + letter for letter in "qzx")
        yield from (letter + value[1:] for letter in "qzx")
        yield from (value.upper(), value.capitalize(), f"{value} ", f" {value}")
        # Numbers as models sometimes write them, in place of the first one.
        if re.search(r"\d", value):
            for number in ("4.5", "-3", "1e3", "1,000", "٣", "9" * 25):
                yield re.sub(r"\d+", number, value, count=1)
        # Comparisons as models write them, if there is one.
        if compared := re.search(r"(?<![<>=!])[<>](?![<>=])", value):
            for sign in ("<=", ">=", "==", "!=", "=", "=<"):
                yield value[: compared.start()] + sign + value[compared.end() :]
        # Texts on which a backtracking pattern never ends.
        yield from (value.replace(" ", " " * 40) + "!", value + " " * 60 + "!", value * 12 + "!")


def _both_bounds(
    schemas: Mapping[str, Any], base: Mapping[str, Any]
) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield arguments whose numbers are all at a bound, because a refusal may depend on several numbers."""
    bounds = {
        name: [schema[key] for key in ("minimum", "maximum") if key in schema]
        for name, schema in schemas.items()
        if schema.get("type") in ("integer", "number")
    }
    bounds = {name: values for name, values in bounds.items() if values}
    for name, values in bounds.items() if len(bounds) > 1 else ():
        for value in values:
            for end in (0, -1):
                others = {other: both[end] for other, both in bounds.items()}
                given = {**base, **others, name: value}
                yield given, ", ".join(f"{each}={given[each]}" for each in bounds)


def edge_values(schema: Mapping[str, Any]) -> Iterator[Any]:
    """Yield values at the edges of the range that a schema allows; some values may be outside the range."""
    kind = schema.get("type")
    if "enum" in schema:
        yield from schema["enum"]
    elif kind in ("integer", "number"):
        low, high = schema.get("minimum"), schema.get("maximum")
        yield from (v for v in (low, high) if v is not None)
        yield from (
            v
            for v in (low + 1 if low is not None else None, high - 1 if high is not None else None)
            if v is not None
        )
        yield from (
            0,
            1,
            -1,
            10**6,
            -(10**6),
            10**18,
            *(() if high is not None else (10**400,)),  # larger than any float
            *((0.5, 1e300, -1e300) if kind == "number" else ()),
        )
    elif kind == "string":
        yield from _edge_texts(schema)
    elif kind == "array":
        item = next(iter(edge_values(schema.get("items", {}))), 0)
        least, most = schema.get("minItems", 0), min(schema.get("maxItems", 50), 200)
        yield from ([], [item] * least, [item] * most)
        yield from ([value] * max(1, least) for value in edge_values(schema.get("items", {})))
    elif kind == "boolean":
        yield from (True, False)
    yield from _edge_parts(schema)


def _edge_texts(schema: Mapping[str, Any]) -> Iterator[str]:
    least, most = schema.get("minLength", 0), schema.get("maxLength", 5000)
    yield from (
        "",
        " ",
        "a" * max(1, least),
        "a" * most,
        " " * max(1, least),
        "0",
        "-1",
        "\n",
        "\t",
    )
    yield from (
        "ß",
        "İ",
        "漢字",
        "😀",
        "e\u0301",
        "%s {0} {x} \\",
        "'\"`",
        "<b>&amp;</b>",
        "../../etc",
        "None",
        "NaN",
        "0x10",
        "1e9",
    )
    letters = ("ß", "é", "漢", " ", "9", "Z")
    yield from (letter * least for letter in letters if least > 1)


def _edge_parts(schema: Mapping[str, Any]) -> Iterator[Any]:
    """Yield objects with one part at an edge, and the edge values of each choice in ``anyOf``."""
    if schema.get("type") == "object":
        good = value_of(schema, random.Random(0))
        for name, field in schema.get("properties", {}).items():
            yield from ({**good, name: value} for value in edge_values(field))
        if isinstance(others := schema.get("additionalProperties"), Mapping):
            yield from ({}, *({**good, "": value} for value in edge_values(others)))
    for choice in schema.get("anyOf", ()):
        yield from (None,) if choice.get("type") == "null" else edge_values(choice)
