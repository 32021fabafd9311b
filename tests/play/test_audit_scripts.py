"""Scripts for environments of others: sensible where the schema is, bounded whatever it is."""

from __future__ import annotations

import json
import random
import time
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from skill_tools.audit.samples import harvest, quoted
from skill_tools.audit.scripts import FILLERS, fill, malformed, random_call, sample, write_groups
from tests.over import over

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
BUTTONS = {
    "type": "object",
    "properties": {
        "sticks": {
            "type": "array",
            "minItems": 2,
            "maxItems": 2,
            "prefixItems": [
                {"type": "integer", "minimum": 0, "maximum": 1},
                {"type": "integer", "minimum": 7, "maximum": 9},
            ],
        },
        "keys": {"type": "array", "minItems": 30, "items": {"type": "integer", "maximum": 1}},
    },
    "required": ["sticks", "keys"],
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


@over("schema", [MOVE, BUTTONS], ids=["move", "buttons"])
def test_what_a_schema_says_is_kept(schema: Any) -> None:
    fits = Draft202012Validator(schema)
    for seed in range(50):
        made = sample(schema, random.Random(seed), ())
        assert not list(fits.iter_errors(made)), made


@over("schema", HOSTILE.values(), ids=list(HOSTILE))
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


def test_a_wrong_answer_is_followed_by_the_right_one() -> None:
    def second(*texts: str) -> list[list[str]]:
        solutions = {
            (None, None, seed): [{"tool": "say", "arguments": {"text": text}}]
            for seed, text in enumerate(texts)
        }
        found = {"name": "x", "tools": [SAY], "in_text": True, "places": places(*range(len(texts)))}
        scripts = [s for g in write_groups(found, solutions)["first"] for s in g["scripts"]]
        answers = [s for s in scripts if s["policy"] == "second_answer"]
        # Whichever call ends the episode, all after it may be made.
        assert all(s["beyond"] == len(s["calls"]) - 1 for s in answers)
        return [[call["arguments"]["text"] for call in s["calls"]] for s in answers]

    assert second("B", "C") == [["C", "B"], ["B", "C"]]
    assert second("100", "100") == [["101", "100"], ["101", "100"]]
    assert second("crane") == [["zq", "crane"]]


def test_nobody_calls_after_an_end_that_is_the_framework_s() -> None:
    found = {"name": "x", "tools": [SAY], "in_text": True, "places": places(0), "ends_itself": True}
    solution = [{"tool": "say", "arguments": {"text": "B"}}]
    scripts = [
        s for g in write_groups(found, {(None, None, 0): solution})["first"] for s in g["scripts"]
    ]
    assert not any(s.get("beyond") or s["policy"] == "second_answer" for s in scripts)


def test_without_a_solution_there_is_no_second_answer() -> None:
    found = {"name": "x", "tools": [SAY], "in_text": True, "places": places(0)}
    policies = {s["policy"] for g in write_groups(found, {})["first"] for s in g["scripts"]}
    assert "second_answer" not in policies


def test_a_list_of_legal_moves_is_what_may_be_played() -> None:
    shown = (
        '{"board": [[1, 2]], "legal_moves": ["e2e4", "g1f3"], "legal_actions": [0, 17], "n": [5]}'
    )
    assert harvest([{"role": "user", "content": shown}])[:4] == ["e2e4", "g1f3", 0, 17]
    field = {"properties": {"action": {"type": "integer"}}, "required": ["action"]}
    drawn = {sample(field, random.Random(n), [0, 17])["action"] for n in range(50)}
    assert 17 in drawn


def test_a_box_is_filled_with_the_letters_of_the_options() -> None:
    shown = "Put the letter inside \\boxed{}.\nA: one\nB: two\n(C) three"
    assert harvest([{"role": "user", "content": shown}]) == [
        "\\boxed{A}",
        "\\boxed{B}",
        "\\boxed{C}",
    ]
    assert harvest([{"role": "user", "content": "Answer in \\boxed{}."}]) == ["\\boxed{1}"]


def test_words_in_quotes_of_a_description_are_what_an_argument_may_be() -> None:
    act = {
        "name": "step",
        "description": 'One step: "water", "break" or "wait".',
        "parameters": {"properties": {"action": {"type": "string"}}, "required": ["action"]},
    }
    drawn = {
        random_call([act], False, [], random.Random(n))["arguments"]["action"] for n in range(60)
    }
    assert {"water", "break", "wait"} <= drawn
    own = {
        "properties": {"a": {"type": "string", "description": "`up` or `down`"}},
        "required": ["a"],
    }
    drawn = {sample(own, random.Random(n), ["elsewhere"])["a"] for n in range(60)}
    assert {"up", "down"} <= drawn
    assert "elsewhere" not in drawn


@pytest.mark.parametrize(
    "text", ['"' * 100_000, '"legal_moves": [' + "1," * 100_000, "\\boxed{" * 50_000]
)
def test_a_hostile_text_is_read_quickly_and_gives_few_samples(text: str) -> None:
    began = time.perf_counter()
    assert len(harvest([{"role": "user", "content": text}])) <= 60
    assert len(quoted(text)) <= 60
    assert time.perf_counter() - began < 2.0
