"""WOR: whether prompts and descriptions are true."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from skill_tools.checks.check import Hit, Place, check, skip
from skill_tools.checks.needs import PROMPT, TOOLS
from skill_tools.checks.reading.numerals import SMALL
from skill_tools.evidence.evidence import Evidence
from skill_tools.spec.model import MESSAGE

NUMBERS = {word: number for number, word in enumerate((*SMALL, "twenty"))}
NUMBER = rf"(?P<number>\d+|{'|'.join(NUMBERS)})"
_RANGE = re.compile(
    r"(?<![\w.-])(?P<low>-?\d+)(?:\s*\([^)]{1,40}\))?,?\s*(?:to|through|\u2013|-|\.\.)\s*(?P<high>-?\d+)(?![\w.]*[/%])",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"`([a-z][a-z0-9_]*)(?:\([^`]*\))?`|\b([a-z]+_[a-z0-9_]+)\(|\bcall (?:the )?`?([a-z]+_[a-z_]+)`?"
)
_LONG = re.compile(
    rf"\b(?:at most|up to|no more than|maximum(?: of)?|max\.?)\s+{NUMBER}\s+(?:characters|letters|symbols)",
    re.IGNORECASE,
)
_EXACT = re.compile(rf"\b(?:exactly )?{NUMBER}[- ](?:letters?|characters?)\b", re.IGNORECASE)
_ORIGIN = re.compile(
    r"\b(?:count(?:ed|ing|s)?|start(?:s|ing)?|number(?:ed|ing)?)\s+(?:from|at|with)\s+(\d+|zero|one)\b"
    r"|\b(zero|one|[01])-based",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[\"'`]([^\"'`\s]{1,40})[\"'`]")


def as_number(text: str) -> int:
    """Return the number that a text states in digits or as a word, such as 3 for "three", or -1 for any other text."""
    return NUMBERS.get(text.lower(), -1) if not text.isdigit() else int(text)


@check(
    "WOR001",
    "unknown-tool-named",
    fix="name the tools as env.yaml does. If a name belongs to the task (such as a function to "
    "repair), write it without backticks, or declare it under `exceptions`",
    needs=[PROMPT, TOOLS],
    trusts="nothing",
)
def unknown_tool_named(evidence: Evidence) -> Iterator[Hit]:
    """Every name in backticks in the prompt is a tool, a parameter or a parameter's value.

    A model calls any tool that the prompt names, and is refused if the tool does not exist.
    """
    declared = evidence.declaration
    if set(declared.parameters) == {MESSAGE}:
        yield skip("the agent only writes messages and calls no tools")
        return
    known = set(declared.parameters)
    for parameters in declared.parameters.values():
        known |= set(parameters)
        known |= {str(v) for schema in parameters.values() for v in schema.get("enum", ())}
    named = False
    texts = [(PROMPT.of(evidence), "the prompt", Place())]
    texts += [
        (str(tool.get("description", "")), "a tool's description", Place(tool=tool["name"]))
        for tool in TOOLS.of(evidence)
    ]
    for text, where, place in texts:
        for found in _CODE.finditer(text):
            named = True
            name = found[1] or found[2] or found[3]
            near = _near(name, declared.parameters)
            called = bool(found[2] or found[3]) or "(" in found[0]
            if name not in known and (near or called):
                tools = ", ".join(declared.parameters)
                message = (
                    f"{where} names {name!r}, in {_around(text, found)!r}; the tools are {tools}"
                )
                yield Hit(message, None, place, None if near or found[3] else "warn")
    if not named:
        yield skip("no text has the name of a tool, a parameter or a value in backticks")


def _around(text: str, found: re.Match[str]) -> str:
    said = text[max(0, found.start() - 30) : found.end() + 20]
    return " ".join(said.split())


def _near(name: str, tools: dict[str, Any]) -> bool:
    """Return whether a name shares a word with a tool's name, as `guess_word` does with `guess`."""
    words = set(name.split("_"))
    return any(words & set(tool.split("_")) for tool in tools)


