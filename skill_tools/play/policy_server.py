"""The policy endpoint: an OpenAI-compatible server on loopback that plays scripts.

It speaks Chat Completions and Responses (https://platform.openai.com/docs/api-reference),
streaming or not. It keeps no state between requests, so it serves any number of rollouts at once.
A request names its script by ``model`` and by the label in ``user`` (or ``metadata.episode``). The
number of assistant messages in the conversation says which turn is next. A request without tools
is answered in text, with the calls written into it.
"""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Self

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from skill_tools.play.policies import Script, Turn

FINISHED = Turn(text="I have nothing further to do.")
ANY_LABEL = "*"
"""Label of a script that serves every episode without one of its own."""


class PolicyEndpoint:
    """Serves ``scripts[model][label]`` while it is open; use as a context manager.

    ``write`` makes text of a turn for requests without tools; without it they get tool calls too.
    """

    def __init__(
        self,
        scripts: Mapping[str, Mapping[str, Script]],
        write: Callable[[Turn], str] | None = None,
    ) -> None:
        self.scripts = scripts
        self.write = write
        self.base_url = ""
        routes = [
            Route("/v1/models", self._models),
            Route("/v1/chat/completions", self._chat, methods=["POST"]),
            Route("/v1/responses", self._responses, methods=["POST"]),
        ]
        self.app = Starlette(routes=routes)

    def __enter__(self) -> Self:
        listener = socket.socket()
        listener.bind(("127.0.0.1", 0))
        self.base_url = f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
        config = uvicorn.Config(
            self.app, log_level="error", access_log=False, timeout_keep_alive=120, backlog=4096
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, args=([listener],), daemon=True)
        self._thread.start()
        while not self._server.started and self._thread.is_alive():
            time.sleep(0.002)
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join(timeout=5)

    async def _models(self, request: Request) -> Response:
        data = [{"id": name, "object": "model", "owned_by": "scripts"} for name in self.scripts]
        return JSONResponse({"object": "list", "data": data})

    async def _chat(self, request: Request) -> Response:
        body = await request.json()
        position = sum(message.get("role") == "assistant" for message in body["messages"])
        turn = self._turn(body, position)
        if isinstance(turn, Response):
            return turn
        if body.get("stream"):
            return _stream(_chat_chunks(body, position, turn), named=False)
        return JSONResponse(_completion(body, position, turn))

    async def _responses(self, request: Request) -> Response:
        body = await request.json()
        position = _turns_taken(body["input"])
        turn = self._turn(body, position)
        if isinstance(turn, Response):
            return turn
        response = _response(body, position, turn)
        if body.get("stream"):
            return _stream(_response_events(response), named=True)
        return JSONResponse(response)

    def _turn(self, body: Mapping[str, Any], position: int) -> Turn | Response:
        model = body.get("model", "")
        if model not in self.scripts:
            return _refusal(f"there is no policy {model!r}; there are {', '.join(self.scripts)}")
        label = body.get("user") or (body.get("metadata") or {}).get("episode") or ""
        scripts = self.scripts[model]
        script = scripts.get(label, scripts.get(ANY_LABEL))
        if script is None:
            return _refusal(f"policy {model!r} has no script for the episode {label!r}")
        turn = script[position] if position < len(script) else FINISHED
        return Turn(text=self.write(turn)) if self.write and not body.get("tools") else turn


def _refusal(message: str) -> Response:
    error = {"message": message, "type": "invalid_request_error", "code": "no_script"}
    return JSONResponse({"error": error}, status_code=404)


def _turns_taken(items: Any) -> int:
    """Count assistant turns in Responses input, where one turn may be several items."""
    turns, inside = 0, False
    for item in [] if isinstance(items, str) else items:
        kind = item.get("type", "message")
        assistant = kind in ("function_call", "reasoning") or (
            kind == "message" and item.get("role") == "assistant"
        )
        turns += assistant and not inside
        inside = assistant
    return turns


def _raw(arguments: Any) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments)


def _tool_calls(position: int, turn: Turn) -> list[dict[str, Any]]:
    return [
        {
            "id": f"call_{position}_{number}",
            "type": "function",
            "function": {"name": call.tool, "arguments": _raw(call.arguments)},
        }
        for number, call in enumerate(turn.calls)
    ]


USAGE = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}


def _completion(body: Mapping[str, Any], position: int, turn: Turn) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": turn.text or None}
    if turn.calls:
        message["tool_calls"] = _tool_calls(position, turn)
    finish = "tool_calls" if turn.calls else "stop"
    return {
        "id": f"chatcmpl-{position}",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": USAGE,
    }


def _chat_chunks(body: Mapping[str, Any], position: int, turn: Turn) -> Iterator[dict[str, Any]]:
    whole = _completion(body, position, turn)
    message, finish = whole["choices"][0]["message"], whole["choices"][0]["finish_reason"]
    head = {**whole, "object": "chat.completion.chunk"}
    head.pop("usage")
    calls = [{"index": i, **call} for i, call in enumerate(message.pop("tool_calls", []))]
    for delta in ({**message}, *({"tool_calls": [call]} for call in calls)):
        yield {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    yield {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": finish}]}
    if (body.get("stream_options") or {}).get("include_usage"):
        yield {**head, "choices": [], "usage": USAGE}


def _response(body: Mapping[str, Any], position: int, turn: Turn) -> dict[str, Any]:
    output: list[dict[str, Any]] = [
        {
            "type": "function_call",
            "id": f"fc_{position}_{number}",
            "call_id": call["id"],
            "name": call["function"]["name"],
            "arguments": call["function"]["arguments"],
            "status": "completed",
        }
        for number, call in enumerate(_tool_calls(position, turn))
    ]
    if turn.text or not output:
        content = [{"type": "output_text", "text": turn.text, "annotations": []}]
        message = {"type": "message", "id": f"msg_{position}", "role": "assistant"}
        output.insert(0, {**message, "status": "completed", "content": content})
    return {
        "id": f"resp_{position}",
        "object": "response",
        "created_at": int(time.time()),
        "status": "completed",
        "model": body["model"],
        "output": output,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": body.get("tools") or [],
        "usage": {
            "input_tokens": 1,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": 1,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": 2,
        },
    }


def _response_events(response: dict[str, Any]) -> Iterator[dict[str, Any]]:
    begun = {**response, "status": "in_progress", "output": []}
    yield {"type": "response.created", "response": begun}
    for index, item in enumerate(response["output"]):
        place = {"output_index": index, "item_id": item["id"]}
        yield {"type": "response.output_item.added", "output_index": index, "item": item}
        if item["type"] == "message":
            text = item["content"][0]["text"]
            yield {
                "type": "response.output_text.delta",
                "content_index": 0,
                "delta": text,
                **place,
            }
        else:
            arguments = item["arguments"]
            yield {
                "type": "response.function_call_arguments.delta",
                "delta": arguments,
                **place,
            }
        yield {"type": "response.output_item.done", "output_index": index, "item": item}
    yield {"type": "response.completed", "response": response}


def _stream(events: Iterator[dict[str, Any]], *, named: bool) -> Response:
    def lines() -> Iterator[str]:
        for number, event in enumerate(events):
            if named:
                yield f"event: {event['type']}\ndata: {json.dumps({**event, 'sequence_number': number})}\n\n"
            else:
                yield f"data: {json.dumps(event)}\n\n"
        if not named:
            yield "data: [DONE]\n\n"

    return StreamingResponse(lines(), media_type="text/event-stream")
