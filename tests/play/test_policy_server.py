"""The policy endpoint, asked by the official client and by hand."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from openai import AsyncOpenAI, BadRequestError, NotFoundError

from skill_tools.policies import tokens
from skill_tools.policies.scripted import Call, Turn
from skill_tools.policies.server import PolicyEndpoint
from tests.over import over

LABEL = "naïve/train/0/0"
SCRIPT = (
    Turn((Call("add", {"amount": 1}), Call("look", "not json"))),
    Turn((Call("add", {"amount": 2}),)),
    Turn(text="done"),
)
SCRIPTS = {"oracle": {LABEL: SCRIPT}, "noop": {"*": (Turn(text="no"),)}}
HEADERS = {"X-Episode": quote(LABEL)}
SCHEMA = {"type": "object", "properties": {"amount": {"type": "integer"}}}
ABOUT = {"name": "add", "description": "Add to the counter.", "parameters": SCHEMA}
TOOLS: list[Any] = [{"type": "function", "function": ABOUT}]
ITEM_TOOLS: list[Any] = [{"type": "function", "strict": False, **ABOUT}]
GO: list[Any] = [{"role": "user", "content": "go"}]
GO_ITEM: list[Any] = [{"type": "message", "role": "user", "content": "go"}]


@pytest.fixture
def client() -> Iterator[AsyncOpenAI]:
    with PolicyEndpoint(SCRIPTS) as endpoint:
        yield AsyncOpenAI(base_url=endpoint.base_url, api_key="none", max_retries=0)


def valid(arguments: str) -> str:
    """What goes back of a call's arguments: an object, whatever the model wrote."""
    try:
        return arguments if isinstance(json.loads(arguments), dict) else "{}"
    except ValueError:
        return "{}"


async def play_chat(client: AsyncOpenAI, *, stream: bool) -> list[list[tuple[str, str]]]:
    messages = list(GO)
    asked: dict[str, Any] = {"model": "oracle", "tools": TOOLS, "extra_headers": HEADERS}
    said = []
    for _ in range(3):
        if stream:
            manager = client.chat.completions.stream(messages=messages, **asked)
            async with manager as events:
                completion = await events.get_final_completion()
        else:
            completion = await client.chat.completions.create(messages=messages, **asked)
        message = completion.choices[0].message
        calls = message.tool_calls or []
        said.append([(call.function.name, call.function.arguments) for call in calls])
        back: dict[str, Any] = {"role": "assistant", "content": message.content or ""}
        if calls:
            back["tool_calls"] = [
                {
                    "id": call.id,
                    "type": "function",
                    "function": {
                        "name": call.function.name,
                        "arguments": valid(call.function.arguments),
                    },
                }
                for call in calls
            ]
        messages.append(back)
        messages += [{"role": "tool", "tool_call_id": c.id, "content": "ok"} for c in calls]
    assert messages[-1]["content"] == "done"
    return said


async def play_responses(client: AsyncOpenAI, *, stream: bool) -> list[list[tuple[str, str]]]:
    items = list(GO_ITEM)
    asked: dict[str, Any] = {"model": "oracle", "tools": ITEM_TOOLS, "extra_headers": HEADERS}
    said = []
    for _ in range(3):
        if stream:
            async with client.responses.stream(input=items, **asked) as events:
                response = await events.get_final_response()
        else:
            response = await client.responses.create(input=items, **asked)
        calls = [item for item in response.output if item.type == "function_call"]
        said.append([(call.name, call.arguments) for call in calls])
        for call in calls:
            back = call.model_dump(exclude_none=True, exclude={"parsed_arguments"})
            items.append({**back, "arguments": valid(call.arguments)})
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


@pytest.mark.everything("costly")
@pytest.mark.parametrize("stream", [False, True])
async def test_responses_play_the_script(client: AsyncOpenAI, stream: bool) -> None:
    assert await play_responses(client, stream=stream) == EXPECTED


async def test_many_rollouts_at_once_do_not_disturb_each_other(client: AsyncOpenAI) -> None:
    played = await asyncio.gather(*(play_chat(client, stream=False) for _ in range(20)))
    assert all(said == EXPECTED for said in played)


