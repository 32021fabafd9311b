"""Scripted policies: what they say, and that they say it again."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from skill_tools.policies import scripted
from skill_tools.spec.tools import Tool

PARAMETERS = st.one_of(
    st.builds(
        lambda low, extra: {"type": "integer", "minimum": low, "maximum": low + extra},
        st.integers(-100, 100),
        st.integers(0, 50),
    ),
    st.builds(
        lambda low, extra: {"type": "number", "minimum": low, "maximum": low + extra},
        st.floats(-100, 100),
        st.floats(0, 50),
    ),
    st.builds(
        lambda low, extra: {"type": "string", "min_length": low, "max_length": low + extra},
        st.integers(0, 5),
        st.integers(0, 5),
    ),
    st.just({"type": "string", "pattern": "^[a-f]{3}-[0-9]+$"}),
    st.just({"type": "boolean"}),
    st.just({"type": "enum", "values": ["left", "right"]}),
    st.builds(
        lambda low, extra: {
            "type": "array",
            "items": {"type": "integer", "minimum": 0, "maximum": 9},
            "min_items": low,
            "max_items": low + extra,
        },
        st.integers(0, 3),
        st.integers(0, 3),
    ),
    st.just({"type": "object", "values": {"type": "integer", "minimum": 1, "maximum": 3}}),
    st.just({"type": "string", "max_length": 4, "nullable": True}),
    st.just({"schema": {"type": ["integer", "null"], "minimum": 1}}),
    st.builds(
        lambda least: {
            "type": "array",
            "min_items": least,
            "items": {
                "type": "object",
                "fields": {
                    "word": {"type": "enum", "values": ["left", "right"]},
                    "size": {"type": "integer", "minimum": 1, "default": 1},
                },
            },
        },
        st.integers(0, 2),
    ),
)
TOOLS = st.dictionaries(st.sampled_from(["a", "b", "c"]), PARAMETERS, max_size=3).map(
    lambda parameters: [
        {
            "name": "tool",
            "parameters": Tool.model_validate(
                {"description": "x", "parameters": parameters}
            ).json_schema(),
        }
    ]
)


@given(TOOLS, st.text(max_size=10))
def test_random_actions_always_fit_the_schema_and_repeat(tools: list, label: str) -> None:
    script = scripted.sampled(tools, label, 10)
    assert script == scripted.sampled(tools, label, 10)
    validator = Draft202012Validator(tools[0]["parameters"])
    for turn in script:
        validator.validate(turn.calls[0].arguments)


@given(TOOLS)
def test_garbage_never_fits_the_schema(tools: list) -> None:
    validator = Draft202012Validator(tools[0]["parameters"])
    calls = [call for turn in scripted.malformed(tools, "x") for call in turn.calls]
    required = tools[0]["parameters"]["required"]
    assert len(calls) >= 4 + 3 * len(required)
    assert not any(
        call.tool == "tool"
        and not isinstance(call.arguments, str)
        and validator.is_valid(call.arguments)
        for call in calls
    )


def test_garbage_breaks_each_level_of_a_nested_argument() -> None:
    item = {"type": "object", "fields": {"size": {"type": "integer", "minimum": 1}}}
    order = {"type": "object", "fields": {"items": {"type": "array", "items": item}}}
    tool = Tool.model_validate({"description": "x", "parameters": {"order": order}})
    tools = [{"name": "buy", "parameters": tool.json_schema()}]
    calls = [call for turn in scripted.malformed(tools, "x") for call in turn.calls]
    tried = [call.arguments["order"] for call in calls if "order" in call.arguments]
    for broken in (7, {}, {"items": 7}, {"items": [7]}, {"items": [{}]}, {"items": [{"size": 0}]}):
        assert broken in tried, broken


def test_overrun_goes_on_after_the_end_in_one_message() -> None:
    (turn,) = scripted.past_done([("a", {"x": 1}), ("b", {})])
    assert [call.tool for call in turn.calls] == ["a", "b", "b", "b"]


def test_past_done_of_a_solution_without_calls_stops_as_doing_nothing_does() -> None:
    assert scripted.past_done([]) == scripted.noop()


def test_a_recorded_trajectory_replays_as_it_was_played() -> None:
    steps = [{"tool": "a", "arguments": {"x": 1}}, {"tool": "b", "arguments": {"_raw": "{"}}]
    script = scripted.replay({"steps": steps})
    assert [turn.calls[0] for turn in script] == [
        scripted.Call("a", {"x": 1}),
        scripted.Call("b", "{"),
    ]


def test_random_draws_the_authors_samples_about_half_of_the_time() -> None:
    word = {"type": "string", "min_length": 5, "max_length": 5, "samples": ["crane", "slate"]}
    tool = Tool.model_validate({"description": "x", "parameters": {"word": word}})
    tools = [{"name": "guess", "parameters": tool.json_schema()}]
    script = scripted.sampled(tools, "x", 100, samples={"guess": tool.samples()})
    drawn = [turn.calls[0].arguments["word"] in ("crane", "slate") for turn in script]
    assert 30 < sum(drawn) < 70
    assert "crane" not in str(tools)
