"""Tests of the tokens of a model's messages: read from replies, recorded without repetition, and reassembled."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stand_in._shared.models import replies, sampled, streams
from stand_in._shared.models.conversation import Conversation
from stand_in._shared.models.replies import Reply

from skill_tools.evidence.trajectory import Trajectory
from skill_tools.rollouts.records.conversation import Unfit
from skill_tools.rollouts.records.tokens import Sequence, sequences
from tests.over import over

ids = st.lists(st.integers(0, 5), max_size=6)


def completion(whole: Any = None, message: Any = None, **choice: Any) -> dict[str, Any]:
    said = {"role": "assistant", "content": "x", **(message or {})}
    return {"choices": [{"index": 0, "message": said, **choice}], **(whole or {})}


def entries(*logprobs: Any, **more: Any) -> dict[str, Any]:
    return {"content": [{"token": "x", "logprob": each, **more} for each in logprobs]}


def told(body: Any) -> sampled.Tokens:
    return replies.of_chat(body, set(), 0).tokens


def played(*turns: sampled.Tokens, **usage: int) -> Trajectory:
    """Return the recorded trajectory of an episode whose messages have these tokens."""
    conversation = Conversation([])
    for tokens in turns:
        conversation.add(Reply("x", usage=usage, tokens=tokens))
    place = {"model": "m", "label": "l", "end": "stopped"}
    return Trajectory(**place, turns=json.loads(json.dumps(conversation.turns)))


@pytest.mark.parametrize(
    "body",
    [
        completion(token_ids=[1, 2], logprobs=entries(-0.5, 0)),
        completion(message={"generation_token_ids": [1, 2], "generation_log_probs": [-0.5, 0]}),
        completion(logprobs={"content": [{"id": 1, "logprob": -0.5}, {"id": 2, "logprob": 0}]}),
        completion(logprobs={"content": [
            {"token": "token_id:1", "logprob": -0.5}, {"token": "token_id:2", "logprob": 0},
        ]}),
    ],
)  # fmt: skip
def test_ids_and_logprobs_are_read_wherever_they_stand(body: dict[str, Any]) -> None:
    assert told(body) == {"ids": [1, 2], "logprobs": [-0.5, 0]}


@over(
    "body",
    [
        completion(token_ids=["1"], prompt_token_ids="12"),
        completion(token_ids=[True], prompt_token_ids=[None]),
        completion(token_ids=[1.0], logprobs=entries(math.nan)),
        completion(token_ids={"1": 1}, logprobs=[1], prompt_token_ids=[[1]]),
        completion(logprobs=entries(None)),
        completion(logprobs={"content": [7, None, "x"]}),
        completion(token_ids=None, logprobs={"content": None}),
    ],
)
def test_what_is_no_list_of_numbers_is_not_taken_for_tokens(body: dict[str, Any]) -> None:
    assert told(body) == {}


def test_logprobs_that_are_not_one_for_each_token_are_dropped() -> None:
    assert told(completion(token_ids=[1, 2, 3], logprobs=entries(-0.5))) == {"ids": [1, 2, 3]}


def test_logprobs_beside_the_text_of_a_response_are_not_those_of_its_calls() -> None:
    part = {"type": "output_text", "text": "x", "logprobs": [{"token": "x", "logprob": -1}]}
    message = {"type": "message", "content": [part]}
    call = {"type": "function_call", "name": "guess", "arguments": "{}", "call_id": "c"}
    assert replies.of_response({"output": [message]}, set(), 0).tokens == {"logprobs": [-1]}
    assert replies.of_response({"output": [message, call]}, set(), 0).tokens == {}


@given(prompt=ids, said=ids)
def test_what_our_relay_tells_is_read_as_it_was_told(prompt: list[int], said: list[int]) -> None:
    tokens = {"prompt_ids": prompt, "ids": said, "logprobs": [-0.25 * n for n in said]}
    tokens = {name: value for name, value in tokens.items() if value}
    whole, choice = sampled.as_chat(tokens)
    assert told(completion(whole, **choice)) == tokens


@given(pieces=st.lists(ids, min_size=1, max_size=4), prompt=ids)
def test_the_ids_of_a_stream_are_those_of_its_pieces(
    pieces: list[list[int]], prompt: list[int]
) -> None:
    events: list[dict[str, Any]] = [
        {"choices": [{"index": 0, "delta": {"content": "x"}, "token_ids": piece,
                      "logprobs": entries(*map(float, piece))}]}
        for piece in pieces
    ]  # fmt: skip
    events[0]["prompt_token_ids"] = prompt
    events.append({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    text = "".join(f"data: {json.dumps(event)}\n\n" for event in events)
    said = [number for piece in pieces for number in piece]
    tokens = {"prompt_ids": prompt, "ids": said, "logprobs": [float(number) for number in said]}
    assert told(streams.whole(text)) == {name: value for name, value in tokens.items() if value}


@given(turns=st.lists(st.tuples(ids, ids, st.booleans()), min_size=1, max_size=5))
def test_sequences_hold_every_token_once_for_as_long_as_the_prompt_goes_on(
    turns: list[tuple[list[int], list[int], bool]],
) -> None:
    expected: list[Sequence] = []
    said: list[sampled.Tokens] = []
    read: list[int] = []
    for prompt, wrote, goes_on in turns:
        prompt = [1, *read, *prompt] if goes_on and not read else [*read * goes_on, 9, *prompt]
        said.append({"prompt_ids": prompt, "ids": wrote, "logprobs": [-0.5] * len(wrote)})
        if prompt[: len(read)] != read or not expected:
            expected.append(Sequence())
            read = []
        new = prompt[len(read) :]
        expected[-1].ids += [*new, *wrote]
        expected[-1].mask += [0] * len(new) + [1] * len(wrote)
        assert expected[-1].logprobs is not None
        expected[-1].logprobs += [0.0] * len(new) + [-0.5] * len(wrote)
        read = [*prompt, *wrote]
    found = sequences(played(*said))
    assert [(each.ids, each.mask, each.logprobs) for each in found] == [
        (each.ids, each.mask, each.logprobs) for each in expected
    ]


def test_a_prompt_is_recorded_once_and_not_again_with_each_message() -> None:
    prompt, turns = [7] * 1000, []
    for _ in range(5):
        turns.append({"prompt_ids": prompt, "ids": [1, 2]})
        prompt = [*prompt, 1, 2, 3]
    recorded = played(*turns).turns
    assert [len(turn["tokens"]["prompt_ids"]) for turn in recorded] == [1000, 1, 1, 1, 1]


def test_without_logprobs_of_one_message_a_sequence_has_none() -> None:
    first = {"prompt_ids": [1], "ids": [2], "logprobs": [-1.0]}
    [found] = sequences(played(first, {"prompt_ids": [1, 2, 3], "ids": [4]}))
    assert (found.ids, found.mask, found.logprobs) == ([1, 2, 3, 4], [0, 1, 0, 1], None)


@over(
    ("turns", "counted", "why"),
    [
        ([{}], 1, "not reported"),
        ([{"ids": [1]}], 1, "not reported"),
        ([{"prompt_ids": [1], "ids": [2]}], 4, "reported tokens differ from the server's count"),
        ([{"prompt_ids": [1], "ids": [2, 3]}], 1, "reported tokens differ from the server's count"),
        ([], 1, "no message"),
    ],
)
def test_an_episode_whose_tokens_are_not_all_known_is_unfit(
    turns: list[sampled.Tokens], counted: int, why: str
) -> None:
    with pytest.raises(Unfit, match=why):
        sequences(played(*turns, output_tokens=counted))
