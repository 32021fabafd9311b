"""Existing tools as an author's declarations, from schemas, an MCP listing, OpenAPI, or typed functions."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import jinja2
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from skill_tools.archetypes import STARTERS, scaffold
from skill_tools.archetypes.scaffold import NewEnvironment, write_new
from skill_tools.archetypes.starter import as_yaml
from skill_tools.errors import SkillToolsError, nearest
from skill_tools.frameworks import FRAMEWORKS
from skill_tools.pipeline.openapi.operations import ListedTools, is_openapi, read_openapi
from skill_tools.render.tool_declarations import as_block, declare, method_of
from skill_tools.spec.model import (
    ARCHETYPE_NAMES,
    USUAL_FRAMEWORKS,
    class_name_of,
)

SECONDS = 60.0
"""Time limit for importing a module with functions."""
_TEMPLATES = Path(scaffold.__file__).parent / "templates" / "tools"
_READ = """
import importlib.util, inspect, json, pathlib, sys
from fastmcp.tools import Tool
path = pathlib.Path(sys.argv[1]).resolve()
root = next(each for each in path.parents if not (each / "__init__.py").exists())
sys.path[:0] = [str(root), str(path.parent)]
if root == path.parent:  # loaded by its path: a file may be called like a module of Python
    made = importlib.util.spec_from_file_location("functions", path)
    module = sys.modules["functions"] = importlib.util.module_from_spec(made)
    made.loader.exec_module(module)
else:
    module = importlib.import_module(".".join(path.relative_to(root).with_suffix("").parts))
def own(holder, kind):
    return [v for n, v in vars(holder).items() if kind(v) and v.__module__ == module.__name__ and n[0] != "_"]
found = own(module, inspect.isfunction)
for each in [] if found else own(module, inspect.isclass):
    found += [method.__get__(object()) for method in own(each, inspect.isfunction)]
tools = [Tool.from_function(f) for f in found]
print(json.dumps([{"name": t.name, "description": t.description, "parameters": t.parameters} for t in tools]))
"""
"""Script that reads a module's public functions with FastMCP, or its classes' methods if it has no functions."""


def new_from_tools(
    folder: Path | str,
    file: Path | str,
    name: str | None = None,
    archetype: str = "stateful-sandbox",
) -> NewEnvironment:
    """Write an environment with the tools of a file; the author has to implement a method for each tool.

    Args:
        folder: The new environment's folder.
        file: JSON with function schemas (OpenAI's, or an MCP `tools/list` result), an OpenAPI 3 document
            (JSON or YAML), or a Python module with typed functions or a class with typed methods, which is imported.
        name: The environment's name; by default derived from the folder.
        archetype: The archetype of the starter.

    A framework that reserves a tool's name is left out of env.yaml. Raises SkillToolsError if the file has no
    tools, and SpecError for tools that env.yaml cannot declare; nothing is written in these cases.
    """
    folder, file = Path(folder), Path(file)
    if archetype in STARTERS and archetype not in ARCHETYPE_NAMES:
        raise SkillToolsError(
            f"the starter {archetype!r} has its own tools\n    fix: start it without --tools; "
            "--archetype stateful-sandbox --tools FILE in another folder writes a section to copy"
        )
    if archetype not in ARCHETYPE_NAMES:
        raise SkillToolsError(
            f"there is no archetype {archetype!r}{nearest(archetype, ARCHETYPE_NAMES)}"
        )
    listed = read_tools(file)
    tools = {name: declare(name, tool) for name, tool in listed.tools.items()}
    own = name or folder.name.replace("-", "_").lower()
    methods = [method_of(name, fields) for name, fields in tools.items()]
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
        "tools": as_block(tools),
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
    """Return the tools of a file, with their description and JSON Schema. Raises SkillToolsError if there are none."""
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
