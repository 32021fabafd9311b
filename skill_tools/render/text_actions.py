"""Actions as text: how a message calls each tool, and the instructions for the model.

A tag calls a tool: the arguments are attributes, and the tool's last required text is between the tags, so
that code needs no escaping. ``<tool_call>`` with JSON inside, the form that many open models are trained to
write, can express everything, including wrong calls. The rendered ``text_actions`` module reads these forms;
this module writes them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from jsonschema import Draft202012Validator
from rl_env_harness.rollouts.openings import THE_TOOLS

from skill_tools.spec.model import EnvSpec
from skill_tools.spec.shown import bounds, other_rules

STOP = "<end_episode/>"
CALL = '<tool_call>{"name": TOOL, "arguments": {...}}</tool_call>'
_WRITTEN = f"Write each call into your message as {CALL}, with the arguments as JSON."
TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
}


def content_of(schema: Mapping[str, Any]) -> str | None:
    """Return the parameter that a tool's tag encloses: the last required free text, or None if the tool has no such
    text."""
    free = [
        name
        for name, field in schema["properties"].items()
        if field.get("type") == "string" and "enum" not in field and name in schema["required"]
    ]
    return free[-1] if free else None


def _rules(spec: EnvSpec) -> list[dict[str, Any]]:
    """Return the tools of env.yaml with their complete schemas. Tags can call these tools."""
    return [tool for tool in spec.tool_rules() if tool["name"] in spec.tools]


def tags(spec: EnvSpec) -> dict[str, str]:
    """Return the tag of each tool, or {} if tasks offer different tools or calls are graded."""
    return {} if spec.offer or spec.grades_calls else spec.tags


def contents(spec: EnvSpec) -> dict[str, str]:
    """Return the parameter that the tag encloses, for each tool with such a parameter."""
    found = {tool["name"]: content_of(tool["parameters"]) for tool in _rules(spec)}
    return {name: parameter for name, parameter in found.items() if parameter}


def parts(spec: EnvSpec) -> dict[str, dict[str, list[str]]]:
    """For each tool, return the list parameters that are written as one attribute per item."""
    found = {name: tool.parts() for name, tool in spec.tools.items()}
    return {name: by_parameter for name, by_parameter in found.items() if by_parameter}


def instructions(spec: EnvSpec) -> str:
    """Return the instructions for acting in text, to be added after the system prompt.

    If tasks offer different tools, THE_TOOLS stands for the tools of the episode.
    """
    tools = _rules(spec)
    if spec.grades_calls:
        return f"You may call these tools:\n\n{THE_TOOLS}\n\n{_WRITTEN}"
    if not tools:
        return ""
    lines = ["Here you call a tool by writing its tag into your message:"]
    if spec.offer:
        lines = [f"You may call these tools:\n\n{THE_TOOLS}", _WRITTEN]
    else:
        split = parts(spec)
        lines += [
            _described(tool, _form(tool, spec), split.get(tool["name"], {})) for tool in tools
        ]
    if not spec.message:
        lines.append(
            f"{STOP}\n    Stops the episode. Write it only when there is nothing left to do."
        )
    turns, free = spec.episode.max_turns, spec.episode.free_refusals
    costs = f"costs no turn; {free} such refusals end the episode" if free else "costs a turn"
    rules = [
        f"Every tag is one turn; there {f'are {turns}' if turns > 1 else 'is 1'} at most.",
        "Several tags in one message are played in the order written.",
        f"A broken tag plays nothing and {costs}. A message without any tag is one turn: {spec.message.description}"
        if spec.message
        else f"A broken tag, or a message without any, plays nothing and {costs}.",
        "Nothing between <think> and </think> is played.",
        *([] if spec.offer else _rules_of_tags(spec, tools)),
    ]
    return "\n\n".join([*lines, "\n".join(f"- {rule}" for rule in rules)])


def _rules_of_tags(spec: EnvSpec, tools: list[dict[str, Any]]) -> Iterator[str]:
    fields = tools[0]["parameters"]["properties"].items()
    shown = ", ".join(f'"{name}": {_placeholder(name, field)}' for name, field in fields)
    example = f'{{"name": "{tools[0]["name"]}", "arguments": {{{shown}}}}}'
    yield f"<tool_call>{example}</tool_call>, with the arguments as JSON, is understood as well."
    if contents(spec):
        yield "Text between an opening and a closing tag is taken as it stands, unescaped."
    if _has_text_attribute(spec):
        yield 'In an attribute, write &quot; for a double quote and &amp; for "&".'


def forms(spec: EnvSpec) -> dict[str, str]:
    """Return how to write each tag that performs an action, keyed by tag."""
    shown = {spec.tags[tool["name"]]: _form(tool, spec) for tool in _rules(spec)}
    shown = {} if spec.offer else shown
    stop = {} if spec.message else {"end_episode": STOP}
    return {**shown, **stop, "tool_call": CALL} if spec.tools or spec.grades_calls else {}


def example(spec: EnvSpec) -> str:
    """Return a call of the first tool, with values from the author's samples if there are any."""
    if not spec.tools:
        return next(iter(spec.message.samples), "...") if spec.message else ""
    name, tool = next(iter(spec.tools.items()))
    samples = {key: values[0] for key, values in tool.samples().items()}
    values = {
        key: samples.get(key, parameter.get("minimum", key.upper()))
        for key, parameter in tool.json_schema()["properties"].items()
        if key in tool.json_schema()["required"]
    }
    return write(spec, name, values)


