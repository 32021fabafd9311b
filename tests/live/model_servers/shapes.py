"""What else real servers answer: calls, reasoning, ends and refusals of settings."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise

from .known import THINKING
from .rules import needs
from .wire import (
    CUT,
    GOES_ON,
    GUESS,
    IGNORED,
    OTHER,
    PLAYED,
    SIGNATURE,
    SOLVE,
    TAGGED,
    USUAL,
    Expected,
    Json,
    Kind,
    Rule,
    call,
    chat,
    failed,
    first,
    one,
    refused,
    second,
)

THREE = Expected("terminated", 1.0, (None, None, None))
SIGNED = {"google": {"thought_signature": SIGNATURE}}
DETAILS = [{"type": "reasoning.encrypted", "data": SIGNATURE, "format": "x", "index": 0}]

CALLS = [
    Kind(
        "special_token_in_name", 0, "vllm-project/vllm#32587", "gpt-oss: a special token leaks into the tool name",
        first(chat("", [call(name="guess<|channel|>commentary")])), refused("unknown_tool", "There is no tool"), IGNORED,
    ),
    Kind(
        "name_of_a_wrapper", 0, "vercel/ai#2786", "the model calls an invented tool that wraps others",
        first(chat("", [call('{"tool_uses": []}', name="multi_tool_use.parallel")])), refused("unknown_tool"), IGNORED,
    ),
    Kind(
        "name_empty", 0, "pydantic/pydantic-ai#1879", "the tool name is empty, and the server rejects it when it is sent back",
        first(chat("", [call(name="")])), refused("unknown_tool"), IGNORED,
    ),
    Kind(
        "name_repeated", 0, "NousResearch/hermes-agent#3468", "the tool name was assembled twice",
        first(chat("", [call(name="guessguess")])), refused("unknown_tool"), IGNORED,
    ),
    Kind(
        "arguments_under_parameters", 0, "ahwurm/localharness#104", "the arguments are in a field with a different name",
        first(chat(calls=[{"id": "c", "type": "function", "function": {"name": "guess", "parameters": {"word": GUESS}}}])), PLAYED, PLAYED,
    ),
    Kind(
        "function_call_of_old", 0, "MeetKai/functionary#243", "the single call is in `function_call`",
        first(chat(None, finish="function_call", tool_calls=None, tool_call_id=None, name=None, function_call={"name": "guess", "arguments": f'{{"word": "{GUESS}"}}'})), PLAYED, IGNORED,
    ),
    Kind(
        "type_missing", 0, "mistralai/mistral-vibe#552", "a call has no type",
        first(chat(calls=[call(type=None)])), PLAYED, PLAYED,
    ),
    Kind(
        "two_calls_though_one_was_meant", 0, "sgl-project/sglang#9696", "a message has several calls: they are played in order",
        first(chat(calls=[call(), call(f'{{"word": "{OTHER}"}}', "call_two")])), THREE, PLAYED,
    ),
    Kind(
        "no_calls_is_an_empty_list", 0, "openai/openai-python#2061", "a reply with text also has `tool_calls: []`; requests may not contain an empty list",
        (one(chat("I give up.", tool_calls=[], finish="stop")), SOLVE), Expected("stopped", 0.0, ()), IGNORED,
    ),
    Kind(
        "calls_announced_and_lost", 0, "vllm-project/vllm#50889", "finish_reason announces calls, but there are none: the server lost the model's call",
        second(chat("", finish="tool_calls", tool_calls=[])), failed("tool_calls", steps=1), GOES_ON,
    ),
]  # fmt: skip

ENDS = [
    Kind(
        f"calls_though_{name}", 0, source, f"finish_reason is {reason!r} next to a call",
        first(chat(calls=[call()], finish=reason)), PLAYED, PLAYED,
    )
    for name, source, reason in (
        ("stop", "jekalmin/extended_openai_conversation#281", "stop"),
        ("end_turn", "BerriAI/litellm#12481", "end_turn"),
        ("function_calls", "microsoft/autogen#4878", "function_calls"),
        ("null", "sgl-project/sglang#4550", None),
    )
] + [
    Kind(
        f"ended_by_{reason.split(':')[0].lower()}", 0, source, what,
        second(chat("", finish=reason)), CUT, GOES_ON,
    )
    for reason, source, what in (
        ("refusal", "camel-ai/camel#4209", "a classifier stopped the message"),
        ("pause_turn", "open-gsd/gsd-pi#2042", "the server paused a message and does not resume it"),
        ("model_context_window_exceeded", "laravel/ai#881", "the context filled up in the middle of the message"),
        ("MAX_TOKENS", "BerriAI/litellm#36881", "finish_reason is Gemini's own value for the token limit"),
        ("model_length", "camel-ai/camel#4266", "finish_reason is Mistral's own value for a full context"),
        ("MALFORMED_FUNCTION_CALL", "googleapis/python-genai#1836", "Gemini discarded the model's malformed call: the model's mistake, so the episode has a score"),
        ("function_call_filter: MALFORMED_FUNCTION_CALL", "NousResearch/hermes-agent#83882", "Gemini's OpenAI endpoint discarded the model's malformed call"),
    )
] + [
    Kind(
        f"given_up_by_{reason}", 0, source, what,
        second(chat("", finish=reason)), failed(reason, steps=1), failed(reason, steps=1),
    )
    for reason, source, what in (
        ("abort", "vllm-project/vllm#57082", "the engine aborted the message: not the model's fault"),
        ("insufficient_system_resource", "yenche123/liubai#26", "DeepSeek had insufficient resources"),
        ("error", "camel-ai/camel#4266", "the engine failed, with a reason that Mistral documents"),
    )
]  # fmt: skip


def _unsigned(message: Json) -> bool:
    return any(
        c.get("extra_content") != SIGNED
        for c in message.get("tool_calls", ())
        if c.get("id") != "call_last"
    )


def _without(name: str, value: object) -> Rule:
    why = f"The `{name}` in the thinking mode must be passed back to the API."
    return needs(why, lambda message: message.get(name) != value)


def _unknown(keyword: str, place: str) -> Rule:
    at = f"tools[0].function_declarations[0].parameters{place}"
    why = f"Invalid JSON payload received. Unknown name \"{keyword}\" at '{at}': Cannot find field."
    return Rule(
        lambda request: why if f'"{keyword}":' in json.dumps(request.get("tools")) else None
    )


REASONING = [
    Kind(
        "signature_wanted_back", 0, "langroid/langroid#969", "Gemini signs a call and refuses it without the signature",
        first(chat(calls=[call(extra_content=SIGNED)])), PLAYED, PLAYED,
        rules=(needs("Function call is missing a thought_signature in functionCall parts.", _unsigned),),
    ),
    Kind(
        "reasoning_wanted_back", 0, "openai/openai-agents-python#2155", "DeepSeek refuses a call without the reasoning before it",
        first(chat(calls=[call()], reasoning_content=THINKING)), PLAYED, PLAYED, rules=(_without("reasoning_content", THINKING),),
    ),
    Kind(
        "empty_reasoning_wanted_back", 0, "continuedev/continue#11285", "DeepSeek also requires empty reasoning to be sent back",
        first(chat(calls=[call()], reasoning_content="")), PLAYED, PLAYED, rules=(_without("reasoning_content", ""),),
    ),
    Kind(
        "reasoning_wanted_everywhere", 0, "NousResearch/hermes-agent#15353", "the server requires a reasoning field in every message, empty if there was no reasoning",
        (
            one(chat(calls=[call()], reasoning_content=THINKING)),
            one(chat(f"<guess>{OTHER}</guess>", [call(f'{{"word": "{OTHER}"}}', "call_two")])),
            SOLVE,
        ),
        replace(THREE, refused=1), replace(THREE, refused=1),
        rules=(needs("Missing `reasoning_content` field in the assistant message at message index 4.", lambda m: not isinstance(m.get("reasoning_content"), str)),),
    ),
    Kind(
        "reasoning_details_wanted_back", 0, "ZenMux/zenmux-doc#109", "OpenRouter requires its `reasoning_details` back unchanged",
        first(chat(calls=[call()], reasoning_details=DETAILS)), PLAYED, PLAYED, rules=(_without("reasoning_details", DETAILS),),
    ),
    Kind(
        "thinking_among_the_parts", 0, "vercel/ai#8012", "Mistral: the content contains reasoning and text",
        first(chat([{"type": "thinking", "thinking": [{"type": "text", "text": THINKING}]}, {"type": "text", "text": TAGGED}], [call()])),
        PLAYED, PLAYED,
        rules=(needs("content: thinking chunks are not text", lambda m: THINKING in str(m.get("content"))),),
    ),
    Kind(
        "think_tags_in_content", 0, "vllm-project/vllm#51679", "no reasoning parser: the reasoning precedes the text",
        first(chat(f"{THINKING}\n</think>\n\n{TAGGED}", [call()])), PLAYED, PLAYED,
    ),
    Kind(
        "empty_text_not_taken", 0, "NousResearch/hermes-agent#11929", "an Anthropic model behind a proxy refuses the content \"\" next to a call, but accepts null",
        first(chat(None, [call()])), replace(PLAYED, refused=1), IGNORED,
        rules=(needs("messages: text content blocks must be non-empty", lambda m: m.get("content") == ""),),
    ),
    Kind(
        "additional_properties_not_taken", 0, "BerriAI/litellm#14330", "Gemini's own API refuses one keyword of tool schemas, then another",
        first(chat(calls=[call()])), replace(PLAYED, refused=2), PLAYED,
        rules=(_unknown("additionalProperties", ""), _unknown("minLength", ".properties[0].value")),
    ),
]  # fmt: skip


def _unsupported(name: str, why: str) -> Rule:
    error = {
        "message": why,
        "type": "invalid_request_error",
        "param": name,
        "code": "unsupported_parameter",
    }
    return Rule(lambda request: why if name in request else None, shape=lambda _: {"error": error})


SETTINGS = [
    Kind(
        "max_tokens_renamed", 0, "IBM/chuk-llm#3", "a reasoning model requires max_completion_tokens: the request is repeated once with the same limit",
        first(chat(calls=[call()])), replace(PLAYED, refused=1), replace(PLAYED, refused=1),
        rules=(
            _unsupported("max_tokens", "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."),
            Rule(lambda r: None if r.get("max_completion_tokens") == 512 else "no limit was set"),
        ),
    ),
    Kind(
        "temperature_not_taken", 0, "decolua/9router#560", "a requested setting is refused: the error is reported, and the setting is not dropped silently",
        (USUAL,), failed("temperature", requests=1, refused=1), failed("temperature", requests=1, refused=1),
        rules=(_unsupported("temperature", "Unsupported value: 'temperature' does not support 0.16 with this model. Only the default (1) value is supported."),),
    ),
    Kind(
        "parallel_tool_calls_not_taken", 0, "run-llama/llama_index#20865", "o3 refuses `parallel_tool_calls`, whatever its value",
        first(chat(calls=[call()])), PLAYED, PLAYED,
        rules=(_unsupported("parallel_tool_calls", "Unsupported parameter: 'parallel_tool_calls' is not supported with this model."),),
    ),
    Kind(
        "no_tool_parser_at_all", 0, "vllm-project/vllm#9986", "vLLM was started without its tool flags",
        first(*USUAL), failed("--enable-auto-tool-choice", refused=1), PLAYED,
        rules=(Rule(lambda r: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set' if r.get("tools") else None),),
    ),
    Kind(
        "usage_null_and_another_name", 0, "microsoft/autogen#4878", "a reply has no id, no usage, and a different model name",
        first(chat(calls=[call()], more={"id": None, "usage": None, "model": "models/other", "system_fingerprint": None, "service_tier": None})),
        replace(PLAYED, usage={}), replace(PLAYED, usage={}),
    ),
    Kind(
        "roles_alternate", 0, "huggingface/text-generation-inference#3198", "a template requires alternating roles",
        first(chat(calls=[call()])), PLAYED, PLAYED,
        rules=(Rule(lambda r: "Conversation roles must alternate user/assistant/user/assistant/" if _twice(r) else None),),
    ),
]  # fmt: skip


def _twice(request: Json) -> bool:
    roles = [m["role"] for m in request["messages"] if m["role"] != "system"]
    return any(a == b and a != "tool" for a, b in pairwise(roles))


KINDS = [*CALLS, *ENDS, *REASONING, *SETTINGS]
