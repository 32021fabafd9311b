"""Tests of servers' replies in any format: they are read or refused, and sent back in the format that the
strictest server accepts.
"""

from __future__ import annotations

import copy
import json
import math
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stand_in._shared import arguments
from stand_in._shared.models import conversation, replies, streams
from stand_in._shared.models.replies import NoReply, Reply

from tests.over import over

Read = Callable[[Any, set[str], int], Reply]
NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
BACK = {"role", "content", "tool_calls", *replies.REASONING}
HALF = "\ud83d"


def called(*calls: Any, **more: Any) -> dict[str, Any]:
    """Return a chat completion with these calls."""
    message = {"role": "assistant", "content": None, "tool_calls": list(calls), **more}
    return {"choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}]}


def call(said: Any, identity: Any = "call_1", name: Any = "guess") -> dict[str, Any]:
    return {"id": identity, "type": "function", "function": {"name": name, "arguments": said}}


CHAT = {
    "vllm": {
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "Qwen/Qwen3-8B",
        "choices": [{
            "index": 0, "logprobs": None, "stop_reason": None, "finish_reason": "tool_calls",
            "message": {
                "role": "assistant", "content": None, "refusal": None, "annotations": None,
                "audio": None, "function_call": None, "reasoning_content": "I guess.",
                "tool_calls": [call('{"word": "crane"}'), call('{"word": "slate"}', "call_2")],
            },
        }],
        "usage": {
            "prompt_tokens": 90, "completion_tokens": 12, "total_tokens": 102,
            "prompt_tokens_details": {"cached_tokens": 64},
            "completion_tokens_details": {"reasoning_tokens": 7},
        },
    },
    "mistral": {
        "id": "1", "model": "magistral",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": [
            {"type": "thinking", "thinking": [{"type": "text", "text": "Well."}], "closed": True},
            {"type": "text", "text": "Done."},
        ]}}],
        "usage": {"prompt_tokens": 5, "completion_tokens": 6},
    },
    "gemini": {
        "choices": [{"finish_reason": "tool_calls", "index": 0, "message": {
            "role": "assistant",
            "tool_calls": [{**call("{}", ""), "extra_content": {"google": {"thought_signature": "x"}}}],
        }}],
    },
    "openrouter": {
        "choices": [{"native_finish_reason": "STOP", "finish_reason": None, "message": {
            "content": "", "reasoning": "So.",
            "reasoning_details": [{"type": "reasoning.text", "text": "So.", "index": 0}],
        }}],
    },
    "azure": {"choices": [{"finish_reason": "content_filter", "message": {"content": "Half a"}}]},
    "before": {"choices": [{"text": "plain", "finish_reason": "length"}]},
    "error": {"error": {"message": "the model is loading", "code": 503, "type": "x"}},
}  # fmt: skip
RESPONSES = {
    "openai": {
        "id": "resp_1", "object": "response", "status": "completed", "model": "gpt-5", "error": None,
        "incomplete_details": None,
        "output": [
            {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "So."}],
             "encrypted_content": "abc", "status": None},
            {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
             "content": [{"type": "output_text", "text": "I guess.", "annotations": []}]},
            {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "guess",
             "arguments": '{"word": "crane"}', "status": "completed"},
        ],
        "usage": {"input_tokens": 9, "output_tokens": 4, "output_tokens_details": {"reasoning_tokens": 2}},
    },
    "cut": {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}, "output": []},
    "failed": {"status": "failed", "error": {"code": "server_error", "message": "x"}, "output": []},
    "text": {"output_text": "Done."},
}  # fmt: skip
BODIES = [
    *((replies.of_chat, body) for body in CHAT.values()),
    *((replies.of_response, body) for body in RESPONSES.values()),
]
ODD = (
    None, True, False, 0, -1, 10**300, 1.5, math.nan, math.inf, "", " ", "x", HALF, "²", "9" * 5000,
    "x" * 100_000, [], [None], [[]], [7], ["x"], [{}], {}, {"x": 1}, {"text": HALF}, {"type": "text"},
    [{"type": []}], {"id": {}},
)  # fmt: skip
GONE = object()