async def test_an_unknown_episode_or_policy_is_an_error_that_names_it(client: AsyncOpenAI) -> None:
    other = {"X-Episode": "env/train/1/1"}
    with pytest.raises(NotFoundError, match="env/train/1/1"):
        await client.chat.completions.create(model="oracle", messages=GO, extra_headers=other)
    with pytest.raises(NotFoundError, match="there is no policy 'gpt'"):
        await client.chat.completions.create(model="gpt", messages=GO)


async def test_a_script_for_any_label_serves_unlabeled_requests(client: AsyncOpenAI) -> None:
    completion = await client.chat.completions.create(model="noop", messages=GO)
    assert completion.choices[0].message.content == "no"


async def test_a_label_comes_in_the_header_then_in_metadata_and_in_user_only_if_told() -> None:
    turns = {"a": (Turn(text="A"),), "b": (Turn(text="B"),), "c": (Turn(text="C"),)}

    async def reported(endpoint: PolicyEndpoint, **asked: Any) -> str:
        async with AsyncOpenAI(base_url=endpoint.base_url, api_key="none") as client:
            response = await client.responses.create(model="m", input="go", **asked)
            return response.output_text

    header = {"X-Episode": "a"}
    with (
        PolicyEndpoint({"m": turns}) as strict,
        PolicyEndpoint({"m": turns}, labels_in_body=True) as taking,
    ):
        assert await reported(strict, extra_headers=header, metadata={"episode": "b"}) == "A"
        assert await reported(strict, metadata={"episode": "b"}) == "B"
        with pytest.raises(BadRequestError, match="Unknown parameter: 'user'"):
            await reported(strict, user="c")
        assert await reported(taking, user="c") == "C"


async def test_a_stream_counts_its_events_and_tells_the_usage_when_asked(
    client: AsyncOpenAI,
) -> None:
    options = {"include_usage": True}
    chunks = await client.chat.completions.create(
        model="noop", messages=GO, stream=True, stream_options=options
    )
    usage = [chunk.usage.total_tokens if chunk.usage else None async for chunk in chunks]
    assert usage == [None, None, None, None, 3]
    events = await client.responses.create(model="noop", input=GO_ITEM, stream=True)
    assert [event.sequence_number async for event in events] == [0, 1, 2, 3, 4]


async def test_policies_are_listed_as_models(client: AsyncOpenAI) -> None:
    assert [model.id async for model in client.models.list()] == ["oracle", "noop"]


async def test_tools_are_told_back_as_they_came(client: AsyncOpenAI) -> None:
    tools = [*ITEM_TOOLS, {"type": "computer"}]
    response = await client.responses.create(model="noop", input="go", tools=tools)
    assert [tool.model_dump(exclude_unset=True) for tool in response.tools] == tools


async def test_a_refusal_names_the_place_in_openais_shape(client: AsyncOpenAI) -> None:
    messages: list[Any] = [{"role": "user", "content": "go", "odd": 1}]
    with pytest.raises(BadRequestError) as caught:
        await client.chat.completions.create(model="noop", messages=messages)
    assert caught.value.body == {
        "message": "messages[0].odd: Unknown parameter: 'messages[0].odd'.",
        "type": "invalid_request_error",
        "param": "messages[0].odd",
        "code": "unknown_parameter",
    }


async def test_what_openai_answers_beside_the_message_is_refused_when_it_is_sent_back(
    client: AsyncOpenAI,
) -> None:
    completion = await client.chat.completions.create(model="noop", messages=GO)
    back: Any = completion.choices[0].message.model_dump(exclude_none=True)
    with pytest.raises(BadRequestError, match=r"messages\[1\].annotations"):
        await client.chat.completions.create(model="noop", messages=[*GO, back, *GO])


def post(
    endpoint: PolicyEndpoint, path: str, body: dict[str, Any], **headers: str
) -> httpx.Response:
    with httpx.Client(trust_env=False, verify=False) as http:
        return http.post(
            f"{endpoint.base_url}/{path}", json={"model": "m", **body}, headers=headers
        )


LONG = {"m": {"*": (Turn((Call("add", {"amount": 1}), Call("look", {})), text="x" * 40),)}}
ANTHROPIC = {"anthropic-version": "2023-06-01"}


