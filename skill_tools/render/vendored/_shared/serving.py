"""Serves ASGI apps on free loopback ports while a rollout plays.

Copied by `skill-tools render`, which overwrites it.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any

from . import env_spec


@contextlib.contextmanager
def serve(app: Any) -> Iterator[str]:
    """Serve an ASGI app on a free loopback port from a thread; yields its URL.

    A thread, not a child process: whatever ends this program ends the server too.
    """
    with serve_together([app]) as (url,):
        yield url


@contextlib.contextmanager
def serve_together(apps: Sequence[Any]) -> Iterator[list[str]]:
    """As `serve`, for apps that must share one event loop; yields their URLs in order."""
    import uvicorn

    listeners = [socket.create_server(("127.0.0.1", 0), backlog=4096) for _ in apps]
    servers = [
        uvicorn.Server(
            uvicorn.Config(app, log_level="warning", timeout_keep_alive=120, backlog=4096)
        )
        for app in apps
    ]

    async def serve_all() -> None:
        await asyncio.gather(*(s.serve([at]) for s, at in zip(servers, listeners, strict=True)))

    def run() -> None:
        with asyncio.Runner(loop_factory=servers[0].config.get_loop_factory()) as runner:
            runner.run(serve_all())

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    while not all(server.started for server in servers):
        if not thread.is_alive():
            raise RuntimeError("the server did not start; see the log above")
        time.sleep(0.005)
    try:
        yield [f"http://127.0.0.1:{listener.getsockname()[1]}" for listener in listeners]
    finally:
        if env_spec.BLOCKING:
            from .threads import close_all

            close_all()  # the servers wait for the calls that they are in
        for server in servers:
            server.should_exit = True
        thread.join(timeout=10)


class WrongServer(RuntimeError):
    """The server at the given URL is not this environment's."""


def check_server(url: str, found: Any) -> None:
    """Refuse to play against a server of another environment. Raises WrongServer."""
    if found != env_spec.NAME:
        raise WrongServer(f"the server at {url} serves {found!r}, not {env_spec.NAME!r}")