@check(
    "WOR002",
    "bounds-contradict",
    fix="use the same bounds in the description and the schema",
    needs=[TOOLS],
    trusts="nothing",
)
def bounds_contradict(evidence: Evidence) -> Iterator[Hit]:
    """The bounds in a parameter's description match the bounds in its schema.

    A model believes the description. The model then sends values that are refused, or never sends some allowed
    values.
    """
    compared = False
    for tool, parameters in evidence.declaration.parameters.items():
        for name, schema in parameters.items():
            text = str(schema.get("description", ""))
            compared = compared or any(_said_bounds(text, schema))
            for message in _bounds_contradict(text, schema, f"{tool}.{name}"):
                yield Hit(message, place=Place(tool=tool, parameter=name))
    if not compared:
        yield skip("no parameter's description states the bounds or values of its schema")


def _said_bounds(text: str, schema: dict[str, Any]) -> Iterator[bool]:
    """For each kind of bound, yield whether both the description and the schema state one."""
    if schema.get("type") in ("integer", "number"):
        both = None not in (schema.get("minimum"), schema.get("maximum"))
        yield both and bool(_RANGE.search(text) or _ORIGIN.search(text))
    yield schema.get("maxLength") is not None and bool(_LONG.search(text) or _EXACT.search(text))
    yield "enum" in schema and len(_QUOTED.findall(text)) > 1


def _bounds_contradict(text: str, schema: dict[str, Any], where: str) -> Iterator[str]:
    """Yield the contradictions between a parameter's description and the bounds and values in its schema."""
    yield from _bounds(text, schema, where)
    if (found := _LONG.search(text)) and schema.get("maxLength") is not None:
        if as_number(found["number"]) != schema["maxLength"]:
            yield f"{where} says {found[0]!r}, but its schema allows {schema['maxLength']}"
    elif (found := _EXACT.search(text)) and schema.get("type") == "string":
        number, least, most = (
            as_number(found["number"]),
            schema.get("minLength"),
            schema.get("maxLength"),
        )
        if least is not None and least == most and number not in (least, -1):
            yield f"{where} says {found[0]!r}, but its schema accepts {most} characters"
    quoted = _QUOTED.findall(text)
    if "enum" in schema and len(quoted) > 1:
        odd = [value for value in quoted if value not in map(str, schema["enum"])]
        if odd and len(odd) < len(quoted):
            yield f"{where} names {odd[0]!r}, which is not one of {schema['enum']}"


def _bounds(text: str, schema: dict[str, Any], where: str) -> Iterator[str]:
    low, high = schema.get("minimum"), schema.get("maximum")
    ranges = list(_RANGE.finditer(text))
    if schema.get("type") not in ("integer", "number") or None in (low, high):
        return
    if len(ranges) == 1:
        said = (int(ranges[0]["low"]), int(ranges[0]["high"]))
        if said[0] < said[1] and said != (low, high):
            yield f"{where} says {ranges[0][0]!r}, but its schema accepts {low} to {high}"
            return
    if (found := _ORIGIN.search(text)) and low in (0, 1) and 1 - low == origin(found):
        yield f"{where} says {found[0]!r}, but its schema begins at {low}"


@check(
    "WOR003",
    "origin-contradicts",
    fix="state in the prompt whether counting starts at 0 or 1, as in the schemas",
    needs=[PROMPT, TOOLS],
    after=["WOR002"],
    trusts="nothing",
)
def origin_contradicts(evidence: Evidence) -> Iterator[Hit]:
    """Counting starts at the number that the prompt states.

    An offset of one row in every call makes the task unsolvable for every model.
    """
    minima = {
        schema["minimum"]
        for parameters in evidence.declaration.parameters.values()
        for schema in parameters.values()
        if schema.get("type") == "integer" and schema.get("minimum") in (0, 1)
    }
    stated = [found for found in _ORIGIN.finditer(PROMPT.of(evidence)) if origin(found) in (0, 1)]
    if not stated:
        yield skip("the prompt does not say whether counting starts at 0 or 1")
    elif len(minima) != 1:
        yield skip(
            "integer parameters do not all start from the same number: some from 0, some from 1"
        )
    for found in stated:
        for low in minima if len(minima) == 1 else ():
            if origin(found) != low:
                yield Hit(f"the prompt says {found[0]!r}, but the schemas begin at {low}")


def origin(found: re.Match[str]) -> int:
    """Return the number at which the matched text starts counting, such as 0 for "from zero"."""
    said = (found[1] or found[2]).lower()
    return NUMBERS.get(said, -1) if not said.isdigit() else int(said)


CHECKS = (unknown_tool_named, bounds_contradict, origin_contradicts)
