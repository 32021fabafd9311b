"""Real models in an audit: a model that replaces the stand-in judge, and a model whose replies are scored.

This process sends the requests to real models because only this process has the keys. The environment's
process gets an address on loopback.
"""

from __future__ import annotations

import json
import socketserver
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

import httpx
from rl_env_harness.models.connections import key_in, on_loopback

from skill_tools.errors import SkillToolsError

SECONDS = 55.0
"""Seconds for one reply: the environment's process waits five seconds longer for a judge."""
LONGEST = 32 << 20
"""Maximum bytes of a request: judge prompts are far shorter."""
MOST_SAID = 4_000
"""Maximum characters of a reply to use: a verdict, or an answer to a question."""
MOST_TOKENS = 512
"""Maximum tokens to request for a reply: a verdict with its reasons."""
SAMPLES = 8
"""Replies to each question, as in a training group."""
TASKS = 10
"""Number of questions: enough to tell whether most are too easy."""
AT_ONCE = 8
"""Concurrent requests to a server."""


@dataclass(frozen=True)
class RealModel:
    """A model at an OpenAI-compatible address, the environment variable with its key, and its request limit."""

    model: str
    url: str
    variable: str
    requests: int

    def __post_init__(self) -> None:
        """Raise SkillToolsError for an invalid address."""
        if urlsplit(self.url).scheme not in ("http", "https"):
            raise SkillToolsError(
                f"{self.url!r} is not the address of a model server\n    fix: write it as http://127.0.0.1:8000/v1"
            )

    def key(self) -> str:
        """Return the model's key, or "none" if there is no key. Raise SkillToolsError for an invalid key."""
        try:
            return key_in(self.variable) or "none"
        except ValueError as error:
            raise SkillToolsError(str(error)) from error


@dataclass
class Conversation:
    """A client that queries a real model within its request limit, and caches the replies to identical requests."""

    model: RealModel
    temperature: float | None = None
    left: int = 0
    kept: dict[str, tuple[int, str]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        """Set the number of remaining requests to the model's limit, and create the client."""
        self.left = self.model.requests
        # Its own opener, so that requests to this machine bypass proxies.
        self.client = httpx.Client(trust_env=not on_loopback(self.model.url), timeout=SECONDS)

    def ask(
        self, messages: Sequence[Mapping[str, Any]], sample: int = 0, tokens: int | None = None
    ) -> tuple[int, str]:
        """Return the status and text of a reply.

        Args:
            messages: The chat messages to send.
            sample: A number that distinguishes several replies to the same request.
            tokens: The maximum number of tokens in the reply, or None for the default.
        """
        asked = json.dumps([sample, list(messages)], sort_keys=True)
        with self.lock:
            if asked in self.kept:
                return self.kept[asked]
            self.left -= 1
            if self.left < 0:
                return 503, "no more requests are allowed"
        answered = self._send(messages, min(tokens or MOST_TOKENS, MOST_TOKENS))
        self.kept[asked] = answered
        return answered

    def _send(self, messages: Sequence[Mapping[str, Any]], tokens: int) -> tuple[int, str]:
        body: dict[str, Any] = {"model": self.model.model, "messages": list(messages)}
        body["max_tokens"] = tokens
        if self.temperature is not None:
            body["temperature"] = self.temperature
        headers = {"Authorization": f"Bearer {self.model.key()}"}
        url = f"{self.model.url.rstrip('/')}/chat/completions"
        try:
            told = self.client.post(url, json=body, headers=headers)
            if told.status_code != 200:
                return told.status_code, told.text[:500]
            said = told.json()["choices"][0]["message"].get("content")
        except (
            httpx.HTTPError,
            ValueError,
            KeyError,
            IndexError,
            TypeError,
            AttributeError,
        ) as error:
            return 502, f"{type(error).__name__}: {error}"[:500]
        return 200, str(said or "")[:MOST_SAID]


def ask_for_replies(
    model: RealModel, prompts: Mapping[str, Sequence[Mapping[str, Any]]]
) -> dict[str, list[str]]:
    """Return several replies to each prompt, by the prompt's label. Failed requests are left out.

    Raises SkillToolsError if all requests failed.
    """
    talk = Conversation(model)
    asked = [(label, number) for number in range(SAMPLES) for label in prompts]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        told = list(pool.map(lambda each: talk.ask(prompts[each[0]], each[1]), asked))
    found: dict[str, list[str]] = {}
    for (label, _), (status, text) in zip(asked, told, strict=True):
        if status == 200:
            found.setdefault(label, []).append(text)
    if asked and not found:
        status, text = told[0]
        raise SkillToolsError(
            f"{model.model} at {model.url} returned {status}: {text[:200]}\n"
            f"    fix: check that the server runs, and that its key is in {model.variable}"
        )
    return found


@contextmanager
def judging(model: RealModel) -> Iterator[str]:
    """Yield an address on loopback that forwards requests to the real judge during the ``with`` block.

    The environment sends its requests for a judge to this address.
    """
    talk = Conversation(model, temperature=0.0)

    class Relay(BaseHTTPRequestHandler):
        """An HTTP handler that forwards a judge's request and returns the model's answer."""

        def do_POST(self) -> None:
            """Answer a judge's request."""
            length = min(int(self.headers.get("Content-Length") or 0), LONGEST)
            asked = json.loads(self.rfile.read(length))
            status, text = talk.ask(asked["messages"], tokens=asked.get("max_tokens"))
            said = json.dumps({"status": status, "text": text}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(said)))
            self.end_headers()
            self.wfile.write(said)

        def log_message(self, *args: Any) -> None:
            """Print nothing."""

    with _Relaying(("127.0.0.1", 0), Relay) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/"
        finally:
            server.shutdown()


class _Relaying(ThreadingHTTPServer):
    daemon_threads = True

    def server_bind(self) -> None:
        """Bind without resolving this machine's name, because that may take seconds."""
        socketserver.TCPServer.server_bind(self)

    def handle_error(self, *_: Any) -> None:
        """Ignore processes that disconnect."""
