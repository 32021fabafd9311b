"""`new --tools`: an environment around function schemas, an MCP listing or typed functions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import skill_tools
from skill_tools.errors import SkillToolsError, SpecError
from skill_tools.frameworks.rules import load
from tests.over import over

FILTER = {
    "type": "object",
    "properties": {
        "state": {"type": "string", "enum": ["open", "closed"], "description": "Which."},
        "most": {"type": "integer", "minimum": 1, "default": 10, "description": "How many."},
    },
    "required": ["state"],
    "additionalProperties": False,
}
SEARCH = {
    "name": "search-issues",
    "description": 'Search.\nReturns "all".',
    "inputSchema": {
        "type": "object",
        "$defs": {"Filter": FILTER},
        "properties": {
            "query": {"type": "string", "maxLength": 80, "description": "Words."},
            "filter": {"$ref": "#/$defs/Filter", "description": "What to leave out."},
            "prices": {"type": "object", "additionalProperties": {"type": "number"}},
            "day": {"type": ["string", "null"], "format": "date", "description": "Since when."},
            "labels": {"type": "array", "items": {"type": "string"}, "minItems": 1},
        },
        "required": ["query", "filter"],
    },
}
CLOSE = {"name": "close", "description": "Close one.", "inputSchema": {"type": "object"}}
LISTED = {"jsonrpc": "2.0", "id": 1, "result": {"tools": [SEARCH, CLOSE]}}
FUNCTIONS = '''
from typing import Literal

from pydantic import BaseModel


class Item(BaseModel):
    sku: str
    count: int = 1


def order(items: list[Item], speed: Literal["slow", "fast"] = "slow", note: str | None = None) -> str:
    """Order items."""


def _hidden(x: int): ...
'''


def made(tmp_path: Path, text: str, name: str = "tools.json") -> Path:
    (tmp_path / name).write_text(text, "utf-8")
    skill_tools.new_from_tools(tmp_path / "desk", tmp_path / name)
    return tmp_path / "desk"


def test_an_mcp_listing_becomes_tools_with_methods(tmp_path: Path) -> None:
    folder = made(tmp_path, json.dumps(LISTED))
    spec = load(folder)
    assert spec.methods == {"search-issues": "search_issues", "close": "close_tool"}
    assert spec.frameworks == ["ors", "verifiers", "nemo_gym"]  # OpenEnv has its own `close`
    (search, _) = spec.tool_rules()
    assert search["description"] == SEARCH["description"]
    check = Draft202012Validator(search["parameters"])
    for given in ({"query": "a"}, {"query": "a", "filter": {"state": "shut"}}, {"query": "a" * 81}):
        assert not check.is_valid(given)
    full = {"state": "open"}, {"state": "closed", "most": 3}
    assert all(check.is_valid({"query": "a", "filter": each, "prices": {"x": 1}}) for each in full)
    assert check.is_valid({"query": "a", "filter": full[0], "day": None, "labels": ["x"]})
    world = (folder / "world.py").read_text("utf-8")
    compile(world, "world.py", "exec")
    assert "def search_issues(self, *, query: str, filter: dict[str, Any], prices:" in world


@over("wrapped", [[SEARCH], {"tools": [SEARCH]}, [{"type": "function", "function": SEARCH}]])
def test_the_usual_envelopes_of_schemas_are_read(tmp_path: Path, wrapped: Any) -> None:
    assert list(load(made(tmp_path, json.dumps(wrapped))).tools) == ["search-issues"]


def test_typed_functions_become_tools(tmp_path: Path) -> None:
    spec = load(made(tmp_path, FUNCTIONS, "functions.py"))
    (order,) = spec.tool_rules()
    check = Draft202012Validator(order["parameters"])
    assert check.is_valid({"items": [{"sku": "a", "count": 2}], "speed": "fast", "note": None})
    for given in (
        {},
        {"items": [{}]},
        {"items": [{"sku": "a", "count": "2"}]},
        {"items": [], "speed": "x"},
    ):
        assert not check.is_valid(given)


@over(
    ("text", "says"),
    [
        ("{}", "has no tools"),
        ("[1]", "has no tools"),
        ("nothing", "is not JSON"),
        ('[{"name": "a b"}]', "model servers refuse the tool name 'a b'"),
        (
            json.dumps(
                [{"name": "a", "parameters": {"properties": {"x": {"$ref": "http://x/y"}}}}]
            ),
            "leads out of the schema",
        ),
    ],
)
def test_what_cannot_be_declared_is_refused_and_nothing_is_written(
    tmp_path: Path, text: str, says: str
) -> None:
    with pytest.raises((SkillToolsError, SpecError), match=says.replace("(", r"\(")):
        made(tmp_path, text)
    assert not (tmp_path / "desk").exists()


def test_functions_that_cannot_be_imported_say_why(tmp_path: Path) -> None:
    with pytest.raises(SkillToolsError, match="No module named 'no_such_package'"):
        made(tmp_path, "import no_such_package\n", "functions.py")
