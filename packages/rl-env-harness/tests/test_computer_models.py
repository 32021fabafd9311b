"""Tests of computer-use models: the API for each model, the scale of its points, and the calls for its actions."""

from __future__ import annotations

from typing import Any

import pytest
from stand_in._shared.screen import computer_actions, computer_models

from skill_tools.frameworks.rules import load
from skill_tools.policies import screen_payloads
from skill_tools.policies.scripted import Call
from skill_tools.render import text_actions
from tests.conftest import ROOT
from tests.over import over

space, SIZE = computer_models.space, computer_models.space("pixels").size
PIXELS, THOUSANDTHS, SMALL = space("pixels"), space("thousandths"), space("512x384")


@over(
    ("actions", "model"),
    [
        ("tools", "gpt-5-mini"), ("tools", "Qwen/Qwen3-VL-8B:nscale"), ("tools", "my-checkpoint"),
        ("openai", "gpt-5.4"), ("openai", "computer-use-preview"), ("anthropic", "claude-opus-4-7"),
        ("qwen", "Qwen/Qwen3-VL-8B-Instruct:nscale"), ("qwen", "my-checkpoint"),
    ],
)  # fmt: skip
def test_a_model_is_taken_by_the_api_that_it_was_trained_on(actions: str, model: str) -> None:
    assert computer_models.misfit(actions, model) == ""


@over(
    ("actions", "model", "instead"),
    [
        ("openai", "claude-opus-4-7", "--action-api anthropic"),
        ("openai", "my-checkpoint", "--action-api tools"),
        ("anthropic", "gpt-5.4", "--action-api openai"),
        ("anthropic", "Qwen/Qwen3-VL-8B:nscale", "--action-api qwen"),
        ("qwen", "gpt-5.4", "--action-api openai"),
        ("tools", "computer-use-preview", "--action-api openai"),
    ],
)
def test_a_model_that_an_api_does_not_fit_is_refused_with_what_to_use(
    actions: str, model: str, instead: str
) -> None:
    problem = computer_models.misfit(actions, model)
    assert model in problem
    assert instead in problem


@over(
    ("of", "point", "pixel"),
    [
        (PIXELS, [0, 0], [0, 0]), (PIXELS, [1023, 767], [1023, 767]), (PIXELS, [1024, 5], [1023, 5]),
        (PIXELS, [1025, 5], [1025, 5]), (PIXELS, [-3, 5], [-3, 5]),
        (THOUSANDTHS, [0, 0], [0, 0]), (THOUSANDTHS, [500, 500], [512, 384]),
        (THOUSANDTHS, [1000, 1000], [1023, 767]), (THOUSANDTHS, [999, 999], [1023, 767]),
        (THOUSANDTHS, [1200, 500], [1229, 384]),
        (SMALL, [511, 383], [1022, 766]), (SMALL, [512, 384], [1023, 767]), (SMALL, [256.5, 1], [513, 2]),
    ],
)  # fmt: skip
def test_points_are_scaled_to_the_screen_and_its_edge_stays_on_it(
    of: Any, point: list[float], pixel: list[int]
) -> None:
    assert of.to_screen(point) == pixel


@over("point", [None, [1], [1, 2, 3], ["1", 2], [True, 1], "1,2", {"x": 1}])
def test_what_is_no_point_is_left_for_the_environment_to_refuse(point: Any) -> None:
    assert THOUSANDTHS.to_screen(point) == point


@over("pixel", [(0, 0), (1, 1), (511, 383), (1022, 766), (1023, 767)])
def test_there_and_back_is_off_by_a_pixel_at_most(pixel: tuple[int, int]) -> None:
    for each in (PIXELS, THOUSANDTHS, SMALL):
        there = each.to_screen(each.from_screen(pixel))
        assert all(abs(a - b) <= 1 for a, b in zip(there, pixel, strict=True))


@over("name", ["inches", "640", "0x0", "2048x768", "1024x769"])
def test_a_space_that_there_is_not_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=r"space|larger than the screen"):
        space(name)


