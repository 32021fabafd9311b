"""Tests of the keywords in tool schemas that a model's server refuses, and of the schemas that are then sent."""

from __future__ import annotations

import pytest
from stand_in._shared.models import refused_keywords
from stand_in._shared.models.conversation import Habits

from tests.over import over

SCHEMA = {
    "type": "object",
    "properties": {
        "pattern": {"type": "string", "maxLength": 5, "description": "What to find."},
        "at": {"type": "array", "minItems": 2, "items": {"type": "integer", "maximum": 9}},
    },
    "required": ["pattern"],
    "additionalProperties": False,
}
CHAT = {"type": "function", "function": {"name": "find", "parameters": SCHEMA}}
GEMINI = (
    'Invalid JSON payload received. Unknown name \\"additionalProperties\\" at '
    "'tools[0].function_declarations[0]'"
)


@over(
    ("refusal", "named"),
    [
        (GEMINI, {"additionalProperties"}),
        (
            "tools.0.input_schema: For 'integer' type, property 'maximum' is not supported",
            {"maximum"},
        ),
        ("schema: unsupported keywords: max_length, minItems", {"maxLength", "minItems"}),
        ("Invalid 'temperature': above the maximum", set()),
        ("tool find: the parameter pattern is odd", set()),
        ("Unknown name \"additionalPropertiesOf\" at 'tools[0]'", set()),
    ],
)
def test_a_refusal_names_keywords_that_were_sent(refusal: str, named: set[str]) -> None:
    assert refused_keywords.refused(refusal, [CHAT]) == named
    assert Habits(keywords={"title"}).learnt(refusal, (), [CHAT]).keywords == {"title", *named}


@pytest.mark.parametrize(
    "tool",
    [
        CHAT,
        {"type": "function", "name": "find", "parameters": SCHEMA},
        {"name": "find", "input_schema": SCHEMA},
    ],
    ids=["chat", "responses", "messages"],
)
def test_a_tool_is_sent_without_them_and_tells_the_bounds_in_words(tool: dict[str, object]) -> None:
    gone = {"additionalProperties", "maxLength", "maximum"}
    (lean,) = refused_keywords.without([tool], gone)
    assert refused_keywords._schema(lean) == {
        "type": "object",
        "properties": {
            "pattern": {"type": "string", "description": "What to find. (maxLength: 5)"},
            "at": {
                "type": "array",
                "minItems": 2,
                "items": {"type": "integer", "description": "(maximum: 9)"},
            },
        },
        "required": ["pattern"],
    }
    assert refused_keywords.without([lean], gone) == [lean]
    assert refused_keywords.without([tool], ()) == [tool]
