"""A model server on loopback that forwards everything and normalizes replies.

Frameworks need this server if their own client accepts only the usual format of a reply.
"""

import time
from collections.abc import Mapping
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from . import replies, sampled, streams
from .connections import Refused, Unreached
from .model_server import EPISODE, PASSING, Model, bad_call
from .replies import NoReply, Reply

PASSED_ON = (EPISODE.lower(), "x-session-id")
"""Headers that the relay forwards to the model's server."""


def app(models: Mapping[str, Model]) -> Starlette:
    """Return a relay server for these models. Each request selects a model by its name."""

    async def complete(request: Request) -> Response:
        body = await request.json()
        model = models[body["model"]]
        body |= model.options.streaming
        headers = {name: request.headers[name] for name in PASSED_ON if name in request.headers}
        try:
            text = await _sent(model, body, headers)
            read = replies.of_response if model.options.api == "responses" else replies.of_chat
            reply = read(streams.whole(text), _used(body), _turn(body))
            if body.get("tools") and reply.lost:
                raise NoReply(f"finish_reason is {reply.finish_reason}, and there is no call")
        except NoReply as odd:
            status = odd.status or 502
            return _refusal(odd.error or str(odd), status if status >= 400 else 502)
        except Refused as error:
            if bad_call(error.text):
                return JSONResponse(completion(model, Reply(finish_reason="bad_call"), body))
            return Response(error.text, error.status, media_type="application/json")
        except Unreached as error:
            return _refusal(f"{error} ({model.url})", min(PASSING - {409, 425, 429}))
        model.answered |= {"model": reply.model} if reply.model else {}
        return JSONResponse(completion(model, reply, body))

    return Starlette(routes=[Route("/v1/chat/completions", complete, methods=["POST"])])


async def _sent(model: Model, body: dict[str, Any], headers: dict[str, str]) -> str:
    """Send a request to the server's API, with the setting names that the server accepts."""
    responses = model.options.api == "responses"

    def named() -> dict[str, Any]:
        if responses:
            return _as_responses(body, model)
        return {model.habits.renamed.get(name, name): value for name, value in body.items()}

    while True:
        sent = named()
        try:
            return await model.send(
                "/responses" if responses else "/chat/completions", sent, headers
            )
        except Refused as error:
            model.learn(error.status, error.text, sent)
            if named() == sent:
                raise


def _as_responses(body: Mapping[str, Any], model: Model) -> dict[str, Any]:
    """Convert a request for a chat completion to a request to the Responses API."""
    names = {"max_tokens": "max_output_tokens", "max_completion_tokens": "max_output_tokens"}
    kept = {names.get(k, k): v for k, v in body.items() if k not in ("messages", "stream_options")}
    items = [item for message in body["messages"] for item in _items(message, model)]
    tools = [
        {"type": "function", "strict": False, **t["function"]} for t in body.get("tools") or []
    ]
    return {**kept, "input": items, **({"tools": tools} if tools else {})}


def _items(message: Mapping[str, Any], model: Model) -> list[dict[str, Any]]:
    """Convert a chat message to Responses items. Reasoning is in the field that `completion` added."""
    role, content = message["role"], message.get("content")
    if role == "tool":
        output = {"call_id": message["tool_call_id"], "output": content}
        return [{"type": "function_call_output", **output}]
    if isinstance(content, list):
        content = [_part(part) for part in content]
    said = [{"type": "message", "role": role, "content": content}] if content else []
    thoughts = [] if model.habits.without & THOUGHTS else message.get("reasoning_details") or []
    calls = message.get("tool_calls") or []
    called = [{"type": "function_call", "call_id": c["id"], **c["function"]} for c in calls]
    return [*thoughts, *said, *called]


THOUGHTS = {"reasoning", "encrypted_content"}


def _part(part: Mapping[str, Any]) -> dict[str, Any]:
    if part.get("type") == "image_url":
        url = part["image_url"]["url"]
        return {"type": "input_image", "detail": "auto", "image_url": url}
    return {"type": "input_text", "text": part.get("text", "")}


def completion(model: Model, reply: Reply, body: Mapping[str, Any]) -> dict[str, Any]:
    """Return a reply as a chat completion in OpenAI's format, with the additional fields of the model's server."""
    reason = "tool_calls" if reply.calls else "stop"
    if reply.cut:
        reason = "content_filter" if "filter" in str(reply.finish_reason) else "length"
    usage: dict[str, Any] | None = None
    if reply.usage:
        taken, said = reply.usage.get("input_tokens", 0), reply.usage.get("output_tokens", 0)
        usage = {"prompt_tokens": taken, "completion_tokens": said, "total_tokens": taken + said}
        if thought := reply.usage.get("reasoning_tokens"):
            usage["completion_tokens_details"] = {"reasoning_tokens": thought}
    message = reply.message()
    if reply.items:  # of a Responses server, to be sent back to it
        message["reasoning_details"] = list(reply.items)
    choice = {"index": 0, "message": message, "finish_reason": reason}
    choice["said_finish_reason"] = reply.finish_reason
    told, of_choice = sampled.as_chat(reply.tokens)
    return {
        "id": f"chatcmpl-{_turn(body)}",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": reply.model or model.name,
        "choices": [{**choice, **of_choice}],
        "usage": usage,
        **told,
    }


def _turn(body: Mapping[str, Any]) -> int:
    return sum(message.get("role") == "assistant" for message in body.get("messages") or [])


def _used(body: Mapping[str, Any]) -> set[str]:
    """Return the ids of the calls in a request's messages, because some servers reuse ids in each message."""
    calls = (call for each in body.get("messages") or [] for call in each.get("tool_calls") or ())
    return {call["id"] for call in calls}


def _refusal(message: str, status: int) -> Response:
    return JSONResponse({"error": {"message": message, "code": status}}, status)