def write(spec: EnvSpec, tool: str, arguments: Mapping[str, Any] | str) -> str:
    """Write one call as a model would: as a tag if a tag can express the call, otherwise as ``<tool_call>``."""
    schemas = {schema["name"]: schema["parameters"] for schema in _rules(spec)}
    if tool in schemas and isinstance(arguments, Mapping) and not spec.offer:
        split = parts(spec).get(tool, {})
        tag = _tag(spec.tags[tool], schemas[tool], dict(arguments), split)
        if tag is not None:
            return tag
    call = json.dumps({"name": tool, "arguments": arguments})
    return f"<tool_call>{call.replace('<', chr(92) + 'u003c')}</tool_call>"


def _tag(
    tag: str,
    schema: Mapping[str, Any],
    arguments: dict[str, Any],
    split: Mapping[str, list[str]],
) -> str | None:
    """Return the tag of a call, or None if its attributes and content cannot express the call."""
    for name, value in arguments.items():
        field = schema["properties"].get(name, {})
        kind = field.get("type")
        fits = isinstance(value, TYPES.get(kind, ())) if kind else _reads_back(field, value)
        if not fits or (isinstance(value, bool) and kind not in ("boolean", None)):
            return None
    enclosed = content_of(schema)
    content = arguments.pop(enclosed, None) if enclosed else None
    if content is not None and not _stands_as_is(content, tag):
        return None
    written: dict[str, Any] = {}
    for name, value in arguments.items():
        names = split.get(name)
        if names and (len(value) != len(names) or not _fit_items(schema, name, value)):
            return None
        written |= dict(zip(names, value, strict=True)) if names else {name: value}
    attributes = "".join(f' {name}="{_attribute(value)}"' for name, value in written.items())
    if content is None:
        return f"<{tag}{attributes}/>"
    return f"<{tag}{attributes}>{content}</{tag}>"


def _reads_back(field: Mapping[str, Any], value: Any) -> bool:
    """Return whether a value in an attribute without a fixed type would be read back unchanged."""
    if not field:
        return False
    text = value if isinstance(value, str) else json.dumps(value)
    try:
        read = json.loads(text)
    except ValueError:
        return True
    plain = isinstance(read, str) or not Draft202012Validator(field).is_valid(read)
    found = text if plain else read
    return type(found) is type(value) and bool(found == value)


