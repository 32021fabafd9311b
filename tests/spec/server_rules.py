"""What model servers refuse of tool schemas, a function each; sources are in docs/tool_schemas.md.

A function takes tools as ``EnvSpec.tool_schemas()`` gives them, and yields what would be refused.
They say what a server does when it is asked as our rollouts ask it: tools without ``strict``, and
``tool_choice`` auto, required or named. ``llama_cpp`` is as strict as its releases of April to
August 2026 together, and ``vllm`` as its structured outputs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from jsonschema import Draft202012Validator

Tools = Sequence[dict[str, Any]]
Rule = Callable[[Tools], Iterator[str]]
Field = dict[str, Any]

_REPETITIONS = 2000
_GEMINI_ITEMS = 960
_GEMINI = {
    *("type", "format", "title", "description", "nullable", "enum", "default", "example", "anyOf"),
    *("items", "minItems", "maxItems", "properties", "required", "minProperties", "maxProperties"),
    *("minimum", "maximum", "minLength", "maxLength", "pattern", "propertyOrdering"),
    "additionalProperties",  # refused by its own API only; rollouts ask the OpenAI-shaped one
}
_LOOKS = re.compile(r"\(\?[=!<]")
_BACK = re.compile(r"\\[1-9]")
_EDGE = re.compile(r"\\[bB]")
# What its grammar's reader knows of escapes; elsewhere in a pattern, punctuation is unescaped first.
_LLAMA_ESCAPE = re.compile(r"\\(?![.\[\](){}|^$*+?\\tnrxuU\"])")
_LLAMA_IN_CLASS = re.compile(r"\[[^\]]*\\[^\]\\tnrxuU\[]")


def _fields(tools: Tools) -> Iterator[tuple[str, Field]]:
    for tool in tools:
        for name, field in tool["parameters"].get("properties", {}).items():
            yield from _parts(f"{tool['name']}.{name}", field)


def _parts(place: str, field: Field) -> Iterator[tuple[str, Field]]:
    """A field and all that is inside it."""
    yield place, field
    inner = [*field.get("properties", {}).items(), *enumerate(field.get("anyOf", ()))]
    inner += [(key, field.get(key)) for key in ("items", "additionalProperties")]
    for name, each in inner:
        if isinstance(each, dict):
            yield from _parts(f"{place}.{name}", each)


def llama_cpp(tools: Tools) -> Iterator[str]:
    """llama.cpp makes one grammar of all tools, and refuses or dies of what its makers cannot read."""
    for place, field in _fields(tools):
        for key in ("minLength", "maxLength", "maxItems", "minItems"):
            most = _REPETITIONS if key.endswith("Length") else _REPETITIONS // 2
            if field.get(key, 0) >= most:
                yield f"{place}: {key} {field[key]}: failed to parse grammar"
        if any(abs(field.get(key, 0)) >= 2**63 - 1 for key in ("minimum", "maximum")):
            yield f"{place}: a bound is no integer of 64 bits"
        pattern = field.get("pattern")
        if pattern is None:
            continue
        if not (len(pattern) > 1 and pattern[0] == "^" and pattern[-1] == "$"):
            yield f"{place}: Pattern must start with '^' and end with '$'"
        elif pattern.endswith("\\$"):
            yield f"{place}: failed to parse grammar"
        if "(?" in pattern:
            yield f"{place}: a group that is not plain ends the server"
        if _LLAMA_ESCAPE.search(pattern) or _LLAMA_IN_CLASS.search(pattern):
            yield f"{place}: failed to parse grammar, an escape in {pattern}"
        for number in re.findall(r"\{(?:\d*,)?(\d+)\}", pattern):
            if int(number) >= _REPETITIONS:
                yield f"{place}: failed to parse grammar, {number} repetitions"


def xgrammar(tools: Tools) -> Iterator[str]:
    """xgrammar (SGLang, vLLM) refuses some expressions, and misreads others without a word."""
    for place, field in _fields(tools):
        pattern = field.get("pattern", "^$")
        if _EDGE.search(pattern) or _BACK.search(pattern) or "(?<" in pattern or "\\p" in pattern:
            yield f"{place}: Regex parsing error in {pattern}"
        if not (pattern.startswith("^") and pattern.endswith("$")):
            yield f"{place}: {pattern} is taken as if it were anchored"
        if re.search(r"\(\?[=!]|\\[AZz]", pattern) or re.search(
            r"(?<!\[)(?<!\\)[$^].", pattern[1:]
        ):
            yield f"{place}: a part of {pattern} is left out"
        if any(abs(field.get(key, 0)) >= 2**63 for key in ("minimum", "maximum")):
            yield f"{place}: Integer schema bound is out of range"


def vllm(tools: Tools) -> Iterator[str]:
    """vLLM refuses what xgrammar would leave out, once tool_choice is required or named."""
    for place, field in _fields(tools):
        if "pattern" in field and field.keys() & {"minLength", "maxLength"}:
            yield f"{place}: features not supported by xgrammar: a length beside a pattern"
        for key in field.keys() & {"multipleOf", "uniqueItems", "contains", "minContains"}:
            yield f"{place}: features not supported by xgrammar: {key}"


def llguidance(tools: Tools) -> Iterator[str]:
    """llguidance (vLLM's and SGLang's second backend) takes the expressions of Rust's regex."""
    for place, field in _fields(tools):
        pattern = field.get("pattern", "")
        if re.search(r"\(\?<?[=!]|\\[bBZ]|\\[1-9]", pattern):
            yield f"{place}: regex parse error in {pattern}"
        if min(field.get("minimum", 0), -field.get("maximum", 0)) <= -(2**63) + 1:
            yield f"{place}: Failed to generate regex for integer range"


