"""`new --tools`: an environment around function schemas, an MCP listing, OpenAPI or typed functions."""

from __future__ import annotations

import json
import re
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
API = """
openapi: 3.0.3
info: {title: Desk, version: 2026-01-01}
paths:
  /orders/{order-id}:
    parameters:
      - {$ref: '#/components/parameters/Order'}
    put:
      operationId: orders.change
      summary: Change an order.
      security: [{key: []}]
      parameters:
        - {name: X-Trace, in: header, schema: {type: string, format: uuid}, description: For logs.}
        - {name: key, in: query, schema: {type: string}}
        - {name: session, in: cookie, schema: {type: string}}
        - {name: Accept, in: header, schema: {type: string}}
        - name: class
          in: query
          schema: {type: integer, format: int32, minimum: 0, exclusiveMinimum: true, nullable: true}
      requestBody:
        required: true
        content:
          application/json:
            schema:
              allOf:
                - {$ref: '#/components/schemas/Named'}
                - type: object
                  required: [lines]
                  properties:
                    lines: {type: array, items: {$ref: '#/components/schemas/Line'}, minItems: 1}
          text/csv: {schema: {type: string}}
      responses: {200: {description: OK}}
  /lineItems/{n}/notes:
    post:
      parameters: [{name: n, in: path, schema: {type: integer}}]
      requestBody: {content: {text/plain: {schema: {type: string, maxLength: 9}}}}
      responses: {200: {description: OK}}
    patch:
      parameters: [{name: n, in: path, required: true, schema: {type: integer}}]
      requestBody:
        content: {application/json: {schema: {type: object, required: [text], properties: {text: {type: string}}}}}
      responses: {200: {description: OK}}
webhooks: {}
components:
  securitySchemes:
    key: {type: apiKey, in: query, name: key}
    login: {type: oauth2, flows: {}}
  parameters:
    Order: {name: order-id, in: path, required: true, schema: {$ref: '#/components/schemas/Id~1Order'}}
  schemas:
    Id/Order: {type: string, example: 2026-01-01, minLength: 2}
    Named:
      type: object
      required: [id, name]
      properties: {id: {type: integer, readOnly: true}, name: {type: string}, x: {$ref: '#/components/schemas/Line'}}
    Line:
      type: object
      required: [sku]
      properties:
        sku: {type: string}
        parts: {type: array, items: {$ref: '#/components/schemas/Line'}}
"""


