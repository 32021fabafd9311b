"""Give each cookie session its own id, as a plain ASGI app around another."""

from __future__ import annotations

import uuid
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Passes = Callable[..., Awaitable[Any]]


class SessionIds:
    """Adds an id to a session without one, before its request is answered.

    Must be inside Starlette's SessionMiddleware. key: Where the id is in the session.
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
