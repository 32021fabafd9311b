"""Serve a foreign environment in a separate process, in the venv of its framework."""

from __future__ import annotations

import contextlib
import json
import resource
import socket
import threading
import time
import traceback
import uuid
from typing import Any

from audit_bounds import Broken
from audit_models import Asker, answer, asking

LARGEST = 16 << 20
"""Maximum bytes of a server's answer."""
JUDGED = "/audit-judgements"
"""The route at which a driver gets the requests to the judges of a reply."""
JUDGED_AS = "x-audit-judged"
"""The header with a reply's key, its judges' words and its right answer. In an answer: the server asked a judge."""
LONGEST_KEY = 1_000
"""Maximum characters of a right answer in a header."""


def judged_as(script: dict[str, Any], row: Any) -> dict[str, str]:
    """Return the header that tells the server's stand-in judge how to answer an episode's requests."""
    told: dict[str, Any] = {"judge": script.get("judge") or {}, "gold": script.get("gold") or ""}
    told |= {"gold": Asker(told).key_of(row)[:LONGEST_KEY], "key": uuid.uuid4().hex}
    return {JUDGED_AS: json.dumps(told)}


class JudgedApp:
    """An ASGI app that wraps another app and lets a stand-in judge answer the other app's model requests."""

    def __init__(self, app: Any) -> None:
        self.app = app
        self.asked: dict[str, dict[str, Any]] = {}

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request to the app."""
        given = dict(scope.get("headers") or ()).get(JUDGED_AS.encode())
        if given is None:
            await self.app(scope, receive, send)
            return
        told, body = json.loads(given), await _body_of(receive)
        if scope["path"] == JUDGED:
            found = json.dumps(self.asked.pop(told["key"], {})).encode()
            headers = [(b"content-type", b"application/json")]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            await send({"type": "http.response.body", "body": found})
            return
        each = Asker(told)
        each.said = [(_said_in(body), told.get("gold", ""))]
        left = [{"type": "http.request", "body": body}]

        async def again() -> Any:
            return left.pop() if left else await receive()

        async def noting(message: Any) -> None:
            if message["type"] == "http.response.start" and each.judged:
                self.asked[told["key"]] = each.judgements
                message = {**message, "headers": [*message["headers"], (JUDGED_AS.encode(), b"1")]}
            await send(message)

        with asking(each):
            await self.app(scope, again, noting)


def _said_in(body: bytes) -> str:
    """Return the text of the model's last message in the body of a request."""
    with contextlib.suppress(ValueError, LookupError, TypeError):
        return str(json.loads(body)["response"]["output"][-1]["content"][0]["text"])
    return ""


async def _body_of(receive: Any) -> bytes:
    read, more = b"", True
    while more:
        message = await receive()
        read, more = read + message.get("body", b""), message.get("more_body", False)
    return read


async def all_of(answer: Any) -> bytes:
    """Return the body of an aiohttp response. Raise Broken if the body is too large."""
    read = b""
    async for chunk in answer.content.iter_chunked(1 << 16):
        read += chunk
        if len(read) > LARGEST:
            raise Broken("size", f"{answer.url.path} returned more than {LARGEST >> 20} MB")
    return read


class ModelAnswer:
    """The answer of a stand-in, with the methods of an aiohttp response."""

    cookies: dict[str, Any] = {}

    def __init__(self, status: int, body: bytes) -> None:
        self.status, self.ok, self.body = status, status < 400, body
        self.content = self

    async def read(self) -> bytes:
        """Return the body of the answer."""
        return self.body

    async def text(self) -> str:
        """Return the body of the answer as text."""
        return self.body.decode()

    async def json(self, **_: Any) -> Any:
        """Return the parsed JSON body of the answer."""
        return json.loads(self.body)

    def raise_for_status(self) -> None:
        """Raise aiohttp's error if the answer has an error status."""
        from aiohttp import ClientResponseError

        if not self.ok:
            raise ClientResponseError(None, (), status=self.status, message=self.body.decode())  # type: ignore[arg-type]

    def release(self) -> None:
        """Do nothing, because there is no connection to release."""


def answer_model(name: str, path: str, asked: Any) -> ModelAnswer | None:
    """Return a stand-in's answer to a request to the named model, or None for any other request."""
    if hasattr(asked, "model_dump"):
        asked = asked.model_dump(mode="json", exclude_unset=True)
    if not isinstance(asked, dict):
        return None
    said = answer(path, json.dumps({**asked, "model": name}, default=str).encode())
    return ModelAnswer(said[0], json.dumps(said[1]).encode()) if said else None


def print_causes(kind: type[Exception]) -> None:
    """Make errors of the class ``kind`` print their cause when they are created, so that the log shows the cause."""
    made: Any = kind.__init__

    def printing(self: Exception, *given: Any) -> None:
        traceback.print_exc()
        made(self, *given)

    type.__setattr__(kind, "__init__", printing)


def serve(app: Any, tell: Any) -> None:
    """Serve an ASGI app on a free loopback port until this process is ended.

    ``tell`` receives the server's address, and later its peak memory.
    """
    import uvicorn

    listener = socket.create_server(("127.0.0.1", 0), backlog=256)
    tell({"url": f"http://127.0.0.1:{listener.getsockname()[1]}"})

    def measure() -> None:
        most = 0
        while True:
            time.sleep(2.0)
            held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
            if held > most:
                tell({"memory_mb": held})
            most = max(most, held)

    threading.Thread(target=measure, daemon=True).start()
    uvicorn.Server(uvicorn.Config(JudgedApp(app), log_level="warning")).run([listener])
