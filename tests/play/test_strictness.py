"""What the policy endpoint refuses: each rule by a request that breaks it, and it alone."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from skill_tools.policies.requests import ServerQuirks, Wrong, describe, read
from tests.over import over
from tests.strict import chat, messages, responses

Edit = Callable[[Any], None]
SCHEMA = {"type": "object", "properties": {"amount": {"type": "integer"}}}
ABOUT = {"name": "add", "description": "Add to the counter.", "parameters": SCHEMA}
IMAGE = "data:image/png;base64,AAAA"


def call(identity: str, arguments: str = '{"amount": 1}') -> dict[str, Any]:
    return {"id": identity, "type": "function", "function": {"name": "add", "arguments": arguments}}


def answer(identity: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": identity, "content": "done"}


PICTURE = {"role": "user", "content": [{"type": "image_url", "image_url": {"url": IMAGE}}]}
CHAT = {
    "model": "m",
    "temperature": 0.5,
    "tools": [{"type": "function", "function": ABOUT}],
    "messages": [
        {"role": "system", "content": "You count."},
        {"role": "user", "content": [{"type": "text", "text": "Go."}]},
        {"role": "assistant", "content": "", "reasoning_content": "Hm.", "tool_calls": [call("a"), call("b")]},
        answer("b"),
        answer("a"),
        PICTURE,
        copy.deepcopy(PICTURE),
        {"role": "assistant", "content": "Once more.", "tool_calls": [call("c", "{}")]},
        answer("c"),
    ],
}  # fmt: skip


def item(kind: str, **fields: Any) -> dict[str, Any]:
    return {"type": kind, **fields}


def called(identity: str, **fields: Any) -> dict[str, Any]:
    about = {"call_id": identity, "name": "add", "arguments": "{}", "id": f"fc_{identity}"}
    return item("function_call", **{**about, **fields})


def output(identity: str) -> dict[str, Any]:
    return item("function_call_output", call_id=identity, output="done")


SAID = item("output_text", text="Hm.", annotations=[])
RESPONSES = {
    "model": "m",
    "metadata": {"episode": "e"},
    "tools": [{"type": "function", "strict": False, **ABOUT}],
    "input": [
        item("message", role="system", content="You count."),
        item("message", role="user", content=[item("input_text", text="Go.")]),
        item("reasoning", id="rs_1", summary=[]),
        item("message", role="assistant", id="msg_1", status="completed", content=[SAID]),
        called("a"), called("b"), output("b"), output("a"),
        item("message", role="user", content=[item("input_image", image_url=IMAGE, detail="auto")]),
        called("c"), output("c"),
    ],
}  # fmt: skip


def used(identity: str) -> dict[str, Any]:
    return {"type": "tool_use", "id": identity, "name": "add", "input": {}}


def result(identity: str) -> dict[str, Any]:
    text = {"type": "text", "text": "done"}
    return {"type": "tool_result", "tool_use_id": identity, "content": [text]}


HEADERS = {"anthropic-version": "2023-06-01", "anthropic-beta": "computer-use-2025-11-24"}
COMPUTER = {
    "type": "computer_20251124",
    "name": "computer",
    "display_width_px": 9,
    "display_height_px": 9,
}
MESSAGES = {
    "model": "m",
    "max_tokens": 100,
    "metadata": {"user_id": "e"},
    "system": "You count.",
    "tools": [COMPUTER, {"name": "add", "description": "Add.", "input_schema": SCHEMA}],
    "messages": [
        {"role": "user", "content": "Go."},
        {"role": "assistant", "content": [{"type": "text", "text": "Hm."}, used("a"), used("b")]},
        {"role": "user", "content": [result("a"), result("b"), {"type": "text", "text": "Go on."}]},
        {"role": "assistant", "content": [used("c")]},
        {"role": "user", "content": [result("c")]},
    ],
}  # fmt: skip


def reached(body: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        body = body[step]
    return body


def put(*path: Any) -> Edit:
    """Put the last of a path at the place that the others name."""
    *way, last, value = path

    def edit(body: Any) -> None:
        reached(body, tuple(way))[last] = copy.deepcopy(value)

    return edit


def drop(*path: Any) -> Edit:
    def edit(body: Any) -> None:
        del reached(body, path[:-1])[path[-1]]

    return edit


def insert(*path: Any) -> Edit:
    *way, at, value = path

    def edit(body: Any) -> None:
        reached(body, tuple(way)).insert(at, copy.deepcopy(value))

    return edit


def both(*edits: Edit) -> Edit:
    def edit(body: Any) -> None:
        for each in edits:
            each(body)

    return edit


M, FN, CALLS = "messages", "function", "tool_calls"
TOO_MANY = "Setting 'max_tokens' and 'max_completion_tokens'"
IN_CHAT = [
    ("user", "Unknown parameter: 'user'", put("user", "e")),
    ("metadata", "Unknown parameter", put("metadata", {"episode": "e"})),
    ("top_k", "Unknown parameter", put("top_k", 5)),
    ("model", "must provide a model", drop("model")),
    ("temperature", "expected int or float, got str", put("temperature", "hot")),
    ("seed", "expected int, got str", put("seed", "3")),
    ("stream", "expected bool, got int", put("stream", 1)),
    ("seed", "expected int, got bool", put("seed", True)),
    ("max_tokens", "must be at least 1, got 0", put("max_tokens", 0)),
    ("max_tokens", TOO_MANY, both(put("max_tokens", 9), put("max_completion_tokens", 9))),
    ("stream_options", "only allowed when 'stream'", put("stream_options", {})),
    ("tool_choice", "only allowed when 'tools'", both(drop("tools"), put("tool_choice", "auto"))),
    ("tools", "too short", put("tools", [])),
    ("messages", "at least one message", put(M, [])),
    ("messages", "at least one message", drop(M)),
    ("messages[1]", "expected an object", put(M, 1, "Go.")),
    ("messages[1].role", "Invalid value: 'human'", put(M, 1, "role", "human")),
    ("messages[0].role", "Invalid value: 'developer'", put(M, 0, "role", "developer")),
    ("messages[1].role", "Invalid value: None", drop(M, 1, "role")),
    ("messages[2].annotations", "Unknown parameter", put(M, 2, "annotations", [])),
    ("messages[2].refusal", "Unknown parameter", put(M, 2, "refusal", None)),
    ("messages[1].name", "Unknown parameter", put(M, 1, "name", "me")),
    ("messages[3].tool_calls", "Unknown parameter", put(M, 3, CALLS, [])),
    ("messages[2].content", "required property", drop(M, 2, "content")),
    ("messages[2].content", "expected a string or a list of parts, got null", put(M, 2, "content", None)),
    ("messages[3].content", "got dict", put(M, 3, "content", {})),
    ("messages[1].content", "got list", put(M, 1, "content", [])),
    ("messages[1].content[0].type", "unsupported", drop(M, 1, "content", 0, "type")),
    ("messages[1].content[0].type", "unsupported", put(M, 1, "content", 0, "text")),
    ("messages[1].content[0].odd", "Unknown parameter", put(M, 1, "content", 0, "odd", 1)),
    ("messages[1].content[0].text", "got null", drop(M, 1, "content", 0, "text")),
    ("messages[5].content[0].image_url", "with a url", put(M, 5, "content", 0, "image_url", IMAGE)),
    ("messages[5].content[0].image_url.odd", "Unknown", put(M, 5, "content", 0, "image_url", "odd", 1)),
    ("messages[3].content[0]", "only allowed for messages with role 'user'",
     put(M, 3, "content", PICTURE["content"])),
    ("messages[9]", "either content or tool_calls",
     both(insert(M, 9, {"role": "assistant", "content": ""}), insert(M, 10, PICTURE))),
    ("messages[7].tool_calls", "one call or more, got []",
     both(put(M, 7, CALLS, []), drop(M, 8), insert(M, 8, PICTURE))),
    ("messages[7].tool_calls", "got None",
     both(put(M, 7, CALLS, None), drop(M, 8), insert(M, 8, PICTURE))),
    ("messages[2].tool_calls[0]", "expected an object", put(M, 2, CALLS, 0, "add()")),
    ("messages[2].tool_calls[0].index", "Unknown parameter", put(M, 2, CALLS, 0, "index", 0)),
    ("messages[2].tool_calls[0].id", "got null", drop(M, 2, CALLS, 0, "id")),
    ("messages[2].tool_calls[0].id", "empty string", put(M, 2, CALLS, 0, "id", "")),
    ("messages[2].tool_calls[1].id", "duplicate id 'a'", both(put(M, 2, CALLS, 1, "id", "a"), drop(M, 3))),
    ("messages[7].tool_calls[0].id", "duplicate id 'a'",
     both(put(M, 7, CALLS, 0, "id", "a"), put(M, 8, "tool_call_id", "a"))),
    ("messages[2].tool_calls[0].type", "Supported values are: 'function'", drop(M, 2, CALLS, 0, "type")),
    ("messages[2].tool_calls[0].function", "expected an object", drop(M, 2, CALLS, 0, FN)),
    ("messages[2].tool_calls[0].function.odd", "Unknown", put(M, 2, CALLS, 0, FN, "odd", 1)),
    ("messages[2].tool_calls[0].function.name", "Invalid name ''", put(M, 2, CALLS, 0, FN, "name", "")),
    ("messages[2].tool_calls[0].function.name", "Invalid name 'a.b'", put(M, 2, CALLS, 0, FN, "name", "a.b")),
    ("messages[2].tool_calls[0].function.arguments", "got dict", put(M, 2, CALLS, 0, FN, "arguments", {})),
    ("messages[2].tool_calls[0].function.arguments", "are not JSON", put(M, 2, CALLS, 0, FN, "arguments", "{")),
    ("messages[2].tool_calls[0].function.arguments", "Extra data",
     put(M, 2, CALLS, 0, FN, "arguments", "{} {}")),
    ("messages[2].tool_calls[0].function.arguments", "NaN is not JSON",
     put(M, 2, CALLS, 0, FN, "arguments", '{"amount": NaN}')),
    ("messages[2].tool_calls[0].function.arguments", "not a JSON object",
     put(M, 2, CALLS, 0, FN, "arguments", "null")),
    ("messages[3].tool_call_id", "got null", drop(M, 3, "tool_call_id")),
    ("messages[4].tool_call_id", "answered already", insert(M, 4, answer("b"))),
    ("messages[9].tool_call_id", "no such call", insert(M, 9, answer("d"))),
    ("messages[9].tool_call_id", "answered already", insert(M, 9, answer("a"))),
    ("messages[4]", "did not have response messages: a", drop(M, 4)),
    ("messages[7]", "did not have response messages: c", drop(M, 8)),
    ("messages[0].role", "must start with a user message",
     both(drop(M, 0), drop(M, 0))),
    ("messages[1].role", "'system' after role 'system'", insert(M, 1, CHAT[M][0])),
    ("messages[2].role", "'system' after role 'user'", both(insert(M, 2, CHAT[M][0]), insert(M, 3, PICTURE))),
    ("messages[2].role", "'user' after role 'user'", insert(M, 2, PICTURE)),
    ("messages[3].role", "'assistant' after role 'assistant'",
     insert(M, 2, {"role": "assistant", "content": "Hm."})),
    ("messages[1].role", "'assistant' after role 'system'", drop(M, 1)),
    ("messages[9].role", "Expected last role User or Tool",
     insert(M, 9, {"role": "assistant", "content": "Bye."})),
    ("tools[0].function", "expected an object", drop("tools", 0, FN)),
    ("tools[0].type", "Invalid value: None", drop("tools", 0, "type")),
    ("tools[0].odd", "Unknown parameter", put("tools", 0, "odd", 1)),
    ("tools[0].function.odd", "Unknown parameter", put("tools", 0, FN, "odd", 1)),
    ("tools[0].function.name", "Invalid name None", drop("tools", 0, FN, "name")),
    ("tools[1].function.name", "must be unique", insert("tools", 1, CHAT["tools"][0])),
    ("tools[0].function.description", "got null", drop("tools", 0, FN, "description")),
    ("tools[0].function.parameters", "expected an object", drop("tools", 0, FN, "parameters")),
    ("tools[0].function.parameters", "type 'object'", put("tools", 0, FN, "parameters", "type", "string")),
    ("tools[0].function.parameters", "missing properties", drop("tools", 0, FN, "parameters", "properties")),
]  # fmt: skip

I = "input"
IN_RESPONSES = [
    ("user", "Unknown parameter", put("user", "e")),
    ("messages", "Unknown parameter", put("messages", [])),
    ("model", "Missing required", drop("model")),
    ("max_output_tokens", "at least 1", put("max_output_tokens", -1)),
    ("metadata.n", "expected a string, got int", put("metadata", "n", 1)),
    ("input", "expected a string or a list", drop(I)),
    ("input", "expected a string or a list", put(I, [])),
    ("input[1].type", "Missing required parameter: 'input[1].type'", drop(I, 1, "type")),
    ("input[6].type", "Missing required parameter", drop(I, 6, "type")),
    ("input[2].type", "Invalid value: 'thought'", put(I, 2, "type", "thought")),
    ("input[1].odd", "Unknown parameter", put(I, 1, "odd", 1)),
    ("input[1].id", "Unknown parameter", put(I, 1, "id", "msg_9")),
    ("input[4].parsed_arguments", "Unknown parameter", put(I, 4, "parsed_arguments", {})),
    ("input[2].status", "Unknown parameter", put(I, 2, "status", None)),
    ("input[1].role", "Invalid value: 'human'", put(I, 1, "role", "human")),
    ("input[1].content", "Missing required", drop(I, 1, "content")),
    ("input[1].content", "got null", put(I, 1, "content", None)),
    ("input[1].content[0].type", "Supported values are: ['input_text'", put(I, 1, "content", 0, SAID)),
    ("input[3].content[0].type", "Supported values are: ['output_text'",
     put(I, 3, "content", 0, RESPONSES[I][1]["content"][0])),
    ("input[1].content[0].odd", "Unknown parameter", put(I, 1, "content", 0, "odd", 1)),
    ("input[1].content[0].text", "got null", drop(I, 1, "content", 0, "text")),
    ("input[8].content[0].detail", "Missing required", drop(I, 8, "content", 0, "detail")),
    ("input[3].content[0].annotations", "Missing required", drop(I, 3, "content", 0, "annotations")),
    ("input[3].id", "Missing required", drop(I, 3, "id")),
    ("input[3].status", "Missing required", drop(I, 3, "status")),
    ("input[4].id", "Expected an ID that begins with 'fc'", put(I, 4, "id", "call_1")),
    ("input[2].id", "got null", drop(I, 2, "id")),
    ("input[2].summary", "expected a list", drop(I, 2, "summary")),
    ("input[4].call_id", "empty string", put(I, 4, "call_id", "")),
    ("input[4].call_id", "got null", drop(I, 4, "call_id")),
    ("input[4].name", "Invalid name", put(I, 4, "name", "a b")),
    ("input[4].arguments", "got dict", put(I, 4, "arguments", {})),
    ("input[4].arguments", "not JSON", put(I, 4, "arguments", "{")),
    ("input[4].arguments", "not a JSON object", put(I, 4, "arguments", "[1]")),
    ("input[6].call_id", "got null", drop(I, 6, "call_id")),
    ("input[6].output", "Missing required", drop(I, 6, "output")),
    ("input[6].output", "got null", put(I, 6, "output", None)),
    ("input[6].output", "a computer_screenshot", put(I, 6, item("computer_call_output", call_id="b"))),
    ("input[5].call_id", "duplicate call_id 'a'", both(put(I, 5, "call_id", "a"), drop(I, 6))),
    ("input[8].call_id", "No tool call found for function call output with call_id a",
     insert(I, 8, output("a"))),
    ("input[7].call_id", "No tool call found", insert(I, 7, output("d"))),
    ("input[7]", "No tool output found for function call a", drop(I, 7)),
    ("input[9]", "No tool output found for function call c", drop(I, 10)),
    ("input[7]", "No tool output found for function call a",
     both(put(I, 7, called("d")), insert(I, 8, output("d")))),
    ("input[2].role", "'system' after the conversation began", insert(I, 2, RESPONSES[I][0])),
    ("input[11]", "Expected last role", insert(I, 11, item("message", role="assistant", content="Bye."))),
    ("tools", "too short", put("tools", [])),
    ("tools[0].type", "Invalid value: 'custom'", put("tools", 0, "type", "custom")),
    ("tools[0].odd", "Unknown parameter", put("tools", 0, "odd", 1)),
    ("tools[0].strict", "Missing required", drop("tools", 0, "strict")),
    ("tools[0].name", "Invalid name", put("tools", 0, "name", "")),
    ("tools[1].name", "must be unique", insert("tools", 1, RESPONSES["tools"][0])),
    ("tools[0].description", "empty string", put("tools", 0, "description", "")),
    ("tools[0].parameters", "type 'object'", put("tools", 0, "parameters", {})),
    ("tools[1].odd", "Unknown parameter", insert("tools", 1, item("computer", odd=1))),
]  # fmt: skip

C = "content"
IN_MESSAGES = [
    ("user", "Unknown parameter", put("user", "e")),
    ("max_tokens", "Field required", drop("max_tokens")),
    ("model", "Field required", drop("model")),
    ("metadata.episode", "Unknown parameter", put("metadata", "episode", "e")),
    ("messages", "at least one message", put(M, [])),
    ("messages.0.role", "should be 'user' or 'assistant'", put(M, 0, "role", "system")),
    ("messages.0.name", "Unknown parameter", put(M, 0, "name", "me")),
    ("messages.0.content", "must have non-empty content", put(M, 0, C, "")),
    ("messages.0.content", "got null", drop(M, 0, C)),
    ("system", "must have non-empty content", put("system", "")),
    ("messages.1.content.0.text", "must be non-empty", put(M, 1, C, 0, "text", " ")),
    ("messages.1.content.0.type", "does not match any of", put(M, 1, C, 0, result("a"))),
    ("messages.1.content.0.type", "does not match any of", drop(M, 1, C, 0, "type")),
    ("messages.1.content.1.text", "Unknown parameter", put(M, 1, C, 1, "text", "")),
    ("messages.2.content.2.source", "expected a source", put(M, 2, C, 2, {"type": "image"})),
    ("messages.1.content.1.id", "match pattern", put(M, 1, C, 1, "id", "")),
    ("messages.1.content.1.name", "Invalid name", put(M, 1, C, 1, "name", "")),
    ("messages.1.content.1.input", "valid dictionary", put(M, 1, C, 1, "input", "{}")),
    ("messages.2.content.0.tool_use_id", "got null", drop(M, 2, C, 0, "tool_use_id")),
    ("messages.2.content.0.content.0.text", "non-empty", put(M, 2, C, 0, C, 0, "text", "")),
    ("messages.1", "without `tool_result` blocks immediately after: b", drop(M, 2, C, 1)),
    ("messages.3", "without `tool_result` blocks immediately after: c", drop(M, 4)),
    ("messages.4.content.1", "unexpected `tool_use_id`", insert(M, 4, C, 1, result("a"))),
    ("messages.2.content", "come before everything else", insert(M, 2, C, 0, {"type": "text", "text": "Hm."})),
    ("messages.3.content.0.id", "must be unique",
     both(put(M, 3, C, 0, "id", "a"), put(M, 4, C, 0, "tool_use_id", "a"))),
    ("messages.1.role", "roles must alternate", insert(M, 1, {"role": "user", "content": "Well?"})),
    ("messages.0.role", "first message", insert(M, 0, {"role": "assistant", "content": "Hm."})),
    ("messages", "end with a user message", insert(M, 5, {"role": "assistant", "content": "Bye."})),
    ("tools.0", "expected an object", put("tools", 0, "computer")),
    ("tools.1.name", "Invalid name", drop("tools", 1, "name")),
    ("tools", "must be unique", insert("tools", 2, MESSAGES["tools"][1])),
    ("tools.0.odd", "Unknown parameter", put("tools", 0, "odd", 1)),
    ("tools.1.parameters", "Unknown parameter", put("tools", 1, "parameters", {})),
    ("tools.1.type", "does not match", put("tools", 1, "type", "bash")),
    ("tools.1.description", "got null", drop("tools", 1, "description")),
    ("tools.1.input_schema", "missing properties", drop("tools", 1, "input_schema", "properties")),
]  # fmt: skip


def named(cases: list[tuple[str, str, Edit]]) -> dict[str, Any]:
    names = [f"{place} {words[:24]}" for place, words, _ in cases]
    return {"argnames": ("place", "words", "edit"), "argvalues": cases, "ids": names}


def edited(body: dict[str, Any], edit: Edit) -> dict[str, Any]:
    changed = copy.deepcopy(body)
    edit(changed)
    return changed


def alone(found: list[Wrong], place: str, words: str) -> None:
    assert [wrong.place for wrong in found] == [place], found
    assert words in found[0].says


@over(**named(IN_CHAT))
def test_chat_refuses(place: str, words: str, edit: Edit) -> None:
    alone(chat.problems(edited(CHAT, edit), ServerQuirks()), place, words)


@over(**named(IN_RESPONSES))
def test_responses_refuse(place: str, words: str, edit: Edit) -> None:
    alone(responses.problems(edited(RESPONSES, edit), ServerQuirks()), place, words)


@over(**named(IN_MESSAGES))
def test_messages_refuse(place: str, words: str, edit: Edit) -> None:
    alone(messages.problems(edited(MESSAGES, edit), HEADERS), place, words)


def test_what_keeps_all_rules_is_taken() -> None:
    assert not chat.problems(CHAT, ServerQuirks())
    assert not responses.problems(RESPONSES, ServerQuirks())
    assert not responses.problems({"model": "m", "input": "Go."}, ServerQuirks())
    assert not messages.problems(MESSAGES, HEADERS)


@pytest.mark.parametrize(
    ("missing", "place"),
    [("anthropic-version", "anthropic-version"), ("anthropic-beta", "tools.0.type")],
)
def test_messages_want_their_headers(missing: str, place: str) -> None:
    headers = {name: value for name, value in HEADERS.items() if name != missing}
    alone(messages.problems(MESSAGES, headers), place, "header")


def test_a_server_may_refuse_users_after_tools_and_take_pictures_in_tool_messages() -> None:
    mistral = ServerQuirks(users_after_tools=False, pictures_in_tools=True)
    found = chat.problems(CHAT, mistral)
    assert {wrong.says for wrong in found} == {
        "Unexpected role 'user' after role 'tool'", "Unexpected role 'user' after role 'user'",
    }  # fmt: skip
    inside = edited(CHAT, both(drop(M, 5), drop(M, 5), put(M, 4, "content", PICTURE["content"])))
    assert not chat.problems(inside, mistral)


def test_a_server_may_refuse_the_reasoning_that_it_told() -> None:
    strict = ServerQuirks(reasoning_back=False)
    alone(
        chat.problems(CHAT, strict),
        "messages[2].assistant.reasoning_content",
        "not permitted",
    )
    alone(responses.problems(RESPONSES, strict), "input[2]", "not permitted")


def test_labels_in_the_body_are_taken_where_a_runner_needs_it() -> None:
    taking = ServerQuirks(labels_in_body=True)
    labels = {"user": "e", "metadata": {"episode": "e"}}
    assert not chat.problems({**CHAT, **labels}, taking)
    assert not responses.problems({**RESPONSES, **labels}, taking)


def test_a_message_of_responses_may_lack_its_type_where_a_runner_needs_it() -> None:
    untyped = edited(RESPONSES, both(drop(I, 1, "type"), drop(I, 8, "type")))
    assert not responses.problems(untyped, ServerQuirks(untyped_messages=True))
    odd = edited(RESPONSES, drop(I, 6, "type"))
    alone(responses.problems(odd, ServerQuirks(untyped_messages=True)), "input[6].type", "Missing")


@over(
    ("raw", "words"),
    [
        (b"{", "Expecting property name"),
        (b"[]", "not an object"),
        (b'{"a": NaN}', "NaN is not JSON"),
        (b'{"a": "\xff"}', "can't decode byte 0xff"),
        (b'{"a": "\\ud83d"}', "surrogates not allowed"),
        (b'{"a": "\\uD83D"}', "surrogates not allowed"),
    ],
)
def test_a_body_that_other_parsers_refuse_is_refused(raw: bytes, words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        read(raw)


def test_an_escaped_character_beyond_the_basic_plane_is_taken() -> None:
    assert read(json.dumps({"a": "\U0001f600"}).encode()) == {"a": "\U0001f600"}


def test_of_many_problems_three_are_told() -> None:
    found = [Wrong("a", "is wrong"), Wrong("", "odd"), Wrong("b", "is too"), Wrong("c", "and this")]
    assert describe(found) == "a: is wrong; odd; b: is too (and 1 more)"