DESK = '''
from shop.api.stock import STOCK

class Desk:
    def __init__(self, clerk: object) -> None:
        self.orders = []

    def order(self, item: str, count: int = 1) -> str:
        """Order an item.

        Args:
            item (str): The item's name.
        """
        return str(STOCK[item] - count)

    def _count(self) -> int:
        return len(self.orders)
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


@pytest.mark.everything("costly")
def test_the_methods_of_a_class_become_tools_if_no_function_is_public(tmp_path: Path) -> None:
    package = tmp_path / "shop" / "api"
    package.mkdir(parents=True)
    for folder in (package, package.parent):
        (folder / "__init__.py").touch()
    (package / "stock.py").write_text("STOCK = {'pen': 3}\n", "utf-8")
    (package / "desk.py").write_text(DESK, "utf-8")
    skill_tools.new_from_tools(tmp_path / "desk", package / "desk.py")
    (order,) = load(tmp_path / "desk").tool_rules()
    assert (order["name"], order["description"]) == ("order", "Order an item.")
    assert order["parameters"]["required"] == ["item"]
    assert order["parameters"]["properties"]["item"]["description"] == "The item's name."


@pytest.mark.everything("costly")
def test_a_file_that_is_called_like_a_module_of_python_is_read_itself(tmp_path: Path) -> None:
    assert list(load(made(tmp_path, FUNCTIONS, "calendar.py")).tools) == ["order"]


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
            "points outside the schema",
        ),
    ],
)
def test_what_cannot_be_declared_is_refused_and_nothing_is_written(
    tmp_path: Path, text: str, says: str
) -> None:
    with pytest.raises((SkillToolsError, SpecError), match=says.replace("(", r"\(")):
        made(tmp_path, text)
    assert not (tmp_path / "desk").exists()


@pytest.mark.everything("costly")
def test_functions_that_cannot_be_imported_say_why(tmp_path: Path) -> None:
    with pytest.raises(SkillToolsError, match="No module named 'no_such_package'"):
        made(tmp_path, "import no_such_package\n", "functions.py")


def test_the_operations_of_an_openapi_document_become_tools(tmp_path: Path) -> None:
    (tmp_path / "api.yaml").write_text(API, "utf-8")
    found = skill_tools.new_from_tools(tmp_path / "desk", tmp_path / "api.yaml")
    spec = load(tmp_path / "desk")
    names = ["orders_change", "post_line_items_n_notes", "patch_line_items_n_notes"]
    assert list(spec.tools) == names
    change, note, patch = spec.tool_rules()
    assert change["parameters"]["required"] == ["order_id", "name", "lines"]
    assert note["parameters"]["required"] == ["n"], "every path needs its parameters"
    assert patch["parameters"]["required"] == ["n"], "of a body that may be left out, nothing is"
    fields = change["parameters"]["properties"]
    assert list(fields) == ["order_id", "X_Trace", "class_", "name", "x", "lines"]
    assert fields["X_Trace"]["description"] == "For logs."
    check = Draft202012Validator(change["parameters"])
    good = {"order_id": "ab", "name": "tea", "lines": [{"sku": "a", "parts": [{"sku": "b"}]}]}
    for more in ({}, {"class_": 1}, {"class_": None}, {"x": {"sku": "a"}}):
        assert check.is_valid({**good, **more}), more
    for wrong in (
        {"order_id": "a"}, {"class_": 0}, {"lines": []}, {"lines": [{}]}, {"name": 1}, {"id": 3},
        {"lines": [{"sku": "a", "parts": [{"sku": "b", "parts": [{"sku": 3}]}]}]},
    ):  # fmt: skip
        assert not check.is_valid({**good, **wrong}), wrong
    below = {"sku": "a", "parts": [{"sku": "b", "parts": [{"sku": "c", "parts": ["any"]}]}]}
    assert check.is_valid({**good, "lines": [below]}), "bounded depth"
    assert Draft202012Validator(note["parameters"]).is_valid({"n": 1, "body": "123456789"})
    assert not Draft202012Validator(note["parameters"]).is_valid({"n": 1, "body": "1234567890"})
    told = "\n".join(found.left_out)
    for part in (
        "the security scheme key (apiKey in the query key) is left out: credentials belong",
        "the security scheme login (oauth2) is left out",
        "PUT /orders/{order-id}: the cookie session is left out",
        "the path argument order-id is called order_id",
        "a body as text/csv is left out: application/json is used",
        "Line contains itself: any value is accepted below 3 levels",
    ):
        assert part in told, told


def document(tmp_path: Path, **changed: Any) -> Path:
    paths = {
        "/a": {
            "get": {
                "parameters": [{"name": "x", "in": "query", "schema": changed.pop("schema", {})}]
            }
        }
    }
    (tmp_path / "api.json").write_text(json.dumps({"openapi": "3.1.0", "paths": paths, **changed}))
    return tmp_path / "api.json"


@over(
    ("changed", "says"),
    [
        (
            {"schema": {"$ref": "other.yaml#/X"}},
            "GET /a: $ref 'other.yaml#/X' points outside the document",
        ),
        ({"schema": {"$ref": "https://example.org/x.json"}}, "points outside the document"),
        ({"schema": {"$ref": "#/components/schemas/No"}}, "points to a missing part"),
        ({"schema": {"type": "strange"}}, "cannot be used: not a JSON Schema"),
        ({"openapi": "2.0"}, "is OpenAPI 2.0, but only 3.x is supported"),
        ({"paths": {}}, "has no operations"),
        (
            {"paths": {"/a": {"get": {"operationId": "a b"}, "put": {"operationId": "a_b"}}}},
            "two operations have the name",
        ),
        ({"paths": {"/a": {"$ref": "#/paths/~1a"}}}, "is a reference to itself"),
    ],
)
def test_what_an_openapi_document_cannot_say_is_refused(
    tmp_path: Path, changed: dict[str, Any], says: str
) -> None:
    with pytest.raises(SkillToolsError, match=re.escape(says)):
        skill_tools.new_from_tools(tmp_path / "desk", document(tmp_path, **changed))


def test_references_that_grow_exponentially_end(tmp_path: Path) -> None:
    several = {
        f"S{n}": {
            "type": "object",
            "properties": {k: {"$ref": f"#/components/schemas/S{n + 1}"} for k in "abcdefgh"},
        }
        for n in range(9)
    }
    schemas = {**several, "S9": {"type": "string"}}
    file = document(
        tmp_path, schema={"$ref": "#/components/schemas/S0"}, components={"schemas": schemas}
    )
    with pytest.raises(SkillToolsError, match="keep only the paths that an agent needs"):
        skill_tools.new_from_tools(tmp_path / "desk", file)
