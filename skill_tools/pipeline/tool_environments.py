"""Tools that somebody already has, as an author declares them: schemas, an MCP listing, OpenAPI, or typed functions."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import jinja2
from pydantic import ValidationError
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import YAMLError

from skill_tools.archetypes import STARTERS, scaffold
from skill_tools.archetypes.scaffold import NewEnvironment, write_new
from skill_tools.archetypes.starter import as_yaml
from skill_tools.errors import SkillToolsError, nearest
from skill_tools.frameworks import FRAMEWORKS
from skill_tools.pipeline.openapi.operations import ListedTools, is_openapi, read_openapi
from skill_tools.render.parameters import signature
from skill_tools.spec.model import (
    ARCHETYPE_NAMES,
    RESERVED_METHODS,
    USUAL_FRAMEWORKS,
    class_name_of,
)
from skill_tools.spec.raw_schemas import inlined
from skill_tools.spec.tools import Tool

SECONDS = 60.0
"""Time limit for importing a module with functions."""
_TEMPLATES = Path(scaffold.__file__).parent / "templates" / "tools"
_BOUNDS = {
    "string": {"minLength": "min_length", "maxLength": "max_length", "pattern": "pattern"},
    "integer": {"minimum": "minimum", "maximum": "maximum"},
    "number": {"minimum": "minimum", "maximum": "maximum"},
    "boolean": {},
    "array": {"minItems": "min_items", "maxItems": "max_items", "items": "items"},
    "object": {},
}
"""The fields of env.yaml for the keywords of a type."""
_WORDS = ("type", "description", "default")
_READ = """
import importlib.util, inspect, json, sys
from fastmcp.tools import Tool
path = sys.argv[1]
made = importlib.util.spec_from_file_location("functions", path)
module = importlib.util.module_from_spec(made)
sys.modules["functions"] = module
made.loader.exec_module(module)
found = [f for n, f in vars(module).items() if inspect.isfunction(f) and f.__module__ == "functions" and n[0] != "_"]
tools = [Tool.from_function(f) for f in found]
print(json.dumps([{"name": t.name, "description": t.description, "parameters": t.parameters} for t in tools]))
"""
"""Reads the public functions of a module in a process of its own, by FastMCP."""


def new_from_tools(
    folder: Path | str,
    file: Path | str,
    name: str | None = None,
    archetype: str = "stateful-sandbox",
) -> NewEnvironment:
    """Write an environment with the tools of a file, each with a method to be written.

    file: JSON with function schemas (OpenAI's, or an MCP `tools/list` result), an OpenAPI 3 document
        (JSON or YAML), or a Python module with typed functions, which is imported.
    A framework that reserves the name of a tool is left out. Raises SkillToolsError if the file has no
    tools, SpecError for those that env.yaml cannot declare; nothing is written then.
    """
    folder, file = Path(folder), Path(file)
    if archetype in STARTERS and archetype not in ARCHETYPE_NAMES:
        raise SkillToolsError(
            f"the starter {archetype!r} has tools of its own\n    fix: start it without --tools; "
            "--archetype stateful-sandbox --tools FILE in another folder writes a section to copy"
        )
    if archetype not in ARCHETYPE_NAMES:
        raise SkillToolsError(
            f"there is no archetype {archetype!r}{nearest(archetype, ARCHETYPE_NAMES)}"
        )
    listed = read_tools(file)
    tools = {name: _declared(name, tool) for name, tool in listed.tools.items()}
    own = name or folder.name.replace("-", "_").lower()
    methods = [_method(name, fields) for name, fields in tools.items()]
    signatures = "".join(text for _, text, _ in methods)
    usual = [n for n in USUAL_FRAMEWORKS if not FRAMEWORKS[n].reserved_tools & tools.keys()]
    known = {
        "frameworks": ", ".join(usual),
        "name": own,
        "title": own.replace("_", " ").title(),
        "class_name": class_name_of(own),
        "archetype": archetype,
        "count": len(tools),
        "source": file.name,
        "tools": _as_block(tools),
        "methods": methods,
        "signatures": signatures,
        "kinds": [kind for kind in ("Any", "Literal") if re.search(rf"\b{kind}\b", signatures)],
    }
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES),
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
    )
    environment.filters |= {"yaml": as_yaml, "json": json.dumps}
    files = {
        path.name.removesuffix(".jinja"): environment.get_template(path.name).render(known)
        for path in sorted(_TEMPLATES.glob("*.jinja"))
    }
    return replace(write_new(folder, files), left_out=listed.left_out)


def read_tools(file: Path) -> ListedTools:
    """Return the tools of a file, each with description and JSON Schema. Raises SkillToolsError."""
    data = _parsed(file)
    if is_openapi(data):
        return read_openapi(data, file)
    for key in ("result", "tools", "functions"):
        data = data.get(key, data) if isinstance(data, dict) else data
    listed = data if isinstance(data, list) else []
    tools = [each.get("function", each) for each in listed if isinstance(each, dict)]
    found = {
        str(tool["name"]): {
            "description": str(tool.get("description") or tool.get("title") or tool["name"]),
            "schema": tool.get("parameters", tool.get("inputSchema", tool.get("input_schema"))),
        }
        for tool in tools
        if "name" in tool
    }
    if not found:
        raise SkillToolsError(
            f"{file} has no tools\n    fix: name a list of objects with name, description and parameters"
        )
    return ListedTools(found)


def _parsed(file: Path) -> Any:
    text = _functions(file) if file.suffix == ".py" else _text(file)
    if file.suffix in (".yaml", ".yml"):
        try:
            return YAML(typ="safe", pure=True).load(text)
        except (YAMLError, ValueError, RecursionError) as error:
            raise SkillToolsError(f"{file} is not YAML: {error}") from error
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SkillToolsError(
            f"{file} is not JSON: {error}\n    fix: name function schemas, an MCP tools/list result, "
            "an OpenAPI document (.json or .yaml), or a .py file"
        ) from error


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SkillToolsError(f"{file} cannot be read: {error}") from error


def _functions(file: Path) -> str:
    command = [sys.executable, "-c", _READ, str(file)]
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired as error:
        raise SkillToolsError(f"importing {file} took more than {SECONDS:g} seconds") from error
    if run.returncode:
        last = (run.stderr.strip().splitlines() or ["it stopped"])[-1]
        raise SkillToolsError(
            f"the functions of {file} cannot be read: {last}\n    fix: give every parameter a type, "
            "and install what the module imports"
        )
    return run.stdout.strip().splitlines()[-1]


def _declared(name: str, tool: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a tool in env.yaml."""
    try:
        schema = inlined(tool["schema"] or {})
    except ValueError as error:
        raise SkillToolsError(f"the schema of the tool {name!r} cannot be used: {error}") from error
    required = schema.get("required", ())
    fields: dict[str, Any] = {"description": tool["description"].strip()}
    method = re.sub(r"\W", "_", name).strip("_")
    if not name.isidentifier() or name in RESERVED_METHODS:
        fields["method"] = f"{method}_tool" if method in RESERVED_METHODS else method
    if parameters := {
        key: as_parameter(field, optional=key not in required)
        for key, field in schema.get("properties", {}).items()
    }:
        fields["parameters"] = parameters
    return fields


def as_parameter(schema: Mapping[str, Any], *, optional: bool = False) -> dict[str, Any]:
    """Return a parameter of env.yaml for a JSON Schema without references."""
    own = {key: schema[key] for key in ("description",) if schema.get(key)}
    if optional:
        own["default"] = schema.get("default")
    choices = schema.get("anyOf")
    values = [each for each in choices or () if each.get("type") != "null"]
    if choices and len(values) == 1 and set(schema) <= {"anyOf", *_WORDS}:
        inner = as_parameter(values[0])
        return {**inner, "nullable": True, **own}
    return {**(_typed(schema) or {"schema": _without_words(schema)}), **own}


def _typed(schema: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the type and bounds of a schema; None if env.yaml has no words for all of its keywords."""
    kind, rest = schema.get("type"), set(schema) - set(_WORDS)
    if kind == "string" and rest == {"enum"} and all(isinstance(e, str) for e in schema["enum"]):
        return {"type": "enum", "values": list(schema["enum"])}
    if kind == "object":
        return _object(schema, rest)
    if kind not in _BOUNDS or not rest <= _BOUNDS[kind].keys():
        return None
    found: dict[str, Any] = {"type": kind}
    for key, name in _BOUNDS[kind].items():
        if key in schema:
            found[name] = as_parameter(schema[key]) if key == "items" else schema[key]
    return found if kind != "array" or "items" in found else None


def _object(schema: Mapping[str, Any], rest: set[str]) -> dict[str, Any] | None:
    if not rest <= {"properties", "required", "additionalProperties"}:
        return None
    found: dict[str, Any] = {"type": "object"}
    required = schema.get("required", ())
    if schema.get("properties"):
        found["fields"] = {
            name: as_parameter(field, optional=name not in required)
            for name, field in schema["properties"].items()
        }
    if isinstance(schema.get("additionalProperties"), Mapping):
        found["values"] = as_parameter(schema["additionalProperties"])
    return found


def _without_words(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in schema.items() if key not in ("description", "default")}


def _method(name: str, fields: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return a tool's method, the parameters of its signature, and its description on one line."""
    try:
        tool = Tool.model_validate(fields)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise SkillToolsError(
            f"the tool {name!r} cannot be declared: {place}: {first['msg']}"
        ) from error
    about = " ".join(tool.description.split()).replace("\\", "/").replace('"', "'")
    return tool.method or name, signature(tool), about


def _as_block(tools: Mapping[str, Any]) -> str:
    """Return the tools as YAML, with a parameter in one line if it is short."""
    writer, out = YAML(), StringIO()
    writer.width = 110
    writer.dump(_laid_out(tools, 0), out)
    return "".join(f"  {line}\n" for line in out.getvalue().splitlines()).rstrip()


def _laid_out(value: Any, depth: int) -> Any:
    if not isinstance(value, dict | list):
        return value
    inner: Sequence[Any] = list(value.values()) if isinstance(value, dict) else value
    flat = depth >= 3 and not any(isinstance(each, dict) and each for each in inner)
    found: Any = CommentedMap() if isinstance(value, dict) else CommentedSeq()
    if isinstance(value, dict):
        for key, each in value.items():
            found[key] = _laid_out(each, depth + 1)
    else:
        found.extend(_laid_out(each, depth + 1) for each in value)
    if flat or isinstance(value, list):
        found.fa.set_flow_style()
    return found
