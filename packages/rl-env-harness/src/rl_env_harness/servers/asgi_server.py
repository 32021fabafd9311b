"""Serve ASGI apps, during a rollout or until stopped."""

import argparse
import contextlib
import gc
import importlib
import ipaddress
import os
import signal
import socket
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import uvicorn

from .. import env_spec
from .gate import Gate, Limits, token_name
from .served import ServedEpisode, log_to_stderr

SETTLE = 3.0
"""Seconds for which a stopping server reports that it stops, before it ends without a session."""
USUAL: dict[str, Any] = {
    "log_level": "warning",
    "timeout_keep_alive": 120,
    "backlog": 4096,
    "ws_ping_timeout": 300,
    "ws_per_message_deflate": False,
}
"""Options for uvicorn: a trainer opens many sessions at once, and is silent while its model writes.

A busy client answers pings late, but its WebSocket must survive, because closing it ends the
episode. Compressing short messages costs more than sending them.
"""


@contextlib.contextmanager
def reach(url: str | None, path: str, module: str) -> Iterator[str]:
    """Yield a server's URL. Check the server at the given URL, or start a new server for the `app` of a module."""
    if url:
        url = url.rstrip("/")  # with it a client's own paths can miss the server
        check_server(url, path)
        yield url
    else:
        with serve(importlib.import_module(module).app) as url:
            yield url


@contextlib.contextmanager
def serve(app: Any) -> Iterator[str]:
    """Serve an ASGI app on a free loopback port; yield its URL."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=4096)
    server = uvicorn.Server(uvicorn.Config(app, **USUAL))
    # Not a child process: this program's end, whatever its cause, also ends the server.
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

            close_all()  # the server waits for its running calls
        server.should_exit = True
        thread.join(timeout=10)


def check_server(url: str, path: str) -> None:
    """Raise ConnectionError if the server's response at ``path`` does not name this environment."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    request = urllib.request.Request(f"{url.rstrip('/')}{path}")
    for name, value in bearer().items():
        request.add_unredirected_header(name, value)  # do not follow redirects
    try:
        with opener.open(request, timeout=30) as answer:
            text = answer.read().decode(errors="replace")
    except urllib.error.HTTPError as error:  # what answers is another server
        if error.code == 401:
            has = "another token" if bearer() else "no token"
            raise ConnectionError(
                f"the server at {url} refuses this: set {token_name()} to its token; here is {has}"
            ) from error
        text = f"{error}"
    except (OSError, ValueError) as error:
        raise ConnectionError(f"no server answers at {url}: {error}") from error
    if f'"{env_spec.NAME}"' not in text:
        raise ConnectionError(f"the server at {url} serves {text[:200]!r}, not {env_spec.NAME!r}")


def token() -> str:
    """Return the server's token if this process has the token; otherwise return ""."""
    return os.environ.get(token_name(), "")


def bearer() -> dict[str, str]:
    """Return the authorization header if this process has a token; otherwise return an empty dict."""
    return {"Authorization": f"Bearer {token()}"} if token() else {}


def run(app: Any, port: int, opens: str, **options: Any) -> None:
    """Serve an app until it is stopped, according to the command line.

    Args:
        opens: The path at which sessions begin, by a POST or as a WebSocket.
        options: Additional options for uvicorn.
    """
    args = _arguments(port)
    limits = Limits(args.max_sessions, args.max_body, args.idle_seconds, args.lifetime_seconds)
    if args.metrics:
        from .metrics import Metrics  # imported here: it costs memory and a little of each step

        ServedEpisode.counters = Metrics()
    if args.log_episodes:
        log_to_stderr()
    gate = Gate(app, opens=opens, limits=limits, token=token(), metrics=ServedEpisode.counters)
    grace = 3  # seconds: a call of a blocking environment may never end
    where: dict[str, Any] = {
        "host": args.host,
        "port": args.port,
        "timeout_graceful_shutdown": grace,
    }
    server = DrainingServer(uvicorn.Config(gate, **where, **USUAL, **options))
    server.gate, server.drain_seconds, server.announce = gate, args.drain_seconds, args.announce
    if env_spec.BLOCKING:
        from . import threads

        threads.closing_on_signals = False  # the server does it, after the time to drain
        server.close_all = threads.close_all
    server.run()
    if not server.started:
        sys.exit(3)  # uvicorn has said why


