"""Gives each session that a cookie holds an id of its own, as a plain ASGI app around another."""

from __future__ import annotations

import uuid
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Passes = Callable[..., Awaitable[Any]]


class SessionIds:
    """Writes an id into a session that has none, before its request is answered.

    Inside of Starlette's SessionMiddleware. key: where the id is in the session.
    """

    def __init__(self, app: Any, key: str) -> None:
        self.app, self.key = app, key

    async def __call__(
        self, scope: MutableMapping[str, Any], receive: Passes, send: Passes
    ) -> None:
        """Pass a request on, with an id in its session."""
        if scope["type"] == "http":
            session = scope["session"]
            # Also one that is there: the cookie is sent again only where something was written.
            session[self.key] = session.get(self.key) or str(uuid.uuid4())
        await self.app(scope, receive, send)
