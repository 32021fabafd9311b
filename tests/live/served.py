"""A variant's server as a user starts it, and waiting until a server answers."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx

from skill_tools.frameworks.rules import load
from skill_tools.rollouts.rollout import variant_venv
from skill_tools.runtime import supervise
from skill_tools.runtime.environment import child_environment
from tests.live.frameworks import FRAMEWORKS

SERVERS = {
    "openenv": ["-m", "server.app"],
    "ors": ["server.py"],
    "nemo_gym": ["server.py"],
}
"""What starts each framework's server, for the variant's Python."""


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def environment(framework: str) -> dict[str, str]:
    return child_environment(FRAMEWORKS[framework].environment)


def wait_until_it_answers(url: str, running: Callable[[], bool], log: Path) -> None:
    """Return once anything is answered; fails with the log if the server ends, or after a minute."""
    for _ in range(1200):
        assert running(), log.read_text()
        try:
            httpx.get(url, timeout=5, trust_env=False)
        except httpx.TransportError:
            time.sleep(0.05)
        else:
            return
    raise AssertionError(f"no answer from {url}:\n{log.read_text()}")


@contextmanager
def serving(
    folder: Path,
    framework: str,
    log: Path,
    *options: str,
    page: bool = False,
    variables: Mapping[str, str] | None = None,
) -> Iterator[str]:
    """The variant's server as a user starts it, on a port of its own; with its page for people."""
    with served(folder, framework, log, *options, page=page, variables=variables) as (url, _):
        yield url


@contextmanager
def served(
    folder: Path,
    framework: str,
    log: Path,
    *options: str,
    page: bool = False,
    variables: Mapping[str, str] | None = None,
) -> Iterator[tuple[str, supervise.Process]]:
    """As `serving`, and the process."""
    facts, settings = FRAMEWORKS[framework], environment(framework) | dict(variables or {})
    if page:
        facts = replace(facts, without=())  # what only the page needs
        settings |= {"ENABLE_WEB_INTERFACE": "true", "GRADIO_ANALYTICS_ENABLED": "False"}
        settings |= {"GRADIO_TEMP_DIR": str(log.parent / "gradio")}
    venv = variant_venv(load(folder), folder, facts)
    port = free_port()
    command = [str(venv.python), *SERVERS[framework], "--port", str(port), *options]
    with supervise.process(command, cwd=folder / framework, env=settings, log=log) as server:
        url = f"http://127.0.0.1:{port}"
        wait_until_it_answers(url, lambda: server.running, log)
        yield url, server


@contextmanager
def answering(answer: Callable[[BaseHTTPRequestHandler], None]) -> Iterator[str]:
    """A server that answers every request, whatever its method, by one function."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answer(self)

        do_POST = do_GET

        def log_message(self, *args: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 256  # many episodes connect at once

    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