def test_a_conversation_is_refused_with_a_body_that_is_no_json() -> None:
    with PolicyEndpoint(LONG) as endpoint, httpx.Client(trust_env=False, verify=False) as http:
        said = http.post(f"{endpoint.base_url}/chat/completions", content=b'{"model": "\\ud83d"}')
    assert said.status_code == 400
    assert "the body is not valid JSON" in said.json()["error"]["message"]


def test_reasoning_is_refused_as_mistral_does_where_it_is_forbidden() -> None:
    messages = [*GO, {"role": "assistant", "content": "no", "reasoning_content": "Hm."}, *GO]
    with PolicyEndpoint(LONG, reasoning_back=False) as endpoint:
        said = post(endpoint, "chat/completions", {"messages": messages})
    assert said.status_code == 422
    [detail] = said.json()["message"]["detail"]
    assert detail["loc"] == ["body", "messages", 1, "assistant", "reasoning_content"]
    assert detail["type"] == "extra_forbidden"


def test_anthropic_is_refused_in_its_own_shape() -> None:
    with PolicyEndpoint(LONG) as endpoint:
        said = post(endpoint, "messages", {"messages": GO}, **ANTHROPIC)
    assert said.status_code == 400
    about = {"type": "invalid_request_error", "message": "max_tokens: Field required"}
    assert said.json() == {"type": "error", "error": about}


def test_usage_counts_the_conversation_the_tools_and_the_answer() -> None:
    with PolicyEndpoint(LONG) as endpoint:
        bare = post(endpoint, "chat/completions", {"messages": GO}).json()["usage"]
        with_tools = {"messages": GO, "tools": TOOLS}
        reported = post(endpoint, "chat/completions", with_tools).json()["usage"]
        item = post(endpoint, "responses", {"input": GO_ITEM, "tools": ITEM_TOOLS}).json()["usage"]
        block = {"messages": GO, "max_tokens": 100}
        anthropic = post(endpoint, "messages", block, **ANTHROPIC).json()["usage"]
    answered = tokens.of_turn(LONG["m"]["*"][0])
    assert bare["completion_tokens"] == reported["completion_tokens"] == answered
    assert bare["total_tokens"] == bare["prompt_tokens"] + answered
    assert reported["prompt_tokens"] - bare["prompt_tokens"] >= len(json.dumps(SCHEMA)) // 4
    assert item["input_tokens"] > bare["prompt_tokens"]
    assert anthropic == {"input_tokens": bare["prompt_tokens"], "output_tokens": answered}


def test_a_picture_counts_as_one_however_long_it_is_written() -> None:
    def asked(url: str) -> int:
        part = {"type": "image_url", "image_url": {"url": url}}
        return tokens.of_request({"messages": [{"role": "user", "content": [part]}]})

    assert asked("data:," + "A" * 100_000) == asked("data:,A") > tokens.PICTURE


@over(
    ("most", "text", "calls"),
    [
        (5, "x" * 20, []),
        (10, "x" * 40, []),
        (12, "x" * 40, [("add", '{"amo')]),
        (15, "x" * 40, [("add", '{"amount": 1}')]),
        (18, "x" * 40, [("add", '{"amount": 1}'), ("look", "{}")]),
    ],
)
def test_an_answer_is_cut_at_the_limit_and_says_so(
    most: int, text: str, calls: list[tuple[str, str]]
) -> None:
    with PolicyEndpoint(LONG) as endpoint:
        said = {
            name: post(endpoint, "chat/completions", {"messages": GO, name: most}).json()
            for name in ("max_tokens", "max_completion_tokens")
        }
        response = post(endpoint, "responses", {"input": "go", "max_output_tokens": most}).json()
        block = post(endpoint, "messages", {"messages": GO, "max_tokens": most}, **ANTHROPIC).json()
    cut = most < 16
    for completion in said.values():
        [choice] = completion["choices"]
        assert choice["message"]["content"] == text
        found = choice["message"].get("tool_calls", [])
        asked = [call["function"] for call in found]
        assert [(each["name"], each["arguments"]) for each in asked] == calls
        assert choice["finish_reason"] == ("length" if cut else "tool_calls")
        assert completion["usage"]["completion_tokens"] == min(most, 16)
    items = [item for item in response["output"] if item["type"] == "function_call"]
    assert [(item["name"], item["arguments"]) for item in items] == calls
    assert response["status"] == ("incomplete" if cut else "completed")
    reason = {"reason": "max_output_tokens"} if cut else None
    assert response["incomplete_details"] == reason
    assert block["stop_reason"] == ("max_tokens" if cut else "tool_use")


