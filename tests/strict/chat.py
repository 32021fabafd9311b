"""What real servers refuse of a Chat Completions request (see ``rules``)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from skill_tools.policies.requests import EXTRA, ServerQuirks, Wrong
from tests.strict.rules import (
    FLAG,
    NUMBER,
    TEXT,
    WHOLE,
    arguments,
    choices,
    expected,
    filled,
    kinds,
    named,
    schema,
    unknown,
    words,
)

# https://platform.openai.com/docs/api-reference/chat/create, without `user`, which Mistral refuses, and
# `metadata`, which OpenAI takes together with `store` only.
_FIELDS = words(
    "audio frequency_penalty logit_bias logprobs max_completion_tokens max_tokens messages modalities"
    " model n parallel_tool_calls prediction presence_penalty prompt_cache_key reasoning_effort"
    " response_format safety_identifier seed service_tier stop store stream stream_options"
    " temperature tool_choice tools top_logprobs top_p verbosity web_search_options"
)
_LABELED = _FIELDS | {"user", "metadata"}
_SETTINGS = {
    "model": TEXT, "stream": FLAG, "temperature": NUMBER, "top_p": NUMBER, "seed": WHOLE, "n": WHOLE,
    "max_tokens": WHOLE, "max_completion_tokens": WHOLE, "stop": (str, list), "stream_options": (dict,),
    "presence_penalty": NUMBER, "frequency_penalty": NUMBER, "parallel_tool_calls": FLAG,
}  # fmt: skip
REASONING = frozenset({"reasoning_content", "reasoning", "reasoning_details"})
# By role, as Mistral has it: `name` of a user, `tool_calls` of a tool are refused with 422. A
# developer is unknown to Mistral and to chat templates.
_OF_ROLE = {
    "system": frozenset({"role", "content"}),
    "user": frozenset({"role", "content"}),
    "assistant": frozenset({"role", "content", "tool_calls"}) | REASONING,
    "tool": frozenset({"role", "content", "tool_call_id", "name"}),
}
_PARTS = {"text": frozenset({"type", "text"}), "image_url": frozenset({"type", "image_url"})}
_IMAGE = frozenset({"url", "detail"})
_CALL = frozenset({"id", "type", "function"})
_FUNCTION = frozenset({"name", "arguments"})
_TOOL = frozenset({"type", "function"})
_FUNCTION_FIELDS = frozenset({"name", "description", "parameters", "strict"})
# What may come after a role. Mistral has it as code; templates of Llama, Gemma and Mistral say
# "conversation roles must alternate" of two assistants, of two users, of a system amid them.
_AFTER = {
    "": ("system", "user"),
    "system": ("user",),
    "user": ("assistant",),
    "assistant": ("user", "tool"),
    "tool": ("tool", "assistant"),
}


def problems(body: Mapping[str, Any], quirks: ServerQuirks) -> list[Wrong]:
    """Everything that a strict server refuses of a request; none if it takes it."""
    found = list(unknown(body, _LABELED if quirks.labels_in_body else _FIELDS, ""))
    found += [*kinds(body, _SETTINGS), *choices(body), *_tools(body.get("tools"))]
    if body.get("model") is None:
        found.append(Wrong("model", "you must provide a model parameter"))
    if body.get("max_tokens") is not None and body.get("max_completion_tokens") is not None:
        says = "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported."
        found.append(Wrong("max_tokens", says))  # OpenAI
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        return [*found, Wrong("messages", "Conversation must have at least one message")]  # Mistral
    shapes = [wrong for n, each in enumerate(messages) for wrong in _message(each, n, quirks)]
    # Of messages without a role or an identity nobody can say which follows which.
    return [*found, *(shapes or _order(messages, quirks))]


def _message(message: Any, number: int, quirks: ServerQuirks) -> Iterator[Wrong]:
    place = f"messages[{number}]"
    if not isinstance(message, dict):
        yield expected(message, "an object", place)
        return
    role = message.get("role")
    if not isinstance(role, str) or role not in _OF_ROLE:
        yield Wrong(f"{place}.role", f"Invalid value: {role!r}. Supported values are {[*_OF_ROLE]}")
        return
    yield from unknown(message, _OF_ROLE[role], place)
    if not quirks.reasoning_back:
        for name in sorted(REASONING & message.keys()):
            yield Wrong(f"{place}.{role}.{name}", "Extra inputs are not permitted", EXTRA)
    if "content" not in message:  # Azure, llama.cpp: "'content' is a required property"
        yield Wrong(f"{place}.content", f"'content' is a required property - '{place}'")
    else:
        yield from _content(message["content"], role, f"{place}.content", quirks)
    if role == "tool":
        yield from filled(message.get("tool_call_id"), f"{place}.tool_call_id")
    elif role == "assistant":
        calls = message.get("tool_calls")
        if "tool_calls" in message:
            yield from _calls(calls, f"{place}.tool_calls")
        if not calls and not message.get("content"):
            # Mistral; Anthropic behind a proxy: "messages must have non-empty content"
            yield Wrong(place, "Assistant message must have either content or tool_calls")


def _content(content: Any, role: str, place: str, quirks: ServerQuirks) -> Iterator[Wrong]:
    """Text, or typed parts; null beside calls is documented, and refused (Azure, LM Studio)."""
    if isinstance(content, str):
        return
    if not isinstance(content, list) or not content:
        yield expected(content, "a string or a list of parts", place)
        return
    for number, part in enumerate(content):
        at = f"{place}[{number}]"
        kind = part.get("type") if isinstance(part, dict) else None
        if not isinstance(kind, str) or kind not in _PARTS:
            yield Wrong(f"{at}.type", f"unsupported content part: {kind!r}")
            continue
        yield from unknown(part, _PARTS[kind], at)
        if kind == "text":
            if not isinstance(part.get("text"), str):
                yield expected(part.get("text"), "a string", f"{at}.text")
        elif role == "user" or (role == "tool" and quirks.pictures_in_tools):
            image = part.get("image_url")
            if not isinstance(image, dict) or not isinstance(image.get("url"), str):
                yield expected(image, "an object with a url", f"{at}.image_url")
            else:
                yield from unknown(image, _IMAGE, f"{at}.image_url")
        else:  # OpenAI's words
            says = (
                "Image URLs are only allowed for messages with role 'user', but this message with"
            )
            yield Wrong(at, f"{says} role '{role}' contains an image URL.")


def _calls(calls: Any, place: str) -> Iterator[Wrong]:
    if not isinstance(calls, list) or not calls:
        # OpenAI: "[] is too short - 'messages.1.tool_calls'"; null is refused by `transformers serve`
        yield Wrong(place, f"expected a list of one call or more, got {calls!r}")
        return
    for number, call in enumerate(calls):
        at = f"{place}[{number}]"
        if not isinstance(call, dict):
            yield expected(call, "an object", at)
            continue
        yield from unknown(call, _CALL, at)  # Mistral: `index` and `name` of a call
        yield from filled(call.get("id"), f"{at}.id")
        if call.get("type") != "function":  # OpenAI, Groq
            says = f"Invalid value: {call.get('type')!r}. Supported values are: 'function'."
            yield Wrong(f"{at}.type", says)
        function = call.get("function")
        if not isinstance(function, dict):
            yield expected(function, "an object", f"{at}.function")
            continue
        yield from unknown(function, _FUNCTION, f"{at}.function")
        yield from named(function.get("name"), f"{at}.function.name")
        yield from arguments(function.get("arguments"), f"{at}.function.arguments")


def _order(messages: Sequence[Mapping[str, Any]], quirks: ServerQuirks) -> Iterator[Wrong]:
    """Whether messages may follow each other, and every call is answered once, right after it."""
    known: set[str] = set()
    waiting: set[str] = set()
    before, after_tools = "", False
    for number, message in enumerate(messages):
        role, place = message["role"], f"messages[{number}]"
        if role == "tool":
            identity = message["tool_call_id"]
            if identity not in waiting:
                # OpenAI: "must be a response to a preceding message with 'tool_calls'"; Mistral
                says = "answered already" if identity in known else "no such call"
                says = f"'{identity}' answers no call of the preceding message: {says}"
                yield Wrong(f"{place}.tool_call_id", says)
            waiting.discard(identity)
        elif waiting:
            yield Wrong(place, _unanswered(waiting))
            waiting = set()
        elif role not in _AFTER[before]:
            # The pictures of several calls are user messages one after another.
            shown = role == "user" and (before == "tool" or (before == "user" and after_tools))
            if not (shown and quirks.users_after_tools):
                says = f"Unexpected role '{role}' after role '{before}'"
                start = "Conversation must start with a user message or system message"
                yield Wrong(f"{place}.role", says if before else start)
        if role == "assistant":
            for at, call in enumerate(message.get("tool_calls") or ()):
                if call["id"] in known:  # Anthropic; vLLM and templates pair the wrong ones
                    says = f"duplicate id '{call['id']}'"
                    yield Wrong(f"{place}.tool_calls[{at}].id", says)
                known.add(call["id"])
                waiting.add(call["id"])
        after_tools = role == "tool" or (role == "user" and after_tools)
        before = role
    last = f"messages[{len(messages) - 1}]"
    if waiting:
        yield Wrong(last, _unanswered(waiting))
    elif before not in ("user", "tool"):  # Mistral
        yield Wrong(f"{last}.role", f"Expected last role User or Tool for serving but got {before}")


def _unanswered(waiting: set[str]) -> str:
    """OpenAI's words; Mistral's are "Not the same number of function calls and responses"."""
    return (
        "An assistant message with 'tool_calls' must be followed by tool messages responding to each"
        " 'tool_call_id'. The following tool_call_ids did not have response messages: "
        + ", ".join(sorted(waiting))
    )


def _tools(tools: Any) -> Iterator[Wrong]:
    names: set[str] = set()
    for number, tool in enumerate(tools if isinstance(tools, list) else ()):
        place = f"tools[{number}]"
        function = tool.get("function") if isinstance(tool, dict) else None
        if not isinstance(function, dict):
            yield expected(function, "an object", f"{place}.function")
            continue
        if tool.get("type") != "function":
            yield Wrong(f"{place}.type", f"Invalid value: {tool.get('type')!r}")
        yield from unknown(tool, _TOOL, place)
        yield from unknown(function, _FUNCTION_FIELDS, f"{place}.function")
        yield from offered(function, names, f"{place}.function")


def offered(function: Mapping[str, Any], names: set[str], place: str) -> Iterator[Wrong]:
    """A function that a model is offered: a name of its own, a description, parameters."""
    yield from named(function.get("name"), f"{place}.name")
    if function.get("name") in names:  # Anthropic, Gemini: "Tool names must be unique."
        yield Wrong(f"{place}.name", f"Tool names must be unique: '{function['name']}'")
    names.add(str(function.get("name")))
    yield from filled(function.get("description"), f"{place}.description")  # Bedrock, Cohere
    yield from schema(function.get("parameters"), f"{place}.parameters")
