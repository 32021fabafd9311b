"""A model server on loopback that passes everything on, and gives replies their usual shape.

For frameworks whose own client takes a reply in no other. `skill-tools render` overwrites this file.
"""

import time
from collections.abc import Mapping
from typing import Any

from openai import APIConnectionError, APIStatusError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from . import replies, streams
from .model_server import EPISODE, PASSING, Model, ServerFailed, bad_call
from .replies import NoReply, Reply

PASSED_ON = (EPISODE.lower(), "x-session-id")
"""Headers that mean something to who answers."""


def app(models: Mapping[str, Model]) -> Starlette:
    """The server of these models, which are asked by their names."""

    async def complete(request: Request) -> Response:
        body = await request.json()
        model = models[body["model"]]
        body |= model.options.streaming
        headers = {name: request.headers[name] for name in PASSED_ON if name in request.headers}
        try:
            text = await _sent(model, body, headers)
            reply = replies.of_chat(streams.whole(text), _used(body), _turn(body))
            if body.get("tools") and reply.lost:
                raise NoReply(f"finish_reason is {reply.finish_reason}, and there is no call")
        except NoReply as odd:
            status = odd.status or 502
            return _refusal(odd.error or str(odd), status if status >= 400 else 502)
        except APIStatusError as error:
            if bad_call(error.response.text):
                return JSONResponse(completion(model, Reply(finish_reason="bad_call"), body))
            return Response(
                error.response.content, error.status_code, media_type="application/json"
            )
        except (APIConnectionError, ServerFailed) as error:
            return _refusal(
                f"{error.__cause__ or error} ({model.url})", min(PASSING - {409, 425, 429})
            )
        model.answered |= {"model": reply.model} if reply.model else {}
        return JSONResponse(completion(model, reply, body))

    return Starlette(routes=[Route("/v1/chat/completions", complete, methods=["POST"])])


async def _sent(model: Model, body: dict[str, Any], headers: dict[str, str]) -> str:
    """Send a request, with the names that the server turned out to have for its settings."""

    def named() -> dict[str, Any]:
        return {model.habits.renamed.get(name, name): value for name, value in body.items()}

    while True:
        sent = named()
        try:
            return await model.send("/chat/completions", sent, headers)
        except APIStatusError as error:
            model.learn(error.status_code, error.response.text, sent)
            if named() == sent:
                raise


def completion(model: Model, reply: Reply, body: Mapping[str, Any]) -> dict[str, Any]:
    """A reply as the official types of a chat completion have it; in its own words beside them."""
    reason = "tool_calls" if reply.calls else "stop"
    if reply.cut:
        reason = "content_filter" if "filter" in str(reply.finish_reason) else "length"
    usage = None
    if reply.usage:
        told, said = reply.usage.get("input_tokens", 0), reply.usage.get("output_tokens", 0)
        usage = {"prompt_tokens": told, "completion_tokens": said, "total_tokens": told + said}
        thought = reply.usage.get("reasoning_tokens")
        usage |= {"completion_tokens_details": {"reasoning_tokens": thought}} if thought else {}
    choice = {"index": 0, "message": reply.message(), "finish_reason": reason}
    choice["said_finish_reason"] = reply.finish_reason
    return {
        "id": f"chatcmpl-{_turn(body)}",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": reply.model or model.name,
        "choices": [choice],
        "usage": usage,
    }


def _turn(body: Mapping[str, Any]) -> int:
    return sum(message.get("role") == "assistant" for message in body.get("messages") or [])


def _used(body: Mapping[str, Any]) -> set[str]:
    """The ids of the calls so far; some servers give the same ones in each message."""
    calls = (call for each in body.get("messages") or [] for call in each.get("tool_calls") or ())
    return {call["id"] for call in calls}


def _refusal(message: str, status: int) -> Response:
    return JSONResponse({"error": {"message": message, "code": status}}, status)
