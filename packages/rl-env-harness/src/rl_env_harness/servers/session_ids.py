"""A plain ASGI app that wraps another app and gives each cookie session its own id."""

from __future__ import annotations

import uuid
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Passes = Callable[..., Awaitable[Any]]


class SessionIds:
    """An ASGI app that adds an id to a session without an id, before the request is answered.

    The app must be inside Starlette's SessionMiddleware.

    Args:
        key: The key under which the session stores the id.
    """

    def __init__(self, app: Any, key: str) -> None:
        self.app, self.key = app, key

    async def __call__(
        self, scope: MutableMapping[str, Any], receive: Passes, send: Passes
    ) -> None:
        """Pass a request on, with an id in its session."""
        if scope["type"] == "http":
            session = scope["session"]
            # An existing id is written as well, because the cookie is sent again only after a write.
            session[self.key] = session.get(self.key) or str(uuid.uuid4())
        await self.app(scope, receive, send)
