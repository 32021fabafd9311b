"""Requests to Verifiers' own server.

The server is on this machine and shares a process with the rollouts, so the cost of a request limits the rate
of rollouts. A request through aiohttp, which Verifiers installs, costs a quarter of a request through httpx.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import aiohttp

from .connections import CONNECT, Refused, Unreached

TIMEOUT = aiohttp.ClientTimeout(total=None, sock_connect=CONNECT)


@asynccontextmanager
async def connected() -> AsyncIterator[Callable[..., Awaitable[str]]]:
    """Yield a function that sends requests as `connections.exchange` does, until the block ends."""
    async with aiohttp.ClientSession(timeout=TIMEOUT) as session:

        async def exchange(
            method: str, url: str, key: str, *, headers: Mapping[str, str], body: Any
        ) -> str:
            headers = {"Authorization": f"Bearer {key}", **headers}
            try:
                async with session.request(method, url, json=body, headers=headers) as answer:
                    text = await answer.text(errors="replace")
            except (aiohttp.ClientError, OSError) as error:
                raise Unreached(error) from error
            if not answer.ok:
                raise Refused(answer.status, answer.reason or "", text, answer.headers)
            return text

        yield exchange
