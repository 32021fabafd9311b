"""The policy endpoint: an OpenAI-compatible server on loopback that plays scripts.

It speaks Chat Completions and Responses (https://platform.openai.com/docs/api-reference),
streaming or not, and Anthropic's Messages (https://platform.claude.com/docs/en/api/messages). What a
request offers of a provider's own computer tool is used: see ``computer_payloads``. It keeps no state between requests, so it serves any number of rollouts at once.
A request names its script by ``model`` and by the label in ``user`` (or ``metadata.episode``, or
``metadata.user_id``). The
number of assistant messages in the conversation says which turn is next. A request without tools
is answered in text, with the calls written into it.
"""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Any, Self
from urllib.parse import unquote

import uvicorn
from pydantic import BaseModel
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from skill_tools.errors import nearest
from skill_tools.play.policies import Script, Turn

FINISHED = Turn(text="I have nothing further to do.")
ANY_LABEL = "*"
"""Label of a script that serves every episode without one of its own."""


class PolicyEndpoint:
    """Serves ``scripts[model][label]`` while it is open; use as a context manager.

    ``write`` makes text of a turn for requests without tools; without it they get tool calls too.
    ``screen`` is its size in pixels, for a model that counts in thousandths of it.
    """

    def __init__(
        self,
        scripts: Mapping[str, Mapping[str, Script]],
        write: Callable[[Turn], str] | None = None,
        screen: tuple[int, int] = (1024, 768),
    ) -> None:
        self.scripts = scripts
        self.screen = screen
        self.write = write
        self.base_url = ""
        routes = [
            Route("/v1/models", self._models),
            Route("/v1/chat/completions", self._chat, methods=["POST"]),
            Route("/v1/responses", self._responses, methods=["POST"]),
            Route("/v1/messages", self._messages, methods=["POST"]),
        ]
        # A rollout that is ended amid a request is nothing to tell of; uvicorn would, at length.
        self.app = Starlette(routes=routes, exception_handlers={ClientDisconnect: _left})

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
        # While a rollout imports its framework; the first answer would wait for it otherwise.
        payloads = "skill_tools.play.payloads"
        threading.Thread(target=import_module, args=(payloads,), daemon=True).start()
        while not self._server.started and self._thread.is_alive():
            time.sleep(0.002)
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join(timeout=5)

    async def _models(self, request: Request) -> Response:
        from skill_tools.play.payloads import model, text

        models = ",".join(text(model(name)) for name in self.scripts)
        return _json(f'{{"object":"list","data":[{models}]}}')

    async def _chat(self, request: Request) -> Response:
        from skill_tools.play.computer_payloads import qwen_calls, wants_qwen
        from skill_tools.play.payloads import chunks, completion, text

        body = await request.json()
        position = sum(message.get("role") == "assistant" for message in body["messages"])
        turn = self._turn(body, position, request)
        if isinstance(turn, Response):
            return turn
        if wants_qwen(body):
            calls = [said for call in turn.calls for said in qwen_calls(call, self.screen)]
            turn = Turn(tuple(calls), turn.text)
        if body.get("stream"):
            return _stream(chunks(body, position, turn), named=False)
        return _json(text(completion(body, position, turn)))

    async def _responses(self, request: Request) -> Response:
        from skill_tools.play.payloads import events, response, text

        body = await request.json()
        position = _turns_taken(body["input"])
        turn = self._turn(body, position, request)
        if isinstance(turn, Response):
            return turn
        whole = response(body, position, turn)
        if body.get("stream"):
            return _stream(events(whole), named=True)
        return _json(text(whole))

    async def _messages(self, request: Request) -> Response:
        from skill_tools.play.computer_payloads import anthropic_message

        body = await request.json()
        position = sum(message.get("role") == "assistant" for message in body["messages"])
        turn = self._turn(body, position, request)
        if isinstance(turn, Response):
            return turn
        return _json(json.dumps(anthropic_message(body, position, turn)))

    def _turn(self, body: Mapping[str, Any], position: int, request: Request) -> Turn | Response:
        model = body.get("model", "")
        if model not in self.scripts:
            return _refusal(f"there is no policy {model!r}{nearest(model, self.scripts)}")
        metadata = body.get("metadata") or {}
        label = (
            unquote(request.headers.get("x-episode", ""))
            or body.get("user")
            or metadata.get("episode")
            or metadata.get("user_id")
            or ""
        )
        scripts = self.scripts[model]
        script = scripts.get(label, scripts.get(ANY_LABEL))
        if script is None:
            return _refusal(f"policy {model!r} has no script for the episode {label!r}")
        turn = script[position] if position < len(script) else FINISHED
        return Turn(text=self.write(turn)) if self.write and not body.get("tools") else turn


async def _left(request: Request, error: Exception) -> Response:
    return Response(status_code=400)  # read by nobody


def _refusal(message: str) -> Response:
    from skill_tools.play.payloads import error, text

    return _json(f'{{"error":{text(error(message))}}}', status=404)


def _json(text: str, status: int = 200) -> Response:
    return Response(text, status, media_type="application/json")


def _turns_taken(items: Any) -> int:
    """Count assistant turns in Responses input, where one turn may be several items."""
    turns, inside = 0, False
    for item in [] if isinstance(items, str) else items:
        kind = item.get("type", "message")
        assistant = kind in ("function_call", "computer_call", "reasoning") or (
            kind == "message" and item.get("role") == "assistant"
        )
        turns += assistant and not inside
        inside = assistant
    return turns


def _stream(payloads: Iterator[BaseModel], *, named: bool) -> Response:
    def lines() -> Iterator[str]:
        from skill_tools.play.payloads import text

        for payload in payloads:
            name = f"event: {payload.type}\n" if named else ""
            yield f"{name}data: {text(payload)}\n\n"
        if not named:
            yield "data: [DONE]\n\n"

    return StreamingResponse(lines(), media_type="text/event-stream")
