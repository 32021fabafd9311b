"""Answer the requests of model clients in this process, regardless of the requests' addresses.

Clients use different libraries and addresses. Requests of clients based on httpx, requests or urllib are
intercepted when they are sent. Other clients, and other processes, find an endpoint on loopback through the
environment variables that clients read. Runs in the venv of a framework, with only the standard library and
the client libraries that are installed there.
"""

from __future__ import annotations

import asyncio
import contextlib
import email.message
import importlib
import io
import json
import os
import socketserver
import threading
import urllib.error
import urllib.request
import urllib.response
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from audit_models import ASKING, REAL_MODELS, answer

KEYS = ("OPENAI", "PRIME", "OPENROUTER", "ANTHROPIC", "TOGETHER", "GEMINI", "DEEPSEEK", "JUDGE")
"""Keys that an environment may require at startup; any value will do, as no model request leaves this process."""
ADDRESSES = (
    *("OPENAI_BASE_URL", "OPENAI_API_BASE", "OPENROUTER_API_BASE", "DEEPSEEK_API_BASE"),
    *("TOGETHER_API_BASE", "LITELLM_PROXY_API_BASE"),
)
"""Variables in which clients look for an OpenAI-compatible endpoint; all of them are overridden."""
OWN = ("JUDGE_BASE_URL", "JUDGE_API_BASE", "JUDGE_URL")
"""Common custom names for such variables, which may mean something else if they are set."""
LONGEST = 32 << 20
"""Maximum bytes of a request to the endpoint: judge prompts are far shorter."""
NO_RETRY = {"x-should-retry": "false"}
"""Keeps the OpenAI and Anthropic clients from retrying with delays."""


def answer_models() -> None:
    """Answer all further model requests in this process instead of sending them."""
    for name in KEYS:
        os.environ.setdefault(f"{name}_API_KEY", "audit")
    # Its own transport is not one of httpx's.
    os.environ.setdefault("DISABLE_AIOHTTP_TRANSPORT", "True")
    _answer_urllib()
    for name in ("httpx", "httpx2"):
        with contextlib.suppress(ImportError):
            _answer_httpx(importlib.import_module(name))
    with contextlib.suppress(ImportError):
        _answer_requests(importlib.import_module("requests"))
    if os.environ.get(REAL_MODELS) == "real":
        return
    url = _serve()
    os.environ.update(dict.fromkeys(ADDRESSES, f"{url}/v1"), ANTHROPIC_BASE_URL=url)
    for name in OWN:
        os.environ.setdefault(name, f"{url}/v1")


def _answered(method: str, url: str, body: Any) -> tuple[int, bytes] | None:
    """Return the status and body of the answer to a model request, or None for any other request."""
    if method.upper() != "POST" or not isinstance(body, bytes | str):
        return None
    answered = answer(urlsplit(url).path, body.encode() if isinstance(body, str) else body)
    return (answered[0], json.dumps(answered[1]).encode()) if answered else None


def _answer_httpx(lib: Any) -> None:
    at_once, later = lib.HTTPTransport.handle_request, lib.AsyncHTTPTransport.handle_async_request

    def made(request: Any, body: bytes) -> Any:
        answered = _answered(request.method, str(request.url), body)
        if answered is None:
            return None
        headers = {"Content-Type": "application/json", **NO_RETRY}
        return lib.Response(answered[0], content=answered[1], headers=headers, request=request)

    def handle(self: Any, request: Any) -> Any:
        return made(request, request.read()) or at_once(self, request)

    async def handle_later(self: Any, request: Any) -> Any:
        # Read first: the body of a request may be a stream.
        body = await request.aread()
        each = ASKING.get()
        waits = each is not None and each.waits  # for a message that arrives later
        answered = await asyncio.to_thread(made, request, body) if waits else made(request, body)
        return answered if answered is not None else await later(self, request)

    lib.HTTPTransport.handle_request = handle
    lib.AsyncHTTPTransport.handle_async_request = handle_later


def _answer_requests(lib: Any) -> None:
    send = lib.adapters.HTTPAdapter.send

    def handle(self: Any, request: Any, *args: Any, **more: Any) -> Any:
        answered = _answered(request.method, request.url, request.body)
        if answered is None:
            return send(self, request, *args, **more)
        response = lib.Response()
        response.status_code, response.url, response.request = answered[0], request.url, request
        response.headers["Content-Type"] = "application/json"
        response.raw, response.encoding = io.BytesIO(answered[1]), "utf-8"
        return response

    lib.adapters.HTTPAdapter.send = handle


def _answer_urllib() -> None:
    director: Any = urllib.request.OpenerDirector
    open_it = director.open

    def handle(self: Any, fullurl: Any, data: Any = None, *args: Any, **more: Any) -> Any:
        asked = fullurl if isinstance(fullurl, urllib.request.Request) else None
        url, body = (
            (asked.full_url, asked.data if data is None else data) if asked else (fullurl, data)
        )
        answered = _answered("POST" if body is not None else "GET", str(url), body)
        if answered is None:
            return open_it(self, fullurl, data, *args, **more)
        headers = email.message.Message()
        headers["Content-Type"] = "application/json"
        told = io.BytesIO(answered[1])
        if answered[0] >= 400:
            raise urllib.error.HTTPError(str(url), answered[0], "audit", headers, told)
        return urllib.response.addinfourl(told, headers, str(url), answered[0])

    director.open = handle


class _Endpoint(BaseHTTPRequestHandler):
    """An HTTP handler that answers model requests over loopback."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        """Answer a model request."""
        length = min(int(self.headers.get("Content-Length") or 0), LONGEST)
        status, said = answer(self.path, self.rfile.read(length)) or (404, {"error": "no model"})
        body = json.dumps(said).encode()
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **NO_RETRY}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: Any) -> None:
        """Print nothing, because the last line of output must be the reason why a driver ended."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def server_bind(self) -> None:
        """Bind without resolving this machine's name, because that may take seconds."""
        socketserver.TCPServer.server_bind(self)
        host, self.server_port = self.server_address[:2]
        self.server_name = str(host)

    def handle_error(self, *_: Any) -> None:
        """Ignore clients that disconnect."""


def _serve() -> str:
    """Serve the endpoint in a thread until this process ends. Return the endpoint's address."""
    server = _Server(("127.0.0.1", 0), _Endpoint)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}"
