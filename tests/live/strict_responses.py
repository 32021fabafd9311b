"""A model server on loopback that takes what the strictest real ones take, and answers from a script.

Every item says its type, has no field that the API does not know and none that is null; ids are
unique, arguments are an object, every call is answered. What is wrong is a 422 that names it.
"""

from __future__ import annotations

import json
import re
import socket
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

Item = dict[str, Any]
Answer = Item | tuple[int, Item]
"""What a turn answers: a body, with its status where that is not 200."""
Script = Callable[[Item], Answer] | Sequence[Answer | Callable[[Item], Answer]]
FIELDS = {
    "user": ({"type", "role", "content"}, set()),
    "system": ({"type", "role", "content"}, set()),
    "assistant": ({"type", "role", "content"}, {"id", "status"}),
    "function_call": ({"type", "call_id", "name", "arguments"}, {"id", "status"}),
    "function_call_output": ({"type", "call_id", "output"}, {"id", "status"}),
    "reasoning": ({"type", "id", "summary"}, {"encrypted_content", "content"}),
}
"""By role or type what an item must have and what it may."""
PARTS = {
    "input_text": {"type", "text"},
    "input_image": {"type", "image_url", "detail"},
    "output_text": {"type", "text", "annotations"},
    "summary_text": {"type", "text"},
}
TOP = {
    *("model", "input", "tools", "metadata", "stream", "temperature", "top_p", "max_output_tokens"),
    *("parallel_tool_calls", "tool_choice"),
}


class StrictResponses:
    """Plays ``scripts[episode]``: a turn per request, or a function of the request.

    The episode is in the request's metadata.
    """

    def __init__(self, scripts: Mapping[str, Script]) -> None:
        self.scripts = scripts
        self.requests: dict[str, list[Item]] = {}
        self.refused: dict[str, list[str]] = {}

    def __enter__(self) -> Self:
        listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
        routes = [
            Route("/v1/responses", self._responses, methods=["POST"]),
            Route("/v1/chat/completions", self._scripted, methods=["POST"]),
        ]
        config = uvicorn.Config(Starlette(routes=routes), log_level="error")
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, args=([listener],), daemon=True)
        self._thread.start()
        while not self._server.started:
            time.sleep(0.01)
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join(timeout=5)

    async def _responses(self, request: Request) -> Response:
        body = await request.json()
        if wrong := problems(body):
            name = (body.get("metadata") or {}).get("episode", "?")
            self.refused.setdefault(name, []).extend(wrong)
            return JSONResponse({"error": {"message": "; ".join(wrong)}}, 422)
        return await self._scripted(request)

    async def _scripted(self, request: Request) -> Response:
        body = await request.json()
        name = body["metadata"]["episode"]
        seen = self.requests.setdefault(name, [])
        script = self.scripts[name]
        turn = script if callable(script) else script[len(seen)]
        seen.append(body)
        answer = turn(body) if callable(turn) else turn
        status, answer = answer if isinstance(answer, tuple) else (200, answer)
        return JSONResponse(answer, status)


def problems(body: Item) -> list[str]:
    """What a strict server refuses a request for."""
    found = [f"unknown field {name}" for name in body.keys() - TOP]
    found += ["it would be streamed"] if body.get("stream") is not False else []
    ids: set[tuple[str, str]] = set()
    open_calls: list[str] = []
    for at, item in enumerate(body["input"]):
        kind = item.get("role") if item.get("type") == "message" else item.get("type")
        found += [f"input[{at}]: {each}" for each in _wrong(item, kind)]
        names = ("id", "call_id") if kind == "function_call" else ("id",)
        for key in ((name, item[name]) for name in names if name in item):
            found += [f"input[{at}]: {key[0]} twice"] if key in ids else []
            ids.add(key)
        if kind == "function_call":
            open_calls.append(item.get("call_id"))
        elif kind == "function_call_output":
            if item.get("call_id") not in open_calls:
                found.append(f"input[{at}]: an output of no call")
            else:
                open_calls.remove(item["call_id"])
        elif kind in ("user", "assistant") and open_calls:
            found.append(f"input[{at}]: calls without an output")
    return found + (["calls without an output"] if open_calls else [])


def _wrong(item: Item, kind: Any) -> list[str]:
    if kind not in FIELDS:
        return [f"an item of type {kind!r}"]
    must, may = FIELDS[kind]
    found = [f"{kind} without {name}" for name in must - item.keys()]
    found += [f"{kind} with {name}" for name in item.keys() - must - may]
    found += [f"{name} is {value!r}" for name, value in item.items() if value in (None, "", [])]
    for parts in (item.get("content"), item.get("summary")):
        for part in parts if isinstance(parts, list) else []:
            if set(part) != PARTS.get(part.get("type")):
                found.append(f"a part {part}")
    if kind == "function_call":
        try:
            arguments = json.loads(item.get("arguments", ""))
        except ValueError:
            arguments = None
        found += [] if isinstance(arguments, dict) else ["arguments are not a JSON object"]
        found += [] if re.fullmatch(r"[\w-]{1,64}", item.get("name", "")) else ["a name"]
    return [each for each in found if each != "summary is []"]


def call(name: str, arguments: Any, call_id: str | None = "", **more: Any) -> Item:
    """An item of a response: a call."""
    said = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return {"type": "function_call", "name": name, "arguments": said, "call_id": call_id, **more}


def said(text: str, **more: Any) -> Item:
    """An item of a response: a message, as servers answer it, with more than they take back."""
    part = {"type": "output_text", "text": text, "annotations": [], "logprobs": None}
    return {
        "type": "message",
        "id": "msg",
        "role": "assistant",
        "status": "completed",
        "content": [part],
    } | more


def response(*output: Item, cut: str | None = None, tokens: int = 7, **more: Any) -> Item:
    """A body of /v1/responses; ``cut`` is why it is incomplete."""
    usage = {
        "input_tokens": 100,
        "input_tokens_details": {"cached_tokens": 5},
        "output_tokens": tokens,
        "output_tokens_details": {"reasoning_tokens": 2},
        "total_tokens": 100 + tokens,
    }
    ended = {"status": "incomplete", "incomplete_details": {"reason": cut}} if cut else {}
    reported = {"id": "resp", "object": "response", "created_at": 0, "status": "completed"}
    reported |= {"model": "model", "output": list(output), "parallel_tool_calls": True}
    return {**reported, "tool_choice": "auto", "tools": [], "usage": usage, **ended, **more}
