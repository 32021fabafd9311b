"""Scripts for environments of others: sensible where the schema is, bounded whatever it is."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from skill_tools.play.audit_scripts import FILLERS, fill, malformed, sample, write_groups
from skill_tools.play.samples import harvest, quoted

SAY = {"name": "say", "parameters": {"properties": {"text": {"type": "string"}}}}
MOVE = {
    "type": "object",
    "properties": {
        "to": {"$ref": "#/$defs/Square"},
        "how": {"enum": ["fast", "slow"]},
        "times": {"type": "integer", "minimum": 2, "maximum": 4},
        "why": {"anyOf": [{"type": "null"}, {"type": "string"}]},
        "path": {"type": "array", "items": {"type": "number"}, "minItems": 2},
    },
    "required": ["to", "how", "times", "why", "path"],
    "$defs": {
        "Square": {
            "type": "object",
            "properties": {"row": {"type": "integer"}},
            "required": ["row"],
        }
    },
}
HOSTILE: dict[str, Any] = {
    "no object": [1, 2],
    "refers to itself": {"properties": {"a": {"$ref": "#/properties/a"}}, "required": ["a"]},
    "refers to its root": {"properties": {"a": {"$ref": "#"}}, "required": ["a"]},
    "an array without end": {
        "properties": {"a": {"type": "array", "minItems": 10**9, "items": {"$ref": "#"}}},
        "required": ["a"],
    },
    "a text without end": {
        "properties": {"a": {"type": "string", "minLength": 10**12}},
        "required": ["a"],
    },
    "a pattern that never ends": {
        "properties": {"a": {"type": "string", "pattern": "((a{1,999}){1,999}){1,999}$"}},
        "required": ["a"],
    },
    "bounds that cross": {
        "properties": {"a": {"type": "integer", "minimum": 9, "maximum": 1}},
        "required": ["a"],
    },
    "bounds that are words": {
        "properties": {"a": {"type": "number", "minimum": "low"}},
        "required": "a",
    },
}


def test_what_a_schema_says_is_kept() -> None:
    fits = Draft202012Validator(MOVE)
    for seed in range(50):
        made = sample(MOVE, random.Random(seed), ())
        assert not list(fits.iter_errors(made)), made


@pytest.mark.parametrize("schema", HOSTILE.values(), ids=list(HOSTILE))
def test_a_hostile_schema_gives_a_call_of_some_bounded_size(schema: Any) -> None:
    tool = {"name": "do", "description": "", "parameters": schema}
    for seed in range(20):
        made = sample(schema, random.Random(seed), ["x"])
        assert len(json.dumps(made)) < 100_000
    calls = malformed([tool], False, random.Random(0)) + fill([tool], False, 20, random.Random(0))
    assert len(json.dumps(calls)) < 100_000


def test_filler_differs_in_its_length_alone() -> None:
    made = [fill([SAY], True, n, random.Random(n)) for n in FILLERS]
    texts = [calls[0]["arguments"]["text"] for calls in made]
    assert [len(text) for text in texts] == list(FILLERS)
    assert all(texts[-1].startswith(text) for text in texts)


def test_filler_is_not_for_tools_without_free_text() -> None:
    assert fill([{"name": "move", "parameters": {"properties": {"n": {"type": "integer"}}}}],
                False, 20, random.Random(0)) == []  # fmt: skip


def test_examples_of_actions_are_read_from_the_prompt() -> None:
    text = "Say <action>hit</action>, \\boxed{12}, [up left] or `look`. Finish with #### 42"
    found = harvest([{"role": "user", "content": text}])
    assert found == ["<action>hit</action>", "\\boxed{12}", "[up left]", "#### 42", "look"]


def places(*seeds: int) -> list[dict[str, Any]]:
    return [{"split": None, "index": None, "seed": seed} for seed in seeds]


def test_a_solution_is_played_whole_by_half_and_beyond_its_end() -> None:
    solution = [{"tool": "say", "arguments": {"text": str(n)}} for n in range(4)]
    found = {"name": "x", "tools": [SAY], "in_text": True, "places": places(0, 1)}
    groups = write_groups(found, {(None, None, 0): solution})
    by_policy = {(s["policy"], s["seed"]): s for group in groups["first"] for s in group["scripts"]}
    assert by_policy["oracle", 0]["calls"] == solution
    assert by_policy["early_stop", 0]["calls"] == solution[:2]
    assert len(by_policy["past_done", 0]["calls"]) > len(solution)
    assert ("oracle", 1) not in by_policy
    keys = [group["key"] for several in groups.values() for group in several]
    assert len(set(keys)) == len(keys)


def test_an_environment_of_one_task_is_played_beside_itself() -> None:
    found = {"name": "x", "tools": [SAY], "in_text": True, "places": places(0), "seeded": True}
    groups = write_groups(found, {})
    (group,) = groups["together"]
    assert len(group["scripts"]) == 2
    assert [s["seed"] for g in groups["reseeded"] for s in g["scripts"]] == [1]
