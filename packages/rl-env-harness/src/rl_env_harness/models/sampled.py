"""The tokens that a model read and wrote, if its server reports them, for trainers.

Tokenizing a text again does not always give the model's own tokens. Fields of the request (`--extra-body`)
ask for the tokens, and servers return them in different ways.
"""

import math
from collections.abc import Iterable, Mapping
from typing import Any

from .reply_parts import parts_of

Tokens = dict[str, list[Any]]
"""`prompt_ids` of everything that the model read; `ids` and `logprobs` of its output; only those reported."""
_READ = ("prompt_token_ids",)
_WRITTEN = ("token_ids", "generation_token_ids", "completion_token_ids")
_LOGPROBS = ("generation_log_probs",)
_WITH_ID = "token_id:"
"""The prefix of an id that a server returns instead of the token's text."""


def of_chat(data: Mapping[str, Any], choice: Mapping[str, Any]) -> Tokens:
    """Return the tokens of a chat completion. vLLM, SGLang, llama.cpp and NeMo Gym use four different fields."""
    message, logprobs = choice.get("message"), choice.get("logprobs")
    places = [place for place in (choice, message, data) if isinstance(place, Mapping)]
    entries = logprobs.get("content") if isinstance(logprobs, Mapping) else None
    return _told(places, parts_of(entries))


def of_response(data: Mapping[str, Any], output: Iterable[Any]) -> Tokens:
    """Return the tokens of a response. NeMo Gym puts them in the last item, and other servers next to each text."""
    items = [item for item in output if isinstance(item, Mapping)]
    parts = [part for item in items for part in parts_of(item.get("content"))]
    entries = [
        entry
        for part in parts
        if isinstance(part, Mapping)
        for entry in parts_of(part.get("logprobs"))
    ]
    # A call has no logprobs there, so those of the text would cover only a part of the message.
    whole = all(item.get("type") == "message" for item in items)
    return _told([*reversed(items), data], entries if whole else [])


def _told(places: Iterable[Mapping[str, Any]], entries: list[Any]) -> Tokens:
    """Return the tokens in the fields of ``places``. ``entries`` has an entry for each written token."""
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
        found.pop("logprobs", None)  # they cannot be matched
    return found


def _id_of(entry: Mapping[str, Any]) -> Any:
    """Return the id of a token, from its own field (llama.cpp) or from the token's text (vLLM, on request)."""
    token = entry.get("token")
    if isinstance(token, str) and token.startswith(_WITH_ID):
        number = token.removeprefix(_WITH_ID)
        return int(number) if number.isascii() and number.isdecimal() else None
    return entry.get("id")


def _numbers(values: Any, *, whole: bool) -> list[Any]:
    """Return the values if all of them are numbers, and otherwise an empty list."""
    if not isinstance(values, list | tuple):
        return []
    kinds = (int,) if whole else (int, float)
    sound = all(type(value) in kinds and math.isfinite(value) for value in values)
    return list(values) if sound else []


def kept(tokens: Tokens, before: list[int]) -> Tokens | dict[str, Any]:
    """Return the tokens of a turn for the record, without the prompt's tokens that are in `before`.

    The field `carried` is the length of the beginning that the prompt and `before` have in common. If it is
    less than the length of `before`, the prompt was rebuilt.

    Args:
        before: All tokens that the model read and wrote up to the previous turn.
    """
    if "prompt_ids" not in tokens:
        return tokens
    prompt = tokens["prompt_ids"]
    pairs = enumerate(zip(before, prompt, strict=False))
    carried = next((at for at, (a, b) in pairs if a != b), min(len(before), len(prompt)))
    return {"carried": carried, **tokens, "prompt_ids": prompt[carried:]}


def as_chat(tokens: Tokens) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the fields of a chat completion, and of its choice, that carry these tokens in vLLM's format."""
    ids, logprobs = tokens.get("ids"), tokens.get("logprobs")
    named = [f"{_WITH_ID}{number}" for number in ids] if ids else [""] * len(logprobs or ())
    entries = [
        {"token": token, "logprob": logprob, "bytes": None, "top_logprobs": []}
        for token, logprob in zip(named, logprobs or (), strict=False)
    ]
    whole = {"prompt_token_ids": tokens["prompt_ids"]} if "prompt_ids" in tokens else {}
    choice: dict[str, Any] = {"token_ids": ids} if ids else {}
    return whole, choice | ({"logprobs": {"content": entries}} if entries else {})
