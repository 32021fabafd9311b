"""The layer in front of a server's app: access control, limits of sessions and requests, and health checks."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import json
import time
from collections import deque
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any

from .. import env_spec
from .served import LIVE, ServedEpisode, expire_left
from .sign_in import SignIn

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
JSON = b"application/json"
PROMISED = 60.0
"""Seconds to wait for a granted session to open; it may not, because its world may fail."""
OPEN_TO_ALL = ("/health", "/ready")
"""Paths that need no token: monitoring has none, and these paths reveal nothing else."""


@dataclass(frozen=True)
class Limits:
    """Limits of a server: concurrent sessions, bytes of a request, seconds of a session."""

    sessions: int = 4096
    body_bytes: int = 64 * 2**20
    idle_seconds: float = 3600.0
    lifetime_seconds: float = 86_400.0


class Gate:
    """An ASGI app that wraps a server's app, and checks access and limits.

    Args:
        opens: The path at which sessions begin, by a POST or as a WebSocket.
        token: The token that requests must have, if any.
        metrics: A `Metrics` for /metrics, or None.
    """

    def __init__(
        self, app: Any, *, opens: str, limits: Limits, token: str = "", metrics: Any = None
    ) -> None:
        self.app, self.opens, self.limits, self.metrics = app, opens, limits, metrics
        # The client of ORS sends the second.
        self._wanted = {b"authorization": f"Bearer {token}".encode(), b"x-api-key": token.encode()}
        self._closed = bool(token)
        self._sign_in = SignIn(token, token_name())
        self._own = {getattr(route, "path", None) for route in getattr(app, "routes", ())}
        self.draining = False
        self.sockets = self._asked = self._matched = 0
        self._promised: deque[float] = deque()

    @property
    def sessions(self) -> int:
        """The number of open sessions, including pending sessions.

        If each connection is a session, this is the number of connections, and otherwise the number of worlds.
        """
        while self._promised and self._matched < ServedEpisode.count:
            self._matched += 1
            self._promised.popleft()
        while self._promised and time.monotonic() - self._promised[0] > PROMISED:
            self._promised.popleft()
        return max(self.sockets, len(LIVE) + len(self._promised) + self._asked)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request, pass it on to the app, or refuse it."""
        kind, path = scope["type"], scope.get("path", "")
        if kind == "lifespan":
            limits = self.limits
            reaper = asyncio.create_task(expire_left(limits.idle_seconds, limits.lifetime_seconds))
            try:
                await self.app(scope, receive, send)
                return None
            finally:
                reaper.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await reaper
        if self._closed and path not in OPEN_TO_ALL and not self._admits(scope):
            if self._sign_in.is_for(scope):
                return await self._sign_in.answer(scope, receive, send)
            why = f"this server requires a token: Authorization: Bearer, or X-API-Key, with its {token_name()}"
            return await _refuse(scope, send, 401, why)
        if kind == "http" and (answer := self._answer(path)):
            return await _answer(send, *answer)
        if path == self.opens and (kind == "websocket" or scope.get("method") == "POST"):
            if self.draining:
                return await _refuse(scope, send, 503, "this server is about to stop")
            if self.sessions >= self.limits.sessions:
                why = f"this server has {self.limits.sessions} sessions, its maximum"
                return await _refuse(scope, send, 429, why)
        if kind == "websocket":
            self.sockets += 1
            try:
                await self.app(scope, receive, send)
                return None
            finally:
                self.sockets -= 1
        if path != self.opens:
            await self._bounded(scope, receive, send)
            return None
        # Counted at once, so that simultaneous requests cannot exceed the limit. A framework may
        # answer before the world is there.
        self._asked += 1
        try:
            await self._bounded(scope, receive, self._promising(send))
        finally:
            self._asked -= 1
        return None

    def _promising(self, send: Send) -> Send:
        async def passed(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] < 400:
                self._promised.append(time.monotonic())
            await send(message)

        return passed

    def _admits(self, scope: Message) -> bool:
        # Compared in constant time, whatever was sent.
        return any(
            hmac.compare_digest(value, self._wanted[name])
            for name, value in scope["headers"]
            if name in self._wanted
        ) or self._sign_in.admits(scope)

    def _answer(self, path: str) -> tuple[int, bytes, bytes] | None:
        about = {"environment": env_spec.NAME, "sessions": self.sessions}
        if path == "/health" and path not in self._own:
            return 200, json.dumps({"status": "healthy", **about}).encode(), JSON
        if path == "/ready":
            full = self.sessions >= self.limits.sessions
            status = "draining" if self.draining else "full" if full else "ready"
            told = json.dumps({"status": status, **about}).encode()
            # After a 404, HAProxy sends a worker no new sessions, and its own as before.
            return 200 if status == "ready" else 404, told, JSON
        if path == "/metrics" and self.metrics:
            text, kind = self.metrics.text()
            return 200, text, kind.encode()
        return None

    async def _bounded(self, scope: Message, receive: Receive, send: Send) -> None:
        """Pass a request on to the app, unless its body exceeds the limit."""
        most = self.limits.body_bytes
        why = f"the body is larger than {most} bytes, the maximum"
        declared = [value for name, value in scope["headers"] if name == b"content-length"]
        if any(value.isdigit() and int(value) > most for value in declared):
            await _refuse(scope, send, 413, why)
            return
        came, begun = 0, False

        async def counted() -> Message:
            nonlocal came
            message = await receive()
            came += len(message.get("body", b""))
            # As if the client had disconnected: the app's answer is not sent.
            return message if came <= most else {"type": "http.disconnect"}

        async def passed(message: Message) -> None:
            nonlocal begun
            if came <= most or begun:
                begun = True
                await send(message)

        try:
            await self.app(scope, counted, passed)
        except Exception:
            if came <= most:
                raise
        if came > most and not begun:
            await _refuse(scope, send, 413, why)


def token_name() -> str:
    """Return the name of the environment variable that holds the token of a server and its clients."""
    return f"{env_spec.NAME.upper()}_TOKEN"


async def _refuse(scope: Message, send: Send, status: int, why: str) -> None:
    """Refuse a request with a status and a reason. A WebSocket connection is rejected."""
    body = json.dumps({"detail": why}).encode()
    if scope["type"] == "http":
        return await _answer(send, status, body, JSON)
    if "websocket.http.response" in scope.get("extensions", {}):
        return await _answer(send, status, body, JSON, "websocket.http.response")
    return await send({"type": "websocket.close", "code": 1013 if status != 401 else 1008})


async def _answer(
    send: Send, status: int, body: bytes, kind: bytes, to: str = "http.response"
) -> None:
    headers = [(b"content-type", kind), (b"content-length", str(len(body)).encode())]
    if status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    if status in (429, 503):
        headers.append((b"retry-after", b"1"))
    await send({"type": f"{to}.start", "status": status, "headers": headers})
    await send({"type": f"{to}.body", "body": body})