class DrainingServer(uvicorn.Server):
    """A server that, after a signal to stop, lets open sessions finish and opens no new session."""

    gate: Gate
    drain_seconds: float
    announce: Path | None
    close_all: Callable[[], None] | None = None

    async def startup(self, sockets: Any = None) -> None:
        """Listen, and print the address."""
        # Imported objects stay, so Python need not scan them in each garbage collection, which was
        # nearly half of a step in ORS, in pauses of up to half a second.
        gc.collect()
        gc.freeze()
        await super().startup(sockets=sockets)
        if self.announce and self.started:
            port = self.servers[0].sockets[0].getsockname()[1]
            half = self.announce.with_name(f"{self.announce.name}.half")
            half.write_text(f"{socket.gethostname()}:{port}\n", "utf-8")
            half.rename(self.announce)  # a waiting process reads it completely

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Drain at the first SIGTERM; stop at once at Ctrl-C, and at any signal after the first."""
        if sig == signal.SIGTERM and self.drain_seconds and not self.gate.draining:
            self.gate.draining = True
            threading.Thread(target=self._drain, daemon=True).start()
        else:
            self._stop(sig, frame)

    def _drain(self) -> None:
        began = time.monotonic()
        # A balancer that still considers it available must be told as well.
        settled, until = began + min(SETTLE, self.drain_seconds), began + self.drain_seconds
        while not self.should_exit and (now := time.monotonic()) < until:
            if now > settled and not self.gate.sessions:
                break
            time.sleep(0.05)
        self._close_worlds()
        self.should_exit = True  # by itself, so with exit code 0

    def _stop(self, sig: int, frame: FrameType | None) -> None:
        self._close_worlds()
        super().handle_exit(sig, frame)

    def _close_worlds(self) -> None:
        if self.close_all:
            # At once, because the server waits for its requests before it ends.
            threading.Thread(target=self.close_all, daemon=True).start()


def _arguments(port: int) -> argparse.Namespace:
    """Read the command line of a server."""
    usual = Limits()
    parser = argparse.ArgumentParser(
        description=f"Serve {env_spec.TITLE}. If {token_name()} is set, clients must send it."
    )
    add = parser.add_argument
    add("--host", default="127.0.0.1", help="0.0.0.0 to serve other machines")
    add("--port", type=int, default=port)
    add("--insecure", action="store_true", help="serve other machines without a token")
    add("--metrics", action="store_true", help="answer /metrics, for Prometheus")
    add("--log-episodes", action="store_true", help="log each episode to stderr as a line of JSON")
    add("--max-sessions", type=_positive(int), default=usual.sessions, metavar="N",
        help="maximum concurrent sessions; more are refused with 429 (%(default)s)")  # fmt: skip
    add("--max-body", type=_positive(int), default=usual.body_bytes, metavar="BYTES",
        help="maximum size of a request; larger ones are refused with 413 (%(default)s)")  # fmt: skip
    add("--idle-seconds", type=_positive(float), default=usual.idle_seconds, metavar="S",
        help="seconds without a step after which a session is closed (%(default)g)")  # fmt: skip
    add("--lifetime-seconds", type=_positive(float), default=usual.lifetime_seconds, metavar="S",
        help="seconds after which any session is closed (%(default)g)")  # fmt: skip
    add(
        "--announce",
        type=Path,
        metavar="FILE",
        help="file for HOST:PORT, written once the server listens",
    )
    add("--drain-seconds", type=float, default=0.0, metavar="S",
        help="seconds that open sessions may continue after SIGTERM (%(default)g)")  # fmt: skip
    args = parser.parse_args()
    if not (_only_here(args.host) or args.insecure or token()):
        parser.error(
            f"--host {args.host} serves other machines without a token: set {token_name()},"
            " or use --insecure if something else restricts access"
        )
    return args


def _only_here(host: str) -> bool:
    """Return whether a listening address is unreachable from other machines."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _positive(kind: Callable[[str], Any]) -> Callable[[str], Any]:
    def read(text: str) -> Any:
        value = kind(text)
        if not value > 0:
            raise argparse.ArgumentTypeError(f"{text} is not above 0")
        return value

    read.__name__ = kind.__name__  # for argparse's own message
    return read