def test_a_streamed_response_that_is_cut_ends_as_incomplete() -> None:
    with PolicyEndpoint(LONG) as endpoint:
        asked = {"input": "go", "max_output_tokens": 5, "stream": True}
        lines = post(endpoint, "responses", asked).text.splitlines()
    assert [line for line in lines if line.startswith("event:")][-1] == "event: response.incomplete"


@pytest.mark.parametrize(
    ("manners", "kind"),
    [({}, "application/json"), ({"streams_by_default": True}, "text/event-stream; charset=utf-8")],
)
def test_a_server_may_stream_unless_it_is_told_not_to(manners: dict[str, Any], kind: str) -> None:
    with PolicyEndpoint(LONG, **manners) as endpoint:
        for path, asked in (("chat/completions", {"messages": GO}), ("responses", {"input": "go"})):
            assert post(endpoint, path, asked).headers["content-type"] == kind
            never = post(endpoint, path, {**asked, "stream": False})
            assert never.headers["content-type"] == "application/json"


def test_a_full_context_is_refused_with_the_body_of_the_server_that_is_played() -> None:
    def refused(whose: str, **asked: Any) -> dict[str, Any]:
        with PolicyEndpoint(LONG, context=20, overflow=whose) as endpoint:
            said = post(endpoint, "chat/completions", asked)
        assert said.status_code == 400
        return said.json()

    long = [{"role": "user", "content": "y" * 100}]
    llama = refused("llama.cpp", messages=long)["error"]
    assert (llama["code"], llama["type"]) == (400, "exceed_context_size_error")
    assert (llama["n_prompt_tokens"], llama["n_ctx"]) == (26, 20)
    words = "This model's maximum context length is 20 tokens. However, you requested 27 tokens"
    assert words in refused("vllm", messages=[*long], max_tokens=1)["error"]["message"]
    assert words in refused("vllm-0.9", messages=[*long], max_tokens=1)["message"]
    assert refused("openai", messages=long)["error"]["code"] == "context_length_exceeded"
    # vLLM counts what may be answered; llama.cpp answers until its context is full.
    assert refused("vllm", messages=GO, max_tokens=20)["error"]["code"] == 400
    with PolicyEndpoint(LONG, context=20) as endpoint:
        said = post(endpoint, "chat/completions", {"messages": GO, "max_tokens": 20}).json()
        models = httpx.get(f"{endpoint.base_url}/models", trust_env=False).json()
    assert said["choices"][0]["finish_reason"] == "tool_calls"
    assert said["usage"]["total_tokens"] == 18
    assert models["data"][0]["meta"] == {"n_ctx": 20}
    with PolicyEndpoint(LONG, context=12) as endpoint:
        said = post(endpoint, "chat/completions", {"messages": GO}).json()
    assert said["choices"][0]["finish_reason"] == "length"
    assert said["usage"]["total_tokens"] == 12


def test_an_anthropic_conversation_plays_with_its_tools_and_results() -> None:
    tool = {"name": "add", "description": "Add.", "input_schema": SCHEMA}
    asked: dict[str, Any] = {"model": "oracle", "max_tokens": 100, "tools": [tool]}
    headers = {**ANTHROPIC, **HEADERS}
    messages, stops = list(GO), []
    with PolicyEndpoint(SCRIPTS) as endpoint:
        for _ in range(3):
            said = post(endpoint, "messages", {**asked, "messages": messages}, **headers).json()
            stops.append(said["stop_reason"])
            uses = [block for block in said["content"] if block["type"] == "tool_use"]
            results = [{"type": "tool_result", "tool_use_id": use["id"]} for use in uses]
            messages += [{"role": "assistant", "content": said["content"]}]
            messages += [{"role": "user", "content": results}]
    assert stops == ["tool_use", "tool_use", "end_turn"]
