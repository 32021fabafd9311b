"""The tokens that a model read and wrote, where its server tells them: what a trainer trains on.

A text that is split into tokens anew is not always split as the model wrote it. Asked for by fields of
the request (`--extra-body`), told in as many ways as there are servers.
"""

import math
from collections.abc import Iterable, Mapping
from typing import Any

from .reply_parts import parts_of

Tokens = dict[str, list[Any]]
"""`prompt_ids`, all that the model read; `ids` and `logprobs` of what it wrote; only what was told."""
_READ = ("prompt_token_ids",)
_WRITTEN = ("token_ids", "generation_token_ids", "completion_token_ids")
_LOGPROBS = ("generation_log_probs",)
_WITH_ID = "token_id:"
"""What is before an id where a server gives it in the place of the token's text."""


def of_chat(data: Mapping[str, Any], choice: Mapping[str, Any]) -> Tokens:
    """The tokens of a chat completion: vLLM, SGLang, llama.cpp and NeMo Gym have them at four places."""
    message, logprobs = choice.get("message"), choice.get("logprobs")
    places = [place for place in (choice, message, data) if isinstance(place, Mapping)]
    entries = logprobs.get("content") if isinstance(logprobs, Mapping) else None
    return _told(places, parts_of(entries))


def of_response(data: Mapping[str, Any], output: Iterable[Any]) -> Tokens:
    """The tokens of a response: NeMo Gym has them at its last item, others next to each text."""
    items = [item for item in output if isinstance(item, Mapping)]
    parts = [part for item in items for part in parts_of(item.get("content"))]
    entries = [
        entry
        for part in parts
        if isinstance(part, Mapping)
        for entry in parts_of(part.get("logprobs"))
    ]
    # A call has no logprobs there: those of the text alone would be of a part of the message.
    whole = all(item.get("type") == "message" for item in items)
    return _told([*reversed(items), data], entries if whole else [])


def _told(places: Iterable[Mapping[str, Any]], entries: list[Any]) -> Tokens:
    """What is told at these places, and by an entry for each token that was written."""
    found: Tokens = {}
    for name, keys in (("prompt_ids", _READ), ("ids", _WRITTEN), ("logprobs", _LOGPROBS)):
        for value in (place.get(key) for place in places for key in keys):
            if name not in found and (read := _numbers(value, whole=name != "logprobs")):
                found[name] = read
    entries = [entry for entry in entries if isinstance(entry, Mapping)]
    if logprobs := _numbers([entry.get("logprob") for entry in entries], whole=False):
        found.setdefault("logprobs", logprobs)
    if "ids" not in found and (ids := _numbers([*map(_id_of, entries)], whole=True)):
        found["ids"] = ids
    if len(found.get("ids", ())) != len(found.get("logprobs", ())) and "ids" in found:
        found.pop("logprobs", None)  # nobody can say which is of which
    return found


def _id_of(entry: Mapping[str, Any]) -> Any:
    """The id of a token: of its own (llama.cpp), or in the place of its text (vLLM, if it is asked)."""
    token = entry.get("token")
    if isinstance(token, str) and token.startswith(_WITH_ID):
        number = token.removeprefix(_WITH_ID)
        return int(number) if number.isascii() and number.isdecimal() else None
    return entry.get("id")


def _numbers(values: Any, *, whole: bool) -> list[Any]:
    """A list of numbers; an empty one if there is anything else in it."""
    if not isinstance(values, list | tuple):
        return []
    kinds = (int,) if whole else (int, float)
    sound = all(type(value) in kinds and math.isfinite(value) for value in values)
    return list(values) if sound else []


def kept(tokens: Tokens, before: list[int]) -> Tokens | dict[str, Any]:
    """What a record keeps of a turn: of the prompt only what does not stand in `before`.

    before: all that was read and written up to the turn before. `carried` is how many of its tokens
    the prompt begins with; where these are not all, what the model reads was made anew.
    """
    if "prompt_ids" not in tokens:
        return tokens
    prompt = tokens["prompt_ids"]
    pairs = enumerate(zip(before, prompt, strict=False))
    carried = next((at for at, (a, b) in pairs if a != b), min(len(before), len(prompt)))
    return {"carried": carried, **tokens, "prompt_ids": prompt[carried:]}


def as_chat(tokens: Tokens) -> tuple[dict[str, Any], dict[str, Any]]:
    """Fields of a chat completion, and of its choice, that tell these tokens as vLLM does."""
    ids, logprobs = tokens.get("ids"), tokens.get("logprobs")
    named = [f"{_WITH_ID}{number}" for number in ids] if ids else [""] * len(logprobs or ())
    entries = [
        {"token": token, "logprob": logprob, "bytes": None, "top_logprobs": []}
        for token, logprob in zip(named, logprobs or (), strict=False)
    ]
    whole = {"prompt_token_ids": tokens["prompt_ids"]} if "prompt_ids" in tokens else {}
    choice: dict[str, Any] = {"token_ids": ids} if ids else {}
    return whole, choice | ({"logprobs": {"content": entries}} if entries else {})
