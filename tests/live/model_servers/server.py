"""A server on loopback that plays a kind by the name of the model, and keeps what it was asked."""

from __future__ import annotations

import json
import threading
from collections import defaultdict
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import groupby
from typing import Any, Self
from urllib.parse import unquote

from .kinds import KINDS
from .rules import USUAL_RULES
from .wire import Answer, Kind, chat

PREFLIGHT = "preflight"
"""In place of an episode's label, where a rollout asks what a server can do."""
PATHS = {"chat/completions": "chat", "responses": "responses"}


@dataclass
class Seen:
    """What one kind was asked."""

    requests: list[dict[str, Any]] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    """Why requests were refused by the usual rules, which nothing may break."""
    refused: list[str] = field(default_factory=list)
    """Why requests were refused by the rules of the kind."""
    attempts: defaultdict[int, int] = field(default_factory=lambda: defaultdict(int))


class ModelServer(ThreadingHTTPServer):
    """Serves every kind while it is open; ``word`` is the secret one of the task that is played."""

    daemon_threads = True
    request_queue_size = 256

    def __init__(self, word: str) -> None:
        super().__init__(("127.0.0.1", 0), _Connection)
        self.word = word
        self.seen: defaultdict[str, Seen] = defaultdict(Seen)
        self.strange: list[str] = []
        """Requests to paths that are not served."""
        self.lock = threading.Lock()
        self._thread = threading.Thread(target=self.serve_forever)

    @property
    def base_url(self) -> str:
        """What a client takes for the address of the API."""
        return f"http://127.0.0.1:{self.server_port}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self._thread.join()
        self.server_close()

    def answer(self, api: str, request: dict[str, Any], label: str) -> Answer:
        """What the kind answers to a request."""
        if label == PREFLIGHT:  # it counts tokens, here fewer than an episode's
            return Answer(chat("", usage={"prompt_tokens": 10, "completion_tokens": 1}))
        kind = KINDS.get(str(request.get("model")))
        if kind is None or kind.api != api:
            return Answer({"error": {"message": "no such model", "code": 404}}, 404)
        with self.lock:
            seen = self.seen[kind.name]
            seen.requests.append(request)
            seen.labels.append(label)
            return self._refusal(kind, request, seen) or self._said(kind, request, seen)

    def _refusal(self, kind: Kind, request: dict[str, Any], seen: Seen) -> Answer | None:
        for rule in kind.rules:
            if answer := rule.answer(request):
                seen.refused.append(answer.text(self.word))
                return answer
        # A server that takes no empty text takes none at all, which others refuse.
        if kind.name != "empty_text_not_taken" and (
            answer := USUAL_RULES[kind.api].answer(request)
        ):
            seen.broken.append(answer.text(self.word))
            return answer
        return None

    def _said(self, kind: Kind, request: dict[str, Any], seen: Seen) -> Answer:
        turn = min(turns_taken(request), len(kind.turns) - 1)
        attempt = min(seen.attempts[turn], len(kind.turns[turn]) - 1)
        seen.attempts[turn] += 1
        return kind.turns[turn][attempt]


def turns_taken(request: dict[str, Any]) -> int:
    """How many messages of the model a request holds."""
    if "messages" in request:
        return sum(message.get("role") == "assistant" for message in request["messages"])
    said = (
        item.get("type") in ("function_call", "reasoning") or item.get("role") == "assistant"
        for item in request["input"]
    )
    return sum(model for model, _ in groupby(said))


class _Connection(BaseHTTPRequestHandler):
    server: ModelServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        api = next((api for path, api in PATHS.items() if self.path.endswith(path)), None)
        if api is None:
            self.server.strange.append(self.path)
            self._send(Answer({"error": {"message": "Not Found", "code": 404}}, 404))
        else:
            self._send(self.server.answer(api, body, unquote(self.headers.get("X-Episode", ""))))

    def do_GET(self) -> None:
        self._send(Answer({"error": {"message": "Not Found", "code": 404}}, 404))

    def _send(self, answer: Answer) -> None:
        text = answer.text(self.server.word).encode()
        self.send_response(answer.status)
        for name, value in {"Content-Type": "application/json", **answer.headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(text)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(text)
        self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Say nothing."""
