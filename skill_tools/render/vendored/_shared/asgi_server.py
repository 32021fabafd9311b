"""Serves ASGI apps, while a rollout plays or until stopped."""

import argparse
import contextlib
import importlib
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import uvicorn

from . import env_spec

USUAL = {"log_level": "warning", "timeout_keep_alive": 120, "backlog": 4096}
"""Of uvicorn: a trainer opens many sessions at once, and is silent while its model writes."""


@contextlib.contextmanager
def reach(url: str | None, path: str, module: str) -> Iterator[str]:
    """The URL of a server: the given one, checked at a path, or a new one of a module's `app`."""
    if url:
        url = url.rstrip("/")  # with it a client's own paths can miss the server
        check_server(url, path)
        yield url
    else:
        with serve(importlib.import_module(module).app) as url:
            yield url


@contextlib.contextmanager
def serve(app: Any) -> Iterator[str]:
    """Serve an ASGI app on a free loopback port; yields its URL."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=4096)
    server = uvicorn.Server(uvicorn.Config(app, **USUAL))
    # Not a child process: whatever ends this program ends the server too.
    thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
    thread.start()
    while not server.started:
        if not thread.is_alive():
            raise RuntimeError("the server did not start; see the log above")
        time.sleep(0.005)
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        if env_spec.BLOCKING:
            from .threads import close_all

            close_all()  # the server waits for the calls that it is in
        server.should_exit = True
        thread.join(timeout=10)


def check_server(url: str, path: str) -> None:
    """Raise ConnectionError unless a server answers at the URL and names this environment at a path."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(f"{url.rstrip('/')}{path}", timeout=30) as answer:
            text = answer.read().decode(errors="replace")
    except urllib.error.HTTPError as error:  # what answers is another server
        text = f"{error}"
    except (OSError, ValueError) as error:
        raise ConnectionError(f"no server answers at {url}: {error}") from error
    if f'"{env_spec.NAME}"' not in text:
        raise ConnectionError(f"the server at {url} serves {text[:200]!r}, not {env_spec.NAME!r}")


def address(port: int) -> argparse.Namespace:
    """Where the command line of a server wants it: `host` and `port`."""
    parser = argparse.ArgumentParser(description=f"Serve {env_spec.TITLE}.")
    parser.add_argument("--host", default="127.0.0.1", help="0.0.0.0 to serve other machines")
    parser.add_argument("--port", type=int, default=port)
    return parser.parse_args()


def run(app: Any, port: int, **options: Any) -> None:
    """Serve an app until stopped, where the command line says; `options` are uvicorn's."""
    grace = 3  # seconds: a call of a blocking environment may never end
    uvicorn.run(app, **vars(address(port)), **USUAL, timeout_graceful_shutdown=grace, **options)
