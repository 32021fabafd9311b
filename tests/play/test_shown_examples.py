"""Right answers in the shape of the example that a prompt shows."""

from __future__ import annotations

from typing import Any

import pytest

from skill_tools.audit.grading.right_answers import candidates
from skill_tools.graders.templates.shown_examples import in_shape, number_frames
from tests.over import over

FRAMES = {
    "a label and a currency": ("End with `Total: EUR 12.50`.", [("Total: EUR ", "")]),
    "a unit after it": ("Write <answer>7.25 km</answer>.", [("<answer>", " km</answer>")]),
    "the number alone": ("Write `12`.", []),
    "two numbers": ("Write `3, 4`.", []),
    "no example": ("How many?", []),
}


@pytest.mark.everything("graders")
@over("prompt, frames", FRAMES.values(), ids=list(FRAMES))
def test_the_text_around_the_number_of_an_example_is_where_answers_go(
    prompt: str, frames: list[tuple[str, str]]
) -> None:
    assert number_frames(prompt) == frames


SHAPES: dict[str, tuple[str, dict[str, Any], list[str]]] = {
    "several columns": ("Such as `Position: 40.71, -74.01`.", {"lat": 1.5, "lon": 2}, ["1.5, 2"]),
    "a list with a mark": ("<rank>a > b > c</rank>", {"order": ["x", "y"]}, ["x > y"]),
    "pairs": (
        "<answer>Zoe: knight, Yan: knave</answer>",
        {"is": [["A", "x"], ["B", "y"]]},
        ["A: x, B: y"],
    ),
    "words that are no list": ("Write `yes`.", {"items": ["x", "y"]}, []),
    "pairs without a shape": ("Write `a, b`.", {"items": [["A", 1]]}, []),
    "more numbers than columns": ("Write `1, 2, 3`.", {"n": 4}, []),
}


@pytest.mark.everything("graders")
@over("prompt, row, texts", SHAPES.values(), ids=list(SHAPES))
def test_columns_are_written_as_the_example_writes_them(
    prompt: str, row: dict[str, Any], texts: list[str]
) -> None:
    assert [text for _, text in in_shape(prompt, row)] == texts


@pytest.mark.everything("graders")
def test_a_row_with_an_empty_list_has_no_empty_right_answer() -> None:
    asked = "Name the colours, such as <is>red, blue</is>."
    rows = [{"prompt": f"{asked} {n}", "colours": ["a", "b"][: n % 3]} for n in range(6)]
    places = {f"t/{n}": {"task": row} for n, row in enumerate(rows)}
    several = candidates({"prompt": []}, places, {})
    assert several
    assert all(each.gold for questions in several for each in questions if each.gold != "[]")
