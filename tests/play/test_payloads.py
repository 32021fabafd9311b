"""What the policy endpoint answers, held against the types of OpenAI's own client."""

from __future__ import annotations

from typing import Any

import pytest
from openai.types import Model
from openai.types.chat import ChatCompletion, ChatCompletionChunk
from openai.types.responses import Response, ResponseStreamEvent
from pydantic import BaseModel, TypeAdapter

from skill_tools.policies import payloads, tokens
from skill_tools.policies.requests import ServerQuirks
from skill_tools.policies.scripted import Call, Turn
from tests.over import over

EVENT: TypeAdapter[Any] = TypeAdapter(ResponseStreamEvent)
CLICK = Call("left_click", {"coordinate": [1, 2]})
TURNS = {
    "text": Turn(text="naïve"),
    "calls": Turn((Call("add", {"amount": 1}), Call("look", "not json")), text="x" * 40),
    "screen": Turn((CLICK, Call("key", {"text": "ctrl+a"}), Call("wait", {}))),
    "nothing": Turn(),
}


def told(model: BaseModel) -> dict[str, Any]:
    """What a client's type took, without what it added."""
    return model.model_dump(mode="json", exclude_unset=True, by_alias=True)


@over("most", [None, 5, 12], ids=["whole", "cut", "cut in a call"])
@over("turn", TURNS.values(), ids=TURNS)
def test_answers_are_of_the_official_types(turn: Turn, most: int | None) -> None:
    said = tokens.within(turn, 7, most)
    body = {
        "model": "m",
        "stream_options": {"include_usage": True},
        "tools": [{"type": "computer"}],
    }
    completion = payloads.completion(body, 2, said)
    assert told(ChatCompletion.model_validate(completion)) == completion
    for chunk in payloads.chunks(body, 2, said):
        assert told(ChatCompletionChunk.model_validate(chunk)) == chunk
    response = payloads.response(body, 2, said)
    assert told(Response.model_validate(response)) == response
    for event in payloads.events(response):
        assert told(EVENT.validate_python(event)) == event


@pytest.mark.parametrize("overflow", tokens.OVERFLOWS)
def test_a_policy_is_listed_as_a_model(overflow: str) -> None:
    listed = payloads.model("oracle", ServerQuirks(context=20, overflow=overflow))
    assert told(Model.model_validate(listed)) == listed
