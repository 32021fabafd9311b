"""Rules for the names of tools, tags, parameters and fields of arguments: characters, length, reserved names."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator
from typing import Any

from skill_tools.spec.model import (
    END_EPISODE,
    MESSAGE,
    RESERVED_METHODS,
    RESERVED_TAGS,
    TAG,
    EnvSpec,
)
from skill_tools.spec.parameters import UNPARSED
from skill_tools.spec.shown import LONGEST_NAME
from skill_tools.spec.tools import Tool

TOOL = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*", re.ASCII)
"""The name of a tool, as every model server accepts it."""
FIELD = re.compile(rf"[a-zA-Z0-9_.-]{{1,{LONGEST_NAME}}}", re.ASCII)
"""The name of a field inside an argument, as every model server accepts it."""


def tool_problems(spec: EnvSpec) -> Iterator[tuple[tuple[str, ...], str, str]]:
    """Yield each name that breaks a rule of this module, as (path of the field, problem, fix)."""
    if not spec.tools and not spec.message:
        fix = "describe the model's tools under `tools`, its messages under `message`, or both"
        yield ("tools",), "the model has no action", fix
    if spec.message and MESSAGE in spec.tools:
        fix = "rename the tool: the domain's method of this name plays messages"
        yield ("tools", MESSAGE), "the tool name 'message' is reserved for `message`", fix
    for name, tool in spec.tools.items():
        yield from _name_of_tool_problems(name, tool, played=not spec.grades_calls)
        tag = spec.tags[name]
        if tool.tag and (not TAG.fullmatch(tag) or tag in RESERVED_TAGS):
            fix = f"write a name such as {name}; reserved are: {', '.join(sorted(RESERVED_TAGS))}"
            yield ("tools", name, "tag"), f"{tag!r} cannot be a tag", fix
        elif list(spec.tags.values()).count(tag) > 1:
            fix = "give each tool a different tag"
            yield ("tools", name, "tag"), f"two tools share the tag {tag!r}", fix
        for parameter in tool.parameters:
            if parameter in (UNPARSED, "self") or not parameter.isidentifier():
                problem = f"the parameter name {parameter!r} cannot be used"
                yield ("tools", name, "parameters", parameter), problem, "rename it"
            elif not parameter.isascii() or len(parameter) > LONGEST_NAME:
                problem = f"model servers refuse the parameter name {parameter!r}"
                fix = f"use at most {LONGEST_NAME} ASCII letters, digits and underscores"
                yield ("tools", name, "parameters", parameter), problem, fix
            elif keyword.iskeyword(parameter):
                problem = f"the parameter name {parameter!r} is a Python keyword"
                yield ("tools", name, "parameters", parameter), problem, "rename it"
            for field in _odd_fields(tool.parameters[parameter].json_schema()):
                problem = f"model servers refuse the field name {field!r}"
                fix = f"use at most {LONGEST_NAME} ASCII letters, digits, underscores, dots and hyphens"
                yield ("tools", name, "parameters", parameter), problem, fix


def _name_of_tool_problems(
    name: str, tool: Tool, played: bool
) -> Iterator[tuple[tuple[str, ...], str, str]]:
    if len(name) > LONGEST_NAME:
        problem = f"the tool name has {len(name)} characters, but model servers allow at most {LONGEST_NAME}"
        yield ("tools", name), problem, "choose a shorter name"
    elif not TOOL.fullmatch(name):
        fix = "use letters, digits, underscores and hyphens, and begin with a letter or underscore"
        yield ("tools", name), f"model servers refuse the tool name {name!r}", fix
    elif name == END_EPISODE:
        fix = "rename the tool: an orchestrator uses this name to end an episode"
        yield ("tools", name), f"the tool name {name!r} is reserved", fix
    method, where = tool.method or name, ("tools", name, *(["method"] if tool.method else []))
    if not played:
        return
    fix = f"write `method: {re.sub(r'[^a-z0-9]', '_', name.lower()).strip('_')}_tool`, and rename the domain's method"
    if not method.isidentifier() or keyword.iskeyword(method):
        why = "is a Python keyword" if keyword.iskeyword(method) else "is not a Python name"
        yield where, f"{method!r} {why}, so no method can have this name", fix
    elif method in RESERVED_METHODS or method.startswith("__"):
        yield where, f"the domain's own {method!r} cannot play a tool", fix


def _odd_fields(schema: Any) -> Iterator[str]:
    """Yield the field names, at all levels of a schema, that at least one model server refuses."""
    if isinstance(schema, list):
        for each in schema:
            yield from _odd_fields(each)
    elif isinstance(schema, dict):
        yield from (name for name in schema.get("properties", {}) if not FIELD.fullmatch(name))
        for key, value in schema.items():
            yield from _odd_fields(list(value.values()) if key == "properties" else value)