CALLS = [
    Call("left_click", {"coordinate": [10, 20]}),
    Call("left_click", {"coordinate": [10, 20], "text": "ctrl"}),
    Call("double_click", {"coordinate": [10, 20]}),
    Call("mouse_move", {"coordinate": [10, 20]}),
    Call("left_click_drag", {"start_coordinate": [1, 2], "coordinate": [10, 20]}),
    Call("scroll", {"coordinate": [10, 20], "scroll_direction": "down", "scroll_amount": 3}),
    Call("scroll", {"coordinate": [10, 20], "scroll_direction": "left", "scroll_amount": 2}),
    Call("type", {"text": "Grüße"}),
    Call("key", {"text": "ctrl+s"}),
    Call("screenshot", {}),
]


@over("call", CALLS, ids=lambda call: call.tool)
def test_a_call_survives_being_said_in_openais_actions(call: Call) -> None:
    action = screen_payloads.openai_action(call)
    item = {"type": "computer_call", "call_id": "c", "actions": [action]}
    assert computer_actions.of_openai(item, PIXELS).calls == [(call.tool, dict(call.arguments))]


def test_a_drag_with_corners_is_played_with_the_button_held() -> None:
    path = [{"x": x, "y": y} for x, y in ((1, 1), (5, 5), (9, 1))]
    item = {"type": "computer_call", "action": {"type": "drag", "path": path}}
    tools = [tool for tool, _ in computer_actions.of_openai(item, PIXELS).calls]
    assert tools == ["mouse_move", "left_mouse_down", "mouse_move", "mouse_move", "left_mouse_up"]


def test_letters_of_a_chord_are_keys_and_no_capitals() -> None:
    item = {"type": "computer_call", "action": {"type": "keypress", "keys": ["CTRL", "S"]}}
    assert computer_actions.of_openai(item, PIXELS).calls == [("key", {"text": "CTRL+s"})]


@over("call", [c for c in CALLS if c.arguments.get("text") != "ctrl"], ids=str)
def test_a_call_survives_being_said_in_qwens_function(call: Call) -> None:
    pointer, played = [0, 0], []
    for said in screen_payloads.qwen_calls(call, SIZE):
        played = computer_actions.of_qwen(dict(said.arguments), THOUSANDTHS, pointer)
        pointer = said.arguments.get("coordinate", pointer)
    ((tool, arguments),) = played
    assert tool == call.tool
    assert {k: v for k, v in arguments.items() if "coordinate" not in k} == {
        k: v for k, v in call.arguments.items() if "coordinate" not in k
    }
    for name in ("coordinate", "start_coordinate"):
        pairs = zip(arguments.get(name, []), call.arguments.get(name, []), strict=True)
        assert all(abs(a - b) <= 1 for a, b in pairs)


def test_a_click_without_a_place_is_where_the_pointer_is() -> None:
    calls = computer_actions.of_anthropic({"action": "left_click"}, PIXELS, [7, 8])
    assert calls == [("left_click", {"coordinate": [7, 8]})]


def test_a_coordinate_is_written_and_read_as_an_attribute_for_each_part() -> None:
    spec = load(ROOT / "reference_envs" / "desktop_env")
    written = text_actions.write(spec, "left_click", {"coordinate": [100, 200]})
    assert written == '<click x="100" y="200"/>'
    assert text_actions.forms(spec)["left_click_drag"].startswith("<left_click_drag start_x=")
    assert text_actions.write(spec, "type", {"text": "hello"}) == "<type>hello</type>"
    assert text_actions.write(spec, "key", {"text": "ctrl+s"}) == "<key>ctrl+s</key>"
    assert (
        text_actions.write(spec, "terminate", {"status": "success"})
        == '<terminate status="success"/>'
    )
    assert text_actions.write(spec, "left_click", {"coordinate": [1]}).startswith("<tool_call>")
    assert text_actions.write(spec, "left_click", {"coordinate": ["a", 1]}).startswith(
        "<tool_call>"
    )