def openai(tools: Tools) -> Iterator[str]:
    """OpenAI checks names, lengths and expressions even where ``strict`` is off."""
    if len(tools) > 128:
        yield f"{len(tools)} tools: at most 128"
    for tool in tools:
        if not re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", tool["name"]):
            yield f"the name {tool['name']!r}"
        if len(tool["description"]) > 1024:
            yield f"{tool['name']}: description: string too long"
    for place, field in _fields(tools):
        pattern = field.get("pattern", "")
        if _LOOKS.search(pattern):
            yield f"{place}: regex lookaround is not supported"
        if "\\p" in pattern:
            yield f"{place}: {pattern} is not a 'regex'"
        if field.get("type") == "array" and "items" not in field:
            yield f"{place}: array schema missing items"


def gemini(tools: Tools) -> Iterator[str]:
    """Gemini knows a subset of OpenAPI's schema, and counts what lists and names add up to."""
    if len(tools) > 512:
        yield f"{len(tools)} tools: at most 512"
    for place, field in _fields(tools):
        for key in field.keys() - _GEMINI:
            yield f"{place}: Unknown name {key!r}: Cannot find field"
        if "" in field.get("enum", ()):
            yield f"{place}: enum: cannot be empty"
        if "enum" in field and field.get("type") != "string":
            yield f"{place}: enum: only allowed for STRING type"
    items = sum(field.get("maxItems", 0) for _, field in _fields(tools))
    if items > _GEMINI_ITEMS:
        yield f"lists of {items} items together: INVALID_ARGUMENT"


def mistral(tools: Tools) -> Iterator[str]:
    """Mistral holds each schema to JSON Schema itself, and knows neither $id nor $schema."""
    for tool in tools:
        for error in Draft202012Validator(Draft202012Validator.META_SCHEMA).iter_errors(
            tool["parameters"]
        ):
            yield f"{tool['name']}: Invalid tool schema: {error.message}"
        for key in tool["parameters"].keys() & {"$id", "$schema"}:
            yield f"{tool['name']}: {key}: failed to compile JSON schema"


def anthropic(tools: Tools) -> Iterator[str]:
    """Anthropic checks the names of properties; bounds only where ``strict`` is on."""
    for tool in tools:
        for name in tool["parameters"]["properties"]:
            if not re.fullmatch(r"[a-zA-Z0-9_.-]{1,64}", name):
                yield f"{tool['name']}: Property keys should match pattern: {name!r}"


RULES: dict[str, Rule] = {
    rule.__name__: rule
    for rule in (llama_cpp, xgrammar, vllm, llguidance, openai, gemini, mistral, anthropic)
}
