"""Real models in an audit: one that judges in place of a stand-in, one whose replies are scored.

They are asked by this process, which has their key; the environment's has an address on loopback.
"""

from __future__ import annotations

import json
import socketserver
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

import httpx
from rl_env_harness.models.connections import key_in, on_loopback

from skill_tools.errors import SkillToolsError

SECONDS = 55.0
"""Seconds for one answer: the environment's process waits for a judge's for five more."""
LONGEST = 32 << 20
"""Bytes of a request that are read: prompts of judges are far shorter."""
MOST_SAID = 4_000
"""Characters of an answer that are used: a verdict, or one reply to a question."""
MOST_TOKENS = 512
"""Tokens of an answer that are asked for: a verdict with its reasons."""


@dataclass(frozen=True)
class RealModel:
    """A model behind an OpenAI-compatible address, its key's variable, and how often it may be asked."""

    model: str
    url: str
    variable: str
    requests: int

    def __post_init__(self) -> None:
        """Refuse an address that is none. Raises SkillToolsError."""
        if urlsplit(self.url).scheme not in ("http", "https"):
            raise SkillToolsError(
                f"{self.url!r} is not the address of a model\n    fix: write it as http://127.0.0.1:8000/v1"
            )

    def key(self) -> str:
        """Its key, or "none". Raises SkillToolsError for one that is no key."""
        try:
            return key_in(self.variable) or "none"
        except ValueError as error:
            raise SkillToolsError(str(error)) from error


@dataclass
class Conversation:
    """Asks a real model, no more often than it may be; one request is sent once, and its answer kept."""

    model: RealModel
    temperature: float | None = None
    left: int = 0
    kept: dict[str, tuple[int, str]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        """Allow as many requests as the model may be asked."""
        self.left = self.model.requests
        # Its own, so that what goes to this machine passes no proxy.
        self.client = httpx.Client(trust_env=not on_loopback(self.model.url), timeout=SECONDS)

    def ask(
        self, messages: Sequence[Mapping[str, Any]], sample: int = 0, tokens: int | None = None
    ) -> tuple[int, str]:
        """The status and the text of its answer; ``sample`` tells answers to one request apart.

        ``tokens``: the most that the answer may have, where somebody says so.
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


@contextmanager
def judging(model: RealModel) -> Iterator[str]:
    """An address on loopback for the block, at which the environment's process has the real judge asked."""
    talk = Conversation(model, temperature=0.0)

    class Relay(BaseHTTPRequestHandler):
        """Passes a judge's request on, and says what the model answered."""

        def do_POST(self) -> None:
            """Answer a request."""
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
        """Bind, without asking for the name of this machine, which may take seconds."""
        socketserver.TCPServer.server_bind(self)

    def handle_error(self, *_: Any) -> None:
        """A process that went away is no error of ours."""
