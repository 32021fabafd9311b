"""The policy endpoint, asked by the official client."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator

import pytest
from openai import AsyncOpenAI, NotFoundError

from skill_tools.play.policies import Call, Turn
from skill_tools.play.policy_server import PolicyEndpoint

SCRIPT = (
    Turn((Call("add", {"amount": 1}), Call("look", "not json"))),
    Turn((Call("add", {"amount": 2}),)),
    Turn(text="done"),
)
TOOLS = [{"type": "function", "function": {"name": "add", "parameters": {"type": "object"}}}]


@pytest.fixture
def client() -> Iterator[AsyncOpenAI]:
    scripts = {"oracle": {"env/train/0/0": SCRIPT}, "noop": {"*": (Turn(text="no"),)}}
    with PolicyEndpoint(scripts) as endpoint:
        yield AsyncOpenAI(base_url=endpoint.base_url, api_key="none", max_retries=0)


async def play_chat(client: AsyncOpenAI, *, stream: bool) -> list[list[tuple[str, str]]]:
    messages: list = [{"role": "user", "content": "go"}]
    said = []
    for _ in range(3):
        if stream:
            manager = client.chat.completions.stream(
                model="oracle", messages=messages, tools=TOOLS, user="env/train/0/0"
            )
            async with manager as events:
                completion = await events.get_final_completion()
        else:
            completion = await client.chat.completions.create(
                model="oracle", messages=messages, tools=TOOLS, user="env/train/0/0"
            )
        message = completion.choices[0].message
        calls = message.tool_calls or []
        said.append([(call.function.name, call.function.arguments) for call in calls])
        messages.append(message.model_dump(exclude_none=True, exclude={"parsed"}))
        messages += [{"role": "tool", "tool_call_id": c.id, "content": "ok"} for c in calls]
    assert messages[-1]["content"] == "done"
    return said


async def play_responses(client: AsyncOpenAI, *, stream: bool) -> list[list[tuple[str, str]]]:
    items: list = [{"role": "user", "content": "go"}]
    said = []
    for _ in range(3):
        if stream:
            manager = client.responses.stream(model="oracle", input=items, user="env/train/0/0")
            async with manager as events:
                response = await events.get_final_response()
        else:
            response = await client.responses.create(
                model="oracle", input=items, user="env/train/0/0"
            )
        calls = [item for item in response.output if item.type == "function_call"]
        said.append([(call.name, call.arguments) for call in calls])
        items += [
            {k: v for k, v in item.model_dump().items() if k != "parsed_arguments"}
            for item in response.output
        ]
        items += [
            {"type": "function_call_output", "call_id": call.call_id, "output": "ok"}
            for call in calls
        ]
    return said


EXPECTED = [
    [("add", json.dumps({"amount": 1})), ("look", "not json")],
    [("add", json.dumps({"amount": 2}))],
    [],
]


@pytest.mark.parametrize("stream", [False, True])
async def test_chat_completions_play_the_script(client: AsyncOpenAI, stream: bool) -> None:
    if stream:
        pytest.importorskip("openai.lib.streaming.chat")
    assert await play_chat(client, stream=stream) == EXPECTED


@pytest.mark.parametrize("stream", [False, True])
async def test_responses_play_the_script(client: AsyncOpenAI, stream: bool) -> None:
    assert await play_responses(client, stream=stream) == EXPECTED


async def test_many_rollouts_at_once_do_not_disturb_each_other(client: AsyncOpenAI) -> None:
    played = await asyncio.gather(*(play_chat(client, stream=False) for _ in range(20)))
    assert all(said == EXPECTED for said in played)


async def test_an_unknown_episode_or_policy_is_an_error_that_names_it(client: AsyncOpenAI) -> None:
    messages: list = [{"role": "user", "content": "go"}]
    with pytest.raises(NotFoundError, match="env/train/1/1"):
        await client.chat.completions.create(
            model="oracle", messages=messages, user="env/train/1/1"
        )
    with pytest.raises(NotFoundError, match="there is no policy 'gpt'"):
        await client.chat.completions.create(model="gpt", messages=messages)


async def test_a_script_for_any_label_serves_unlabelled_requests(client: AsyncOpenAI) -> None:
    completion = await client.chat.completions.create(
        model="noop", messages=[{"role": "user", "content": "go"}]
    )
    assert completion.choices[0].message.content == "no"


async def test_a_stream_counts_its_events_and_tells_the_usage_when_asked(
    client: AsyncOpenAI,
) -> None:
    said = [{"role": "user", "content": "go"}]
    options = {"include_usage": True}
    chunks = await client.chat.completions.create(
        model="noop", messages=said, stream=True, stream_options=options
    )
    usage = [chunk.usage.total_tokens if chunk.usage else None async for chunk in chunks]
    assert usage == [None, None, 2]
    events = await client.responses.create(model="noop", input=said, stream=True)
    assert [event.sequence_number async for event in events] == [0, 1, 2, 3, 4]


async def test_policies_are_listed_as_models(client: AsyncOpenAI) -> None:
    assert [model.id async for model in client.models.list()] == ["oracle", "noop"]


async def test_tools_are_told_back_as_they_came(client: AsyncOpenAI) -> None:
    tools = [{"type": "function", "name": "add", "parameters": {}, "odd": 1}, {"type": "custom"}]
    response = await client.responses.create(model="noop", input="go", tools=tools)
    assert [tool.model_dump(exclude_unset=True) for tool in response.tools] == tools