def _fit_items(schema: Mapping[str, Any], name: str, values: list[Any]) -> bool:
    kinds = TYPES[schema["properties"][name]["items"]["type"]]
    return all(isinstance(value, kinds) and not isinstance(value, bool) for value in values)


def _attribute(value: Any) -> str:
    # Imported here: it is as slow as half of what every command needs.
    from xml.sax.saxutils import escape

    return escape(value if isinstance(value, str) else json.dumps(value), {'"': "&quot;"})


def _stands_as_is(content: str, tag: str) -> bool:
    if content != content.strip():
        return False
    return not re.search(rf"</?{tag}[\s/>]", content, re.IGNORECASE | re.ASCII)


def _has_text_attribute(spec: EnvSpec) -> bool:
    enclosed = contents(spec)
    return any(
        field.get("type", "string") == "string" and name != enclosed.get(tool["name"])
        for tool in _rules(spec)
        for name, field in tool["parameters"]["properties"].items()
    )


def _form(tool: Mapping[str, Any], spec: EnvSpec) -> str:
    schema, tag = tool["parameters"], spec.tags[tool["name"]]
    enclosed = content_of(schema)
    split = parts(spec).get(tool["name"], {})
    names = [part for name in schema["properties"] for part in split.get(name, [name])]
    shown = tag + "".join(f' {name}="{name.upper()}"' for name in names if name != enclosed)
    return f"<{shown}>{enclosed.upper()}</{tag}>" if enclosed else f"<{shown}/>"


def _placeholder(name: str, field: Mapping[str, Any]) -> str:
    return json.dumps(name.upper()) if field.get("type") == "string" else name.upper()


def _described(tool: Mapping[str, Any], form: str, split: Mapping[str, list[str]]) -> str:
    lines = [form, f"    {tool['description']}"]
    required = tool["parameters"]["required"]
    for name, field in tool["parameters"]["properties"].items():
        about = f": {field['description']}" if "description" in field else ""
        names, kind = split.get(name, [name]), field
        if name in split:
            kind = field["items"]
        free = "" if name in required or "default" in field else ", may be left out"
        lines.append(f"    {', '.join(names).upper()} ({_kind(kind)}{free}){about}")
    return "\n".join(lines)


def _part(name: str, field: Mapping[str, Any], needed: bool) -> str:
    about = f": {field['description']}" if "description" in field else ""
    free = "" if needed or "default" in field else ", may be left out"
    return f"{name} ({_kind(field, within=True)}{free}{about})"


def _kind(field: Mapping[str, Any], within: bool = False) -> str:
    """Return a description of a value's type and bounds.

    Args:
        within: Whether the value is a part of another value.
    """
    json_ = "" if within else ", as JSON"
    words = {"string": "text", "array": f"list{json_}", "object": f"object{json_}"}
    kind = field.get("type", "JSON")
    parts = [words.get(kind, kind), *bounds(field)]
    if choices := field.get("anyOf", field.get("oneOf")):
        parts = [" or ".join(_kind(each, within) for each in choices)]
    if "enum" in field:
        named = (each if isinstance(each, str) else json.dumps(each) for each in field["enum"])
        parts = ["one of " + ", ".join(named)]
    if isinstance(field.get("items"), Mapping):
        parts.append(f"each {_kind(field['items'], within=True)}")
    if "properties" in field:
        needed = field.get("required", ())
        fields = [(name, each, name in needed) for name, each in field["properties"].items()]
        parts[0] += " with " + "; ".join(_part(*each) for each in fields)
    if isinstance(field.get("additionalProperties"), Mapping):
        parts.append(f"each value {_kind(field['additionalProperties'], within=True)}")
    parts += other_rules(field)
    if "default" in field:
        default = field["default"]
        # Without quotes, an empty default is invisible.
        shown = default if isinstance(default, str) and default else json.dumps(default)
        parts.append(f"{shown} if left out")
    return ", ".join(parts)
