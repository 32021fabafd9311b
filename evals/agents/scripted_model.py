"""A model on loopback that plays a script, for coding agents that treat this model as the real model."""

from __future__ import annotations

import gzip
import json
import re
import threading
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from evals.agents.model_apis import MODEL, Call, Json, Say, Shown, Tool, api_at

OUR_SERVER = "skill_tools"
Script = Generator[Call | Say, str, None]
"""A generator that yields the model's actions, and receives the text that the client showed for each action."""

ASIDE = Say("Connect four")
"""The reply to requests without tools, with which clients ask for a title, for example."""


@dataclass
class Turn:
    """One action of the model, the tool that the action called, and the result that the client showed."""

    action: Call | Say
    tool: Tool | None = None
    result: str | None = None
    at: float = 0.0
    """Seconds since the first request."""


class ScriptedModel:
    """A server that plays a script over every API of ``model_apis``, and records every request.

    The number of tool results in a request determines the position in the script. If the client repeats a
    request, it therefore gets the same reply again.
    """

    def __init__(self, log: Path) -> None:
        self.requests: list[Shown] = []
        self.turns: list[Turn] = []
        self.strangers: list[str] = []
        """The client's requests for other servers. The client uses this server as its proxy."""
        self.problem: Exception | None = None
        """The reason why the script could not continue."""
        self._script: Script
        self._began = 0.0
        self._log = log
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    @contextmanager
    def play(self, script: Script) -> Iterator[None]:
        """Play a script as the model's replies until the ``with`` block ends."""
        self._script = script
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        try:
            yield
        finally:
            self._server.shutdown()
            self._server.server_close()

    def offered(self, bare: str) -> Tool:
        """Return a tool as the last request offered it."""
        return offered(bare, self.requests[-1].tools)

    def answer(self, path: str, body: Json) -> str | Json:
        """Answer one request of a client."""
        api = api_at(path)
        if api is None:
            return {"input_tokens": 10} if path.endswith("count_tokens") else {"totalTokens": 10}
        with self._lock:
            shown = api.read(body)
            turn = Turn(ASIDE)
            if shown.tools:
                self.requests.append(shown)
                turn = self._next(shown)
            answered = api.write(body, turn.action, turn.tool)
            record = {"path": path, "request": body, "answer": answered}
            with self._log.open("a", encoding="utf-8") as file:
                file.write(json.dumps(record) + "\n")
        return answered

    def _next(self, shown: Shown) -> Turn:
        self._began = self._began or time.monotonic()
        number = len(shown.results)
        if number > len(self.turns):
            text = f"{number} results were shown after {len(self.turns)} calls"
            self.problem = self.problem or AssertionError(text)
            return Turn(Say(text))
        if number < len(self.turns):
            return self.turns[number]
        if number:
            self.turns[-1].result = shown.results[-1]
        try:
            action = self._script.send(shown.results[-1]) if number else next(self._script)
            turn = Turn(action, at=time.monotonic() - self._began)
            if isinstance(action, Call):
                turn.tool = offered(action.tool, shown.tools)
        except Exception as problem:  # noqa: BLE001 - a failed assert is for the test to raise
            self.problem = self.problem or problem
            turn = Turn(Say(f"The script cannot go on: {problem!r}"))
        self.turns.append(turn)
        return turn

    def _handler(model) -> type[BaseHTTPRequestHandler]:
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                raw = self.rfile.read(int(self.headers.get("content-length") or 0))
                if self.headers.get("content-encoding") == "gzip":
                    raw = gzip.decompress(raw)
                if self._strange():
                    return
                path, _, query = self.path.partition("?")
                body = json.loads(raw or b"{}")
                if "alt=sse" in query:
                    body["stream"] = True
                self._send(model.answer(path, body))

            def do_GET(self) -> None:
                if not self._strange():
                    known = {"id": MODEL, "object": "model", "type": "model", "display_name": MODEL}
                    self._send({"object": "list", "data": [known], "has_more": False})

            def do_HEAD(self) -> None:
                if not self._strange():
                    self._send({})

            def do_CONNECT(self) -> None:
                self._strange()

            def _strange(self) -> bool:
                """Return whether the request was meant for another server. Refuse such a request."""
                if self.path.startswith("/"):
                    return False
                model.strangers.append(f"{self.command} {self.path}")
                self.close_connection = True
                self._send({"error": "no network in tests"}, status=403)
                return True

            def _send(self, answer: str | Json, status: int = 200) -> None:
                stream = isinstance(answer, str)
                data = (answer if isinstance(answer, str) else json.dumps(answer)).encode()
                self.send_response(status)
                kind = "text/event-stream" if stream else "application/json"
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(data)

            def log_message(self, *args: Any) -> None:
                pass

        return Handler


def offered(bare: str, tools: tuple[Tool, ...]) -> Tool:
    """Return the tool that has this bare name: our tool behind the client's prefix, or the client's own tool."""
    ours = re.compile(rf"(^|.*[^a-z]){OUR_SERVER}(__|[_.-]){re.escape(bare)}(_[0-9a-f]{{8}})?")
    full = {
        f"{tool.namespace}.{tool.name}" if tool.namespace else tool.name: tool for tool in tools
    }
    found = [tool for name, tool in full.items() if ours.fullmatch(name)] or [
        tool for name, tool in full.items() if name == bare
    ]
    assert len(found) == 1, f"{bare} names {len(found)} of the tools shown: {sorted(full)}"
    return found[0]