texts = st.text(st.characters(exclude_categories=()), max_size=20)
keys = st.sampled_from(
    [
        "choices",
        "message",
        "content",
        "text",
        "tool_calls",
        "function",
        "name",
        "arguments",
        "id",
        "type",
        "thinking",
        "summary",
        "usage",
        "finish_reason",
        "error",
        "code",
        "output",
        "status",
        "call_id",
        "prompt_tokens",
        "reasoning",
        "delta",
        "index",
        "model",
    ]
)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts | st.sampled_from(ODD),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys | texts, inner, max_size=5),
    max_leaves=25,
)


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path to each value within JSON data."""
    yield at
    listed = enumerate(value) if isinstance(value, list) else ()
    for key, each in value.items() if isinstance(value, dict) else listed:
        yield from places(each, (*at, key))


def changed(body: Any, at: tuple[Any, ...], value: Any) -> Any:
    """Return a copy of the data in which the value at a path is replaced, or removed if the new value is GONE."""
    if not at:
        return None if value is GONE else value
    body = copy.deepcopy(body)
    around = body
    for key in at[:-1]:
        around = around[key]
    if value is GONE:
        del around[at[-1]]
    else:
        around[at[-1]] = copy.deepcopy(value)
    return body


def check(read: Read, data: Any) -> Reply | None:
    """Read data that may be a reply, and check that the result can be stored and sent to any server.

    Return the reply, or None if the data is not a reply.
    """
    used = {"call_1"}
    try:
        reply = read(data, used, 3)
    except NoReply as odd:
        json.dumps([str(odd), odd.error, odd.status]).encode()
        str(odd).encode()
        return None
    sent = reply.message(sent=True)
    assert sent.keys() <= BACK
    assert isinstance(sent["content"], str)
    assert sent["content"] or reply.calls
    identities = [each["id"] for each in sent.get("tool_calls", ())]
    assert all(identities)
    assert len({*identities, "call_1"}) == len(identities) + 1
    assert used == {*identities, "call_1"}
    for each in sent.get("tool_calls", ()):
        assert each.keys() <= {"id", "type", "function", *replies.SIGNED}
        assert each["type"] == "function"
        assert each["function"].keys() == {"name", "arguments"}
        assert NAME.fullmatch(each["function"]["name"])
        assert isinstance(json.loads(each["function"]["arguments"]), dict)
    for each in reply.calls:
        assert isinstance(each.arguments, dict)
    said = conversation.Conversation([])
    said.add(reply)
    every = [sent, reply.message(), reply.about, reply.model, said.items(conversation.Habits())]
    json.dumps(every, ensure_ascii=False, allow_nan=False).encode()
    assert all(type(count) is int for count in reply.usage.values())
    return reply


@pytest.mark.everything("costly")
@over(("read", "body"), BODIES, ids=[*CHAT, *(f"r-{name}" for name in RESPONSES)])
def test_a_reply_with_anything_anywhere_is_read_or_refused(read: Read, body: Any) -> None:
    for at in places(body):
        for value in (*ODD, GONE):
            check(read, changed(body, at, value))


@pytest.mark.everything("costly")
@settings(max_examples=300)
@given(data=st.data())
def test_a_reply_with_several_odd_things_is_read_or_refused(data: st.DataObject) -> None:
    read, body = data.draw(st.sampled_from(BODIES))
    for _ in range(3):
        at = data.draw(st.sampled_from(list(places(body))))
        body = changed(body, at, data.draw(values))
    check(read, body)


@pytest.mark.everything("costly")
@settings(max_examples=500)
@given(body=values)
def test_anything_is_read_or_refused(body: Any) -> None:
    check(replies.of_chat, body)
    check(replies.of_chat, {"choices": [{"message": body}]})
    check(replies.of_chat, called(body))
    check(replies.of_response, body)
    check(replies.of_response, {"output": [body]})


@pytest.mark.parametrize("read", [replies.of_chat, replies.of_response])
def test_what_is_nested_without_end_is_refused(read: Read) -> None:
    for key in ("text", "content", "x"):
        body: Any = "x"
        for _ in range(3000):
            body = {key: [body]}
        for whole in (body, {"choices": [{"message": {"content": body}}]}, {"output": [body]}):
            check(read, whole)
        check(read, called(call(body)))
        check(read, called(reasoning_details=body))


@pytest.mark.everything("costly")
@settings(max_examples=300)
@given(
    text=texts
    | st.text(st.sampled_from('data: \n\r{}[]":,event:x1'), max_size=80)
    | values.map(json.dumps)
)
def test_any_text_is_read_or_refused(text: str) -> None:
    check(replies.of_chat, streams.whole(text))
    check(replies.of_response, streams.whole(text))


@pytest.mark.parametrize(
    "text", ["[" * 200_000, '{"a":' * 200_000, "9" * 9000, "data: " + "[" * 200_000]
)
def test_a_text_that_no_reader_takes_is_refused(text: str) -> None:
    assert check(replies.of_chat, streams.whole(text)) is None


# Streams

pieces = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


@st.composite
def streamed(draw: st.DrawFn) -> tuple[dict[str, Any], str]:
    """Return a completion and a stream with the same content, split and written in one of many possible formats."""
    text = draw(st.lists(pieces, max_size=4))
    thought = draw(st.lists(pieces, max_size=3))
    calls = draw(st.lists(st.lists(pieces, min_size=1, max_size=3), max_size=3))
    style = draw(st.sampled_from(["numbers", "all zero", "null", "missing"]))
    again = draw(st.booleans())
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    deltas += [{"reasoning_content": piece} for piece in thought]
    deltas += [{"content": piece} for piece in text]
    if draw(st.booleans()):
        deltas = draw(st.permutations(deltas)) if len(text) + len(thought) < 2 else deltas
    for number, said in enumerate(calls):
        about = {"id": f"call_{number}", "type": "function"}
        for first, piece in enumerate(said):
            function = {"name": "guess"} if again or not first else {}
            part = {
                **(about if again or not first else {}),
                "function": {**function, "arguments": piece},
            }
            place = {"numbers": number, "all zero": 0, "null": None, "missing": GONE}[style]
            deltas.append({"tool_calls": [part if place is GONE else {"index": place, **part}]})
    usage = {"prompt_tokens": 5, "completion_tokens": 6}
    reason = "tool_calls" if calls else "stop"
    events: list[Any] = [
        {"choices": [{"index": 0, "delta": d, "finish_reason": None}]} for d in deltas
    ]
    events.append({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}], "usage": None})
    events.append({"choices": draw(st.sampled_from([[], None])), "usage": usage})
    events = [{"model": "m", **event} for event in events]
    end = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    # Without the space, with comments and events' names between, without the last line.
    field = draw(st.sampled_from(["data: ", "data:"]))
    extra = draw(st.sampled_from(["", f": keep-alive{end}{end}", f"event: message{end}"]))
    ascii_only = draw(st.booleans())
    reported = "".join(
        f"{extra}{field}{json.dumps(event, ensure_ascii=ascii_only)}{end}{end}" for event in events
    )
    done = draw(st.sampled_from([f"data: [DONE]{end}{end}", "data: [DONE]", ""]))
    message: dict[str, Any] = {"content": "".join(text)}
    message |= {"reasoning_content": "".join(thought)} if thought else {}
    message["tool_calls"] = [call("".join(said), f"call_{n}") for n, said in enumerate(calls)]
    choice = {"message": message, "finish_reason": reason}
    return {"model": "m", "choices": [choice], "usage": usage}, reported + done


@pytest.mark.everything("costly")
@settings(max_examples=300)
@given(both=streamed())
def test_a_stream_is_the_reply_that_was_cut_into_it(both: tuple[dict[str, Any], str]) -> None:
    completion, reported = both
    assert check(replies.of_chat, streams.whole(reported)) == check(replies.of_chat, completion)


def stream(*events: Any, end: str = "data: [DONE]\n\n") -> str:
    return "".join(f"data: {json.dumps(event)}\n\n" for event in events) + end


def delta(more: Any, reason: str | None = None) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": more, "finish_reason": reason}]}


def read(text: str) -> Reply:
    reply = check(replies.of_chat, streams.whole(text))
    assert reply is not None
    return reply


def test_an_error_amid_a_stream_is_an_error() -> None:
    reported = stream(delta({"content": "I"}), {"error": {"message": "out of memory", "code": 503}})
    with pytest.raises(NoReply, match="out of memory") as caught:
        replies.of_chat(streams.whole(reported), set(), 0)
    assert caught.value.status == 503


def test_a_stream_that_ends_amid_a_message_is_no_message() -> None:
    reported = stream(delta({"content": "I"}), delta({"content": " guess"}), end="")
    with pytest.raises(NoReply, match="the stream ended before the message did"):
        replies.of_chat(streams.whole(reported), set(), 0)
    assert read(reported + "data: [DONE]").text == "I guess"


def test_events_without_an_empty_line_between_them_are_read() -> None:
    reported = stream(delta({"content": "I"}), delta({"content": " guess"}, "stop"))
    assert read(reported.replace("\n\n", "\n")).text == "I guess"


def test_every_field_of_thought_is_joined_and_one_that_was_told_as_parts() -> None:
    for name in replies.REASONING:
        reported = stream(delta({name: "I "}), delta({name: None}), delta({name: "think"}, "stop"))
        assert read(reported).reasoning == {name: "I think"}
    parts = [{"type": "text", "text": "I "}], [{"type": "text", "text": "guess"}]
    assert read(stream(*({**delta({"content": p})} for p in parts))).text == "I guess"
    assert read(stream(delta({"content": "I "}), delta({"content": parts[1]}))).text == "I guess"
    assert read(stream(delta({"content": parts[0]}), delta({"content": "guess"}))).text == "I guess"


def test_one_call_by_its_old_name_is_read_from_a_stream_too() -> None:
    first, second = {"name": "guess", "arguments": '{"word"'}, {"arguments": ': "crane"}'}
    reported = stream(
        delta({"function_call": first}), delta({"function_call": second}, "function_call")
    )
    assert [(each.name, each.arguments) for each in read(reported).calls] == [
        ("guess", {"word": "crane"})
    ]


def test_a_whole_reply_of_a_responses_stream_is_its_last_event() -> None:
    body = RESPONSES["openai"]
    events = [
        {"type": "response.created", "response": {**body, "status": "in_progress", "output": []}},
        {"type": "response.output_text.delta", "delta": "I gu"},
        {"type": "response.completed", "response": body},
    ]
    reported = "".join(f"event: {e['type']}\ndata: {json.dumps(e)}\n\n" for e in events)
    assert check(replies.of_response, streams.whole(reported)) == check(replies.of_response, body)
    with pytest.raises(NoReply):
        replies.of_response(
            streams.whole(reported.partition("event: response.completed")[0]), set(), 0
        )


# What goes back, and what is kept

BROKEN = {
    '{"word": "cra': "the text ends before the object does",
    "{": "the text ends before the object does",
    '{"word": "crane"} I hope': "there is more text after the first value",
    '{"word": "crane"}{"word": "slate"}': "there is more text after the first value",
    '"{\\"word\\": \\"crane\\"}"': "it is a string that holds JSON; give the object itself",
    "null": "it is null",
    '["crane"]': "it is a list",
    '"crane"': "it is a string",
    "true": "it is true or false",
    "7": "it is a number",
    "{'word': 'crane'}": "it is not valid JSON",
    '{"word": "\\ud83d"}': "it holds half of a surrogate pair",
    '{"word": NaN}': "it holds a number that JSON does not have",
    '{"word": 1e999}': "it holds a number that JSON does not have",
    '{"word": ' + "[" * 80 + "]" * 80 + "}": "it is nested too deeply",
    "crane": "",
}


@over("said", BROKEN, ids=range(len(BROKEN)))
def test_broken_arguments_go_back_as_an_object_are_kept_as_written_and_refused_with_the_reason(
    said: str,
) -> None:
    from stand_in._shared import episode
    from stand_in._shared.tool_rules import ECHOED

    reply = replies.of_chat(called(call(said, name="add")), set(), 0)
    [kept], [back] = (reply.message(sent=sent)["tool_calls"] for sent in (False, True))
    assert kept["function"] == {"name": "add", "arguments": said}
    assert back["function"] == {"name": "add", "arguments": "{}"}
    assert arguments.why_no_object(said) == BROKEN[said]
    played = episode.Episode({"id": "0", "target": 3})
    step = played.call("add", reply.calls[0].arguments)
    echoed = json.dumps(said)
    echoed = echoed if len(echoed) <= ECHOED else f"{echoed[:ECHOED]}..."
    why = f" ({BROKEN[said]})" if BROKEN[said] else ""
    assert step.text == f"add: the arguments are not a JSON object: {echoed}{why}"
    assert step.error == "invalid_arguments"


@pytest.mark.parametrize("said", [{"word": "crane"}, '{"word": "crane"}', ' {"word":\n"crane"} '])
def test_arguments_are_read_as_text_and_as_an_object(said: Any) -> None:
    reply = replies.of_chat(called(call(said)), set(), 0)
    assert reply.calls[0].arguments == {"word": "crane"}
    [back] = reply.message(sent=True)["tool_calls"]
    assert back["function"]["arguments"] == '{"word": "crane"}'


@over("said", [None, "", " ", "\n", "{}", {}])
def test_no_arguments_are_an_empty_object(said: Any) -> None:
    reply = replies.of_chat(called(call(said)), set(), 0)
    assert reply.calls[0].arguments == {}


def test_ids_that_are_missing_or_used_are_made_anew_and_never_twice() -> None:
    used = {"c00000001"}
    ids = [None, "", " ", 7, "call_1", "call_1", "c00000000", "c00000000", "c00020003"]
    first = replies.of_chat(called(*(call("{}", each) for each in ids)), used, 0)
    second = replies.of_chat(called(*(call("{}", each) for each in ids)), used, 0)
    third = replies.of_chat(called({"function": {"name": "look"}}), used, 2)
    found = [each.id for reply in (first, second, third) for each in reply.calls]
    assert len(set(found)) == len(found) == 19
    assert all(re.fullmatch(r"[A-Za-z0-9_]{9}|call_1", each) for each in found)
    assert used == {*found, "c00000001"}


def test_only_what_servers_take_goes_back_and_the_record_keeps_the_text_beside_calls() -> None:
    body = copy.deepcopy(CHAT["vllm"])
    message = body["choices"][0]["message"]
    message["content"] = "I guess."
    reply = replies.of_chat(body, set(), 0)
    kept = reply.message()
    assert kept["content"] == "I guess."
    assert kept["reasoning_content"] == "I guess."
    assert reply.message(sent=True).keys() == {"role", "content", "reasoning_content", "tool_calls"}
    assert "reasoning_content" not in reply.message(sent=True, without={"reasoning_content"})


def test_a_content_of_parts_is_kept_as_text_and_the_thought_apart() -> None:
    reply = replies.of_chat(CHAT["mistral"], set(), 0)
    assert reply.message() == {
        "role": "assistant",
        "content": "Done.",
        "reasoning_content": "Well.",
    }


def test_half_a_surrogate_pair_in_a_reply_is_replaced_wherever_it_stands() -> None:
    body = called(
        call('{"word": "a"}', f"id{HALF}", f"n{HALF}"), content=HALF, reasoning=f"{HALF}r"
    )
    body |= {"model": f"m{HALF}"}
    body["choices"][0]["finish_reason"] = HALF
    reply = check(replies.of_chat, body)
    assert reply is not None
    assert (reply.text, reply.model, reply.finish_reason) == ("\ufffd", "m\ufffd", "\ufffd")
    assert (reply.calls[0].id, reply.calls[0].name) == ("id\ufffd", "n\ufffd")
    assert reply.reasoning == {"reasoning": "\ufffdr"}


def test_two_halves_of_a_surrogate_pair_are_the_character() -> None:
    assert arguments.clean("\ud83d\ude00 \ude00\ud83d!\ud83d") == "\U0001f600 \ufffd\ufffd!\ufffd"


def test_thought_goes_back_to_a_responses_server_with_the_summary_that_it_wants() -> None:
    body = {
        "output": [
            {
                "type": "reasoning",
                "id": "rs_1",
                "content": [{"type": "reasoning_text", "text": "So."}],
            }
        ]
    }
    said = conversation.Conversation([{"role": "user", "content": "Go."}])
    said.add(replies.of_response(body, said.used, 0))
    _, thought, text = said.items(conversation.Habits())
    assert thought == {
        "id": "rs_1",
        "type": "reasoning",
        "summary": [],
        "content": body["output"][0]["content"],
    }
    assert text == {"type": "message", "role": "assistant", "content": replies.NOTHING}


PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}


def test_what_a_text_variant_shows_is_sent_in_each_apis_own_form_and_recorded_by_reference() -> (
    None
):
    """Check calls in a variant that reads actions from text. A reply may still contain tool calls, but these calls
    get no result.
    """
    said = conversation.Conversation([{"role": "user", "content": "Go."}])
    said.add(replies.of_chat(called(call("{}"), content="<look/>"), said.used, 0))
    said.say([{"type": "text", "text": "A picture:"}, PICTURE], ["#/steps/0/observation/1"])
    items = said.items(conversation.Habits())
    assert [item["type"] for item in items] == ["message"] * 3
    assert [part["type"] for part in items[2]["content"]] == ["input_text", "input_image"]
    assert items[2]["content"][1]["image_url"] == PICTURE["image_url"]["url"]
    assert said.messages(conversation.Habits())[2]["content"][1] == PICTURE
    assert said.record()[2]["content"][1]["image_url"] == {"url": "#/steps/0/observation/1"}
    assert "tool_calls" in said.record()[1]
