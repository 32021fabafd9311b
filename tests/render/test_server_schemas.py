"""What models are not shown of a tool's schema is enforced by the rendered environment."""

from __future__ import annotations

import importlib
import random
import sys
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from skill_tools.evidence.declaration import Declaration
from skill_tools.frameworks.rules import load
from skill_tools.pipeline import render
from skill_tools.policies import scripted
from skill_tools.spec.model import EnvSpec
from tests.conftest import write_counter

LIMITS = """\
      note: {type: string, max_length: 8000, default: "", description: Any remark.}
      code: {type: string, pattern: '^\\d+$', min_length: 2, default: "12"}
      words:
        type: array
        max_items: 50
        items: {type: string, max_length: 3000}
        default: []
      kind: {type: enum, values: ["", a, b], default: ""}
      big: {type: integer, maximum: 100000000000000000000, default: 0}
"""


@pytest.fixture
def limited(tmp_path: Path) -> Path:
    """A counter with a parameter for each thing that some server refuses."""
    note = '      note: {type: string, max_length: 5, default: "", description: Any remark.}\n'
    takes = 'amount, note="", code="", words=(), kind="", big=0'
    folder = tmp_path / "counter"
    return write_counter(folder, env=(note, LIMITS), game=('amount, note=""', takes))


@pytest.fixture
def shared(limited: Path) -> Iterator[Any]:
    """Imports what a rendered environment shares with its variants."""
    render(limited)
    with imported(limited) as module:
        yield module


@contextmanager
def imported(folder: Path) -> Iterator[Callable[[str], Any]]:
    """Imports modules of the `_shared` of a rendered counter."""
    package = types.ModuleType("counter_domain")
    package.__path__ = [str(folder)]
    sys.modules["counter_domain"] = package
    yield lambda name: importlib.import_module(f"counter_domain._shared.{name}")
    for name in [name for name in sys.modules if name.startswith("counter_domain")]:
        del sys.modules[name]


def rules(spec: EnvSpec) -> dict[str, Any]:
    return {tool["name"]: tool["parameters"] for tool in spec.tool_rules()}


def bare(schema: Any) -> Any:
    """A schema without descriptions."""
    if not isinstance(schema, dict):
        return schema
    return {key: bare(value) for key, value in schema.items() if key != "description"}


def test_models_are_shown_what_every_server_takes(shared: Any) -> None:
    (add, _) = shared("env_spec").TOOLS
    fields = add["parameters"]["properties"]
    assert fields["note"] == {
        "type": "string",
        "description": "Any remark. Allowed: at most 8000 characters.",
        "default": "",
    }
    assert fields["code"] == {
        "type": "string",
        "minLength": 2,
        "default": "12",
        "description": "Allowed: matching ^\\d+$.",
    }
    assert fields["words"]["items"] == {"type": "string"}
    assert "maxItems" not in fields["words"]
    assert "enum" not in fields["kind"]
    assert "maximum" not in fields["big"]


def test_calls_are_held_to_the_whole_schema(shared: Any, limited: Path) -> None:
    assert bare(shared("tool_rules").RULES) == bare(rules(load(limited)))


@pytest.mark.everything("costly")
@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"note": "x" * 8001}, 'note must be text, at most 8000 characters, was "xxx'),
        (
            {"code": "x1"},
            'code must be text, at least 2 characters, matching ^\\d+$, was "x1"',
        ),
        (
            {"words": ["a"] * 51},
            "words must be a list, at most 50 items, each text, at most 3000 characters, was [",
        ),
        ({"words": ["x" * 3001]}, "words must be a list, at most 50 items, each text"),
        ({"kind": "c"}, 'kind must be one of , a, b, was "c"'),
        ({"big": 10**20 + 1}, "big must be a whole number, at most 100000000000000000000, was"),
    ],
)
def test_what_models_are_not_shown_is_refused_with_its_reason(
    shared: Any, given: dict[str, Any], says: str
) -> None:
    opened = shared("episode").Episode(shared("task_table").task_at("train", 0))
    step = opened.call("add", {"amount": 1, **given})
    assert step.error == "invalid_arguments"
    assert step.text.startswith(f"add: {says}")


def test_what_is_at_an_unshown_bound_is_played(shared: Any) -> None:
    opened = shared("episode").Episode(shared("task_table").task_at("train", 0))
    at = {"note": "x" * 8000, "code": "12", "words": ["x" * 3000] * 50, "kind": "", "big": 10**20}
    assert opened.call("add", {"amount": 1, **at}).error is None


def test_policies_know_the_unshown_bounds(shared: Any, limited: Path) -> None:
    spec = load(limited)
    episode, task = shared("episode"), shared("task_table").task_at("train", 0)
    for turn in scripted.sampled(spec.tool_rules(), "label", 100):
        (call,) = turn.calls
        step = episode.Episode(task).call(call.tool, call.arguments)
        assert step.error in (None, "invalid_action"), step.text
    broken = [
        call
        for turn in scripted.malformed(spec.tool_rules(), "label")
        for call in turn.calls
        if isinstance(call.arguments, dict) and call.tool == "add"
    ]
    given = [call.arguments for call in broken]
    assert [each for each in given if len(str(each.get("note"))) == 8001]
    lists = [each["words"] for each in given if isinstance(each.get("words"), list)]
    assert 51 in map(len, lists)
    assert [each for each in given if each.get("code") == "~ fits no pattern ~"]
    for call in broken:
        assert episode.Episode(task).call("add", call.arguments).error == "invalid_arguments"


def test_checks_judge_what_the_author_declared(limited: Path) -> None:
    spec = load(limited)
    assert Declaration.of(spec).parameters["add"] == rules(spec)["add"]["properties"]


def test_where_actions_are_text_the_whole_schema_is_told(limited: Path) -> None:
    render(limited, ["gem"])
    reported = (limited / "_shared" / "env_spec.py").read_text("utf-8")
    assert "NOTE (text, at most 8000 characters, " in reported.partition("INSTRUCTIONS")[2]


def test_random_actions_are_drawn_by_the_whole_schema(tmp_path: Path) -> None:
    note = ('default: "", description: Any remark.', "description: Any remark.")
    long = ("max_length: 5", "max_length: 8000")
    folder = write_counter(tmp_path / "counter", env=[note, long])
    render(folder, ["gem"])
    with imported(folder) as module:
        draw, text = (
            module("rollouts.random_message").random_message,
            module("rollouts.text_actions"),
        )
        drawn = [draw(random.Random(seed)) for seed in range(30)]
        calls = [call for message in drawn for call in text.read(message)]
    assert drawn == [draw(random.Random(seed)) for seed in range(30)]
    lengths = [len(call.arguments["note"]) for call in calls if call.tool == "add"]
    assert 1000 < max(lengths) <= 8000
    assert all(1 <= call.arguments["amount"] <= 9 for call in calls if call.tool == "add")
