"""How servers tell the tokens that a model read and wrote; each message is told in the same way."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from .items import function_call, response
from .troubles import SSE
from .wire import ANSWER, GUESS, PLAYED, TAGGED, Answer, Expected, Json, Kind, call, chat

READ, WROTE, LIKELY = ([1, 2, 3], [1, 2, 3, 4, 5, 6]), ([4, 5], [7]), ([-0.5, -1.25], [-0.25])
"""Of two messages: the prompt, what was written, and its logprobs."""
TOLD: tuple[Json, ...] = (
    {"carried": 0, "prompt_ids": [1, 2, 3], "ids": [4, 5], "logprobs": [-0.5, -1.25]},
    {"carried": 5, "prompt_ids": [6], "ids": [7], "logprobs": [-0.25]},
)
KEPT = replace(PLAYED, tokens=TOLD)
GUESSES = (
    (TAGGED, call()),
    (f"<guess>{ANSWER}</guess>", call(f'{{"word": "{ANSWER}"}}', "call_last")),
)


def _entries(turn: int, **more: Any) -> Json:
    """Logprobs as OpenAI has them."""
    return {"content": [{"token": "x", "logprob": p, "bytes": [120], "top_logprobs": [], **more} for p in LIKELY[turn]]}  # fmt: skip


def _completion(turn: int, whole: Json | None = None, **choice: Any) -> Json:
    """A message, with more fields of its choice and of the whole."""
    text, made = GUESSES[turn]
    said = chat(text, [made], more=whole)
    said["choices"][0] |= choice
    return said


def _vllm(turn: int) -> Json:
    told = {"token_ids": WROTE[turn], "logprobs": _entries(turn)}
    return _completion(turn, {"prompt_token_ids": READ[turn]}, **told)


def _sglang(turn: int) -> Json:
    ids = {"prompt_token_ids": READ[turn], "token_ids": WROTE[turn]}
    return _completion(turn, **ids, logprobs=_entries(turn))


def _llama_cpp(turn: int) -> Json:
    entries = _entries(turn)["content"]
    named = [{"id": n, **entry} for n, entry in zip(WROTE[turn], entries, strict=True)]
    return _completion(turn, logprobs={"content": named})


def _streamed(turn: int) -> Answer:
    """As vLLM streams: the prompt's ids once, the message's with each piece."""
    text, made = GUESSES[turn]
    deltas: list[Json] = [{"role": "assistant", "content": text}, {"tool_calls": [{"index": 0, **made}]}]  # fmt: skip
    events: list[Json] = []
    for at, number in enumerate(WROTE[turn]):
        entry = _entries(turn)["content"][at]
        choice = {"token_ids": [number], "logprobs": {"content": [entry]}, "finish_reason": None}
        delta = deltas.pop(0) if len(deltas) > 1 or at + 1 < len(WROTE[turn]) else {}
        events.append({"choices": [{"index": 0, "delta": delta, **choice}]})
    events += [{"choices": [{"index": 0, "delta": delta}]} for delta in deltas]
    events[0]["prompt_token_ids"] = READ[turn]
    events.append({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]})
    said = "".join(f"data: {json.dumps(event)}\n\n" for event in events)
    return Answer(f"{said}data: [DONE]\n\n", headers=SSE)


def _nemo_gym(turn: int) -> Json:
    """As NeMo Gym's own model server tells it, of its last item."""
    ids = {"prompt_token_ids": READ[turn], "generation_token_ids": WROTE[turn]}
    word = GUESS if turn == 0 else ANSWER
    said = function_call(
        f'{{"word": "{word}"}}', str(turn), **ids, generation_log_probs=LIKELY[turn]
    )
    return response(said)


def _told(make: Any) -> tuple[tuple[Answer, ...], ...]:
    answers = [make(turn) for turn in range(2)]
    return tuple((each if isinstance(each, Answer) else Answer(each),) for each in answers)


def _kind(name: str, source: str, what: str, make: Any, expected: Expected = KEPT) -> Kind:
    return Kind(name, 0, source, what, _told(make), expected, expected)


WRITTEN = replace(PLAYED, tokens=tuple({"ids": i, "logprobs": p} for i, p in zip(WROTE, LIKELY, strict=True)))  # fmt: skip
CHAT = [
    _kind("tokens_of_vllm", "vllm-project/vllm#22587", "prompt ids next to the choices, message ids in the choice", _vllm),
    _kind("tokens_of_sglang", "sgl-project/sglang#30917", "prompt and message ids in the choice", _sglang),
    _kind("tokens_streamed", "sgl-project/sglang#37365", "ids arrive with the chunks of a stream", _streamed),
    _kind("tokens_of_llama_cpp", "ggml-org/llama.cpp#10783", "an id with each logprob, but no prompt ids", _llama_cpp, WRITTEN),
]  # fmt: skip
RESPONSES = [
    Kind("tokens_of_nemo_gym", 0, "NVIDIA-NeMo/Gym#1554", "ids and logprobs in the last item", _told(_nemo_gym), KEPT, KEPT, api="responses"),
]  # fmt: skip
KINDS = [*CHAT, *RESPONSES]
