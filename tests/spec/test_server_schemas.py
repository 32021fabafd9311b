"""Tool schemas as models' servers see them: every server takes those that we ship."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from skill_tools.archetypes import STARTERS, start
from skill_tools.errors import SpecError
from skill_tools.frameworks.rules import load
from skill_tools.spec.model import EnvSpec
from skill_tools.spec.parameters import Array, Enum, Integer, Object, Raw, String
from skill_tools.spec.shown import MOST_ITEMS, MOST_LENGTH, left_out, shown
from skill_tools.spec.tools import Tool
from tests.conftest import ROOT, write_counter
from tests.over import over
from tests.spec.server_rules import RULES

ENVIRONMENTS = sorted(
    [
        *(path.parent for path in ROOT.glob("reference_envs/*/env.yaml")),
        *(path.parent for path in ROOT.glob("evals/cases/*/reference/env.yaml")),
    ]
)
PATTERNS = [
    *(r"^[a-h][1-8]$", "^[A-Z]{2,3}-[0-9]{1,4}$", "^(ab|cd)+$", "^[a-z.]+@[a-z.-]+$"),
    *(r"^\+[0-9 ]+$", "^a, b; c: d/e_f$", "^a?b*c+$", "^[01]{16}$"),
]
ODD_PATTERNS = [
    *("a+", "^a+", "a+$", "", "^a$|^b$", "^a|b$", r"^\d+$", r"^\w+$", r"^[\w-]+$", r"^\bfoo\b$"),
    *("^(?!a)b$", "^(?:ab)+$", "^(?P<x>ab)$", r"^(a)\1$", "^a+?$", "^a++$", r"^a\Z$", "(?i)^a$"),
    *(
        "^[^,]+$",
        "^.*$",
        "^é$",
        '^"a"$',
        r"^a\$",
        "^a{0,2000}$",
        r"^\u0041$",
        "^(^a)$",
        r"^[a\-z]$",
    ),
]


def specs() -> list[Any]:
    found = [pytest.param(path, id=str(path.relative_to(ROOT))) for path in ENVIRONMENTS]
    return [*found, *(pytest.param(name, id=name) for name in STARTERS)]


def spec_of(shipped: Path | str, folder: Path) -> EnvSpec:
    if isinstance(shipped, Path):
        return load(shipped)
    for path, text in start(shipped, "first").items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
    return load(folder)


@pytest.mark.everything("costly")
@over("shipped", specs())
def test_every_server_takes_every_tool_that_we_ship(shipped: Path | str, tmp_path: Path) -> None:
    tools = spec_of(shipped, tmp_path).tool_schemas()
    assert {name: found for name, rule in RULES.items() if (found := list(rule(tools)))} == {}


def tools_with(**field: Any) -> list[dict[str, Any]]:
    parameters = {"type": "object", "properties": {"x": field}, "required": ["x"]}
    return [{"name": "use", "description": "Use it.", "parameters": parameters}]


BROKEN = [
    ("llama_cpp", tools_with(type="string", maxLength=2000)),
    ("llama_cpp", tools_with(type="string", minLength=2000)),
    ("llama_cpp", tools_with(type="array", items={"type": "string"}, maxItems=1999)),
    ("llama_cpp", tools_with(type="array", items={"type": "string", "maxLength": 8000})),
    ("llama_cpp", tools_with(type="integer", minimum=-(2**63), maximum=2**63 - 1)),
    *(("llama_cpp", tools_with(type="string", pattern=p)) for p in ("a+", "^a", r"^\d$", r"^\w$")),
    *(("llama_cpp", tools_with(type="string", pattern=p)) for p in (r"^[a\-z]$", "^(?P<x>a)$", "")),
    *(("llama_cpp", tools_with(type="string", pattern=p)) for p in (r"^a\$", "^a{0,2000}$")),
    *(("xgrammar", tools_with(type="string", pattern=p)) for p in (r"^\ba$", "a+", "^a$|^b$")),
    ("xgrammar", tools_with(type="integer", maximum=10**20)),
    ("vllm", tools_with(type="string", pattern="^a$", maxLength=5)),
    *(("llguidance", tools_with(type="string", pattern=p)) for p in (r"^\ba$", r"^(a)\1$")),
    ("openai", tools_with(type="string", pattern="^(?!a)b$")),
    ("openai", [{**tools_with(type="string")[0], "name": "x" * 65}]),
    ("openai", [{**tools_with(type="string")[0], "description": "x" * 1025}]),
    ("gemini", tools_with(type="string", enum=["", "a"])),
    ("gemini", tools_with(type="string", examples=["a"])),
    ("gemini", tools_with(type="array", items={"type": "string"}, maxItems=1000)),
    ("mistral", tools_with(type="integer", exclusiveMinimum=True)),
    (
        "anthropic",
        [{**tools_with()[0], "parameters": {"properties": {"größe": {"type": "integer"}}}}],
    ),
]


@over(("server", "tools"), BROKEN)
def test_a_rule_finds_what_its_server_refuses(server: str, tools: list[dict[str, Any]]) -> None:
    assert list(RULES[server](tools))


def test_every_rule_has_a_broken_example() -> None:
    assert {server for server, _ in BROKEN} == set(RULES)


@over("pattern", PATTERNS)
def test_a_pattern_that_every_server_reads_is_shown(pattern: str) -> None:
    field = String(type="string", pattern=pattern).json_schema()
    assert shown(field) == field
    assert not [found for rule in RULES.values() for found in rule(tools_with(**shown(field)))]


@over("pattern", ODD_PATTERNS)
def test_any_other_pattern_is_told_instead(pattern: str) -> None:
    field = String(type="string", pattern=pattern, description="A word.").json_schema()
    words = f"A word. Allowed: matching {pattern}." if pattern else "A word."
    assert shown(field) == {"type": "string", "description": words}
    assert left_out(field) == {"pattern": pattern}


def test_what_is_left_out_is_told_in_the_description() -> None:
    text = String(type="string", min_length=1, max_length=8000, description="The code.")
    assert shown(text.json_schema()) == {
        "type": "string",
        "minLength": 1,
        "description": "The code. Allowed: at most 8000 characters.",
    }
    many = Array(type="array", items=String(type="string", max_length=5000), max_items=500)
    reported = "Allowed: at most 500 items, each at most 5000 characters."
    assert shown(many.json_schema()) == {
        "type": "array",
        "items": {"type": "string"},
        "description": reported,
    }
    none = Enum(type="enum", values=["", "a b"], default="")
    assert shown(none.json_schema())["description"] == 'Allowed: one of "", "a b".'
    huge = Integer(type="integer", minimum=0, maximum=10**20)
    assert shown(huge.json_schema())["description"] == "Allowed: at most 100000000000000000000."


def test_a_length_beside_a_pattern_is_told() -> None:
    both = String(type="string", pattern="^[a-z]+$", min_length=5, max_length=5)
    assert shown(both.json_schema()) == {
        "type": "string",
        "pattern": "^[a-z]+$",
        "description": "Allowed: 5 characters.",
    }


@pytest.mark.parametrize("said", ["8000 characters", "up to 8,000 of them", "8 000 at most"])
def test_what_the_author_says_is_not_told_twice(said: str) -> None:
    field = String(type="string", max_length=8000, description=said).json_schema()
    assert shown(field) == {"type": "string", "description": said}


@pytest.mark.parametrize("said", ["18000 bytes", "8000.5", "800", "x8000"])
def test_another_number_does_not_tell_it(said: str) -> None:
    field = String(type="string", max_length=8000, description=said).json_schema()
    assert shown(field)["description"] == f"{said}. Allowed: at most 8000 characters."


FIELDS = st.one_of(
    st.builds(
        String,
        type=st.just("string"),
        max_length=st.none() | st.integers(5, 3 * MOST_LENGTH),
        min_length=st.none() | st.integers(0, 5),
        pattern=st.none() | st.sampled_from([*PATTERNS, *ODD_PATTERNS]),
    ),
    st.builds(
        Array,
        type=st.just("array"),
        max_items=st.none() | st.integers(3, 5 * MOST_ITEMS),
        items=st.builds(String, type=st.just("string"), max_length=st.integers(0, 3000)),
    ),
    st.builds(Integer, type=st.just("integer"), maximum=st.integers(-(10**20), 10**20)),
    st.builds(Enum, type=st.just("enum"), values=st.lists(st.text(max_size=3), min_size=1)),
)
ODD_SCHEMAS: list[dict[str, Any]] = [
    {"type": ["string", "null"], "format": "date", "maxLength": 9000},
    {"oneOf": [{"type": "string", "pattern": r"\d"}, {"type": "integer", "multipleOf": 3}]},
    {"$defs": {"a": {"const": "x"}}, "type": "array", "items": {"$ref": "#/$defs/a"}},
    {"type": "object", "patternProperties": {"^a": {"type": "string"}}, "minProperties": 2},
    {"type": "array", "uniqueItems": True, "prefixItems": [{"type": "string"}]},
    {"enum": [1, 2]},
    {"allOf": [{"type": "string"}, {"not": {"const": ""}}]},
]
NESTED = st.recursive(
    FIELDS | st.builds(lambda schema: Raw(schema=schema), st.sampled_from(ODD_SCHEMAS)),
    lambda inner: st.one_of(
        st.builds(Array, type=st.just("array"), items=inner, nullable=st.booleans()),
        st.builds(
            Object,
            type=st.just("object"),
            fields=st.dictionaries(st.sampled_from("xyz"), inner, max_size=2),
            values=st.none() | inner,
        ),
    ),
    max_leaves=4,
)


@pytest.mark.everything("costly")
@given(st.dictionaries(st.sampled_from("abc"), NESTED))
def test_every_server_takes_whatever_an_author_writes(parameters: dict[str, Any]) -> None:
    tool = Tool(description="Use it.", parameters=parameters)
    seen = [{"name": "use", "description": "Use it.", "parameters": tool.shown_schema()}]
    assert not [found for rule in RULES.values() for found in rule(seen)]
    Draft202012Validator.check_schema(tool.shown_schema())


@pytest.mark.parametrize("name", ["größe", "a" * 65])
def test_a_name_that_servers_refuse_is_refused(name: str, tmp_path: Path) -> None:
    folder = write_counter(tmp_path, env=("note:", f"{name}:"))
    with pytest.raises(SpecError, match="model servers refuse the parameter name"):
        load(folder)
