"""A model server on loopback that has every fault there is, and a world to play with it."""

from __future__ import annotations

import json
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.live.frameworks import FRAMEWORKS

SPEC = f"""\
name: faulty
title: Faulty
description: Counts to three, shows a picture, and breaks when it is told to.
archetype: vision-computer-use
domain: world:World
tasks: tasks:TASKS
oracle: oracle:solve
prompt:
  user: "{{observation}} It is {{place}}."
tools:
  add:
    description: Add to the count.
    parameters:
      amount: {{type: integer, minimum: 1, maximum: 3, description: How much.}}
  picture:
    description: Look.
  hang:
    description: Never comes back.
  crash:
    description: Breaks the world.
  halves:
    description: Says half of a surrogate pair.
  refuse:
    description: Refuses with half of a surrogate pair.
reward: {{timing: per_step}}
episode: {{max_turns: 9}}
frameworks: [{", ".join(FRAMEWORKS)}]
"""
WORLD = '''\
import base64
import threading

PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


class InvalidAction(Exception):
    """Not allowed by the rules."""


class World:
    def __init__(self, task, seed):
        self.count = 0
        self.over = threading.Event()

    @property
    def reward(self):
        return min(self.count, 3) / 4 if self.count < 3 else 1.0

    @property
    def done(self):
        return self.count >= 3

    def observe(self):
        return "Count to three\\ud83d."

    def add(self, amount):
        self.count += amount
        return f"The count is {self.count}."

    def picture(self):
        return ["What there is:", PICTURE]

    def hang(self):
        self.over.wait(600)
        return "back"

    def crash(self):
        raise ValueError("\\ud83d it broke")

    def halves(self):
        return "half: \\ud83d."

    def refuse(self):
        raise InvalidAction("not \\ude00 this")

    def close(self):
        self.over.set()
'''
TASKS = 'TASKS = {"train": [{"id": f"n\\ud83d-{n}", "place": "h\\ude00me"} for n in range(4)]}\n'
ORACLE = 'def solve(task, seed):\n    return [("add", {"amount": 3})]\n'
FILES = {"env.yaml": SPEC, "world.py": WORLD, "tasks.py": TASKS, "oracle.py": ORACLE}
FULL = {
    "full-llamacpp": (400, {"error": {"code": 400, "type": "exceed_context_size_error", "n_ctx": 4096,
        "message": "request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it"}}),
    "full-vllm": (400, {"error": {"code": 400, "type": "BadRequestError", "param": "input_tokens",
        "message": "This model's maximum context length is 4096 tokens. However, you requested 1 output "
                   "tokens and your prompt contains at least 4096 input tokens."}}),
    "full-openai": (400, {"error": {"code": "context_length_exceeded", "type": "invalid_request_error",
        "message": "Your input exceeds the context window of this model."}}),
    "full-anthropic": (400, {"type": "error", "error": {"type": "invalid_request_error",
        "message": "prompt is too long: 210000 tokens > 200000 maximum"}}),
    "full-413": (413, "<html>413 Request Entity Too Large</html>"),
}  # fmt: skip
OTHER = {
    "tokens": (400, {"error": {"message": "max_tokens is too large: 100000. This model supports at "
        "most 16384 completion tokens, whereas you provided 100000."}}),
    "context": (400, {"error": {"message": "context deadline exceeded"}}),
    "late-408": (408, {"error": {"message": "it took too long"}}),
    "late-504": (504, "<html>504 Gateway Time-out</html>"),
    "denied": (401, {"error": {"message": "Incorrect API key provided"}}),
}  # fmt: skip
PASSING = {
    "busy-0": (429, {"Retry-After": "0"}),
    "busy-date": (429, {"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}),
    "busy-ms": (429, {"retry-after-ms": "20", "Retry-After": "30"}),
    "busy-odd": (429, {"Retry-After": "soon"}),
    "loading": (503, {}),
}
BAD_JSON = {
    "html": ("text/html", "<html>Welcome to the proxy</html>"),
    "half-json": ("application/json", '{"choices": [{"mess'),
    "empty": ("application/json", ""),
}


def write(folder: Path) -> Path:
    """The author's files of the world."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in FILES.items():
        (folder / name).write_text(text, "utf-8")
    return folder


def said(body: Mapping[str, Any], tool: str, **more: Any) -> dict[str, Any]:
    """A reply that calls a tool: as a call, or as a tag where the request offers none."""
    amount = {"amount": more.pop("amount", 1)} if tool == "add" else {}
    message: dict[str, Any] = {"role": "assistant", "content": None, **more}
    if body.get("tools"):
        function = {"name": tool, "arguments": json.dumps(amount)}
        message["tool_calls"] = [{"id": "same", "type": "function", "function": function}]
    else:
        message["content"] = f'<{tool} amount="{amount["amount"]}"/>' if amount else f"<{tool}/>"
    reason = "tool_calls" if body.get("tools") else "stop"
    return completion(message, reason)


def completion(message: dict[str, Any], reason: str) -> dict[str, Any]:
    choice = {"index": 0, "message": message, "finish_reason": reason}
    usage = {"prompt_tokens": 50, "completion_tokens": 5, "total_tokens": 55}
    return {
        "id": "x",
        "object": "chat.completion",
        "model": "real",
        "choices": [choice],
        "usage": usage,
    }


class Server(ThreadingHTTPServer):
    """``asked`` has the bodies of all requests by model, and ``refused`` which of them were."""

    daemon_threads = True
    request_queue_size = 256  # all episodes connect at once

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Connection)
        self.asked: dict[str, list[dict[str, Any]]] = defaultdict(list)
        self.refused: dict[str, list[int]] = defaultdict(list)
        self.times: dict[str, list[float]] = defaultdict(list)
        self.connections = 0
        self.over = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


class Connection(BaseHTTPRequestHandler):
    """One connection: the model's name says how it is answered."""

    server: Server
    protocol_version = "HTTP/1.1"

    def setup(self) -> None:
        self.server.connections += 1
        super().setup()

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if not self.path.endswith("/chat/completions"):
            return self.refuse(404, {"error": {"message": "no such route"}})
        if self.headers.get("X-Episode") == "preflight":
            return self.answer(completion({"role": "assistant", "content": "x"}, "length"))
        model, seen = body["model"], self.server.asked[body["model"]]
        self.server.times[model].append(time.monotonic())
        self.model, number = model, len(seen)
        seen.append(body)
        turns = sum(message["role"] == "assistant" for message in body["messages"])
        if model in PASSING and number in (0, 2):
            status, headers = PASSING[model]
            return self.refuse(status, {"error": {"message": "try again"}}, headers)
        if model in FULL | OTHER and turns == 1:
            return self.refuse(*(FULL | OTHER)[model])
        if model in BAD_JSON and turns == 1:
            return self.send(200, BAD_JSON[model][1], {"Content-Type": BAD_JSON[model][0]})
        return getattr(self, model.replace("-", "_"), self.fine)(body, number, turns)

    def fine(self, body: dict[str, Any], number: int, turns: int) -> None:
        """Add one at a time."""
        self.answer(said(body, "add"))

    def denied_once(self, body: dict[str, Any], number: int, turns: int) -> None:
        if number == 0:
            return self.refuse(401, {"error": {"message": "no such key yet"}})
        return self.fine(body, number, turns)

    def full_at_once(self, body: dict[str, Any], number: int, turns: int) -> None:
        self.refuse(*FULL["full-vllm"])

    def broken(self, body: dict[str, Any], number: int, turns: int) -> None:
        if turns:
            return self.refuse(500, "<html>500</html>")
        return self.fine(body, number, turns)

    def error_inside(self, body: dict[str, Any], number: int, turns: int) -> None:
        """An error with status 200, as some routers give it, that passes."""
        if number == 1:
            return self.answer({"error": {"message": "overloaded", "code": 529}})
        return self.fine(body, number, turns)

    def drops(self, body: dict[str, Any], number: int, turns: int) -> None:
        if number == 1:
            self.close_connection = True
            self.connection.close()
            return
        self.fine(body, number, turns)

    def drops_amid(self, body: dict[str, Any], number: int, turns: int) -> None:
        """The connection ends within an answer."""
        if number == 1:
            self.send_response(200)
            self.send_header("Content-Length", "5000")
            self.end_headers()
            self.wfile.write(b'{"choices": [')
            self.close_connection = True
            return
        self.fine(body, number, turns)

    def no_thought(self, body: dict[str, Any], number: int, turns: int) -> None:
        """Gives what it thinks, and does not take it back."""
        for at, message in enumerate(body["messages"]):
            if "reasoning_content" in message:
                where = {
                    "type": "extra_forbidden",
                    "loc": ["body", "messages", at, "assistant", "reasoning_content"],
                }
                return self.refuse(
                    422, {"detail": [{**where, "msg": "Extra inputs are not permitted"}]}
                )
        return self.answer(said(body, "add", reasoning_content="I think."))

    def renames(self, body: dict[str, Any], number: int, turns: int) -> None:
        if "max_tokens" in body:
            text = (
                "Unsupported parameter: 'max_tokens' is not supported with this model. Use "
                "'max_completion_tokens' instead."
            )
            return self.refuse(400, {"error": {"message": text, "param": "max_tokens"}})
        return self.fine(body, number, turns)

    def roles(self, body: dict[str, Any], number: int, turns: int) -> None:
        """Takes no user after a tool, as Mistral's API."""
        roles = [message["role"] for message in body["messages"]]
        if "tool user" in " ".join(roles):
            return self.refuse(
                400, {"message": "Unexpected role 'user' after role 'tool'", "code": "3230"}
            )
        return self.answer(said(body, "picture" if turns == 0 else "add", amount=3))

    def cut(self, body: dict[str, Any], number: int, turns: int) -> None:
        if turns == 1:
            return self.answer(completion({"role": "assistant", "content": "I would"}, "length"))
        return self.fine(body, number, turns)

    def halves(self, body: dict[str, Any], number: int, turns: int) -> None:
        """Half of a surrogate pair wherever a reply has text."""
        tool = ("halves", "refuse", "add")[turns] if turns < 3 else "crash"
        reply = said(body, tool)
        message = reply["choices"][0]["message"]
        message["reasoning_content"] = "\ud83d thought"
        reply["model"] = "real\ud83d"
        message["content"] = f"{message['content'] or ''} \ude00"
        for call in message.get("tool_calls", ()):
            call["id"] = "\ud83d"
            if turns == 2:
                call["function"]["name"] = "ad\ud83d"
        self.answer(reply)

    def half_arguments(self, body: dict[str, Any], number: int, turns: int) -> None:
        """Escaped in the arguments, which are text; and where actions are text."""
        reply = said(body, "add", amount=3)
        message = reply["choices"][0]["message"]
        if turns == 0:
            if body.get("tools"):
                message["tool_calls"][0]["function"]["arguments"] = '{"amount": "\\ud83d"}'
            else:
                message["content"] = (
                    '<tool_call>{"name": "add", "arguments": {"amount": "\\ud83d"}}</tool_call>'
                )
        self.answer(reply)

    def mute(self, body: dict[str, Any], number: int, turns: int) -> None:
        self.server.over.wait()

    def slow(self, body: dict[str, Any], number: int, turns: int) -> None:
        if turns == 2:
            self.server.over.wait()
        else:
            self.fine(body, number, turns)

    def busy_for_long(self, body: dict[str, Any], number: int, turns: int) -> None:
        if turns:
            refusal = {"error": {"message": "too many requests"}}
            return self.refuse(429, refusal, {"Retry-After": "30"})
        return self.fine(body, number, turns)

    def busy_then_mute(self, body: dict[str, Any], number: int, turns: int) -> None:
        if number == 1:
            return self.refuse(503, {"error": {"message": "loading"}})
        return self.mute(body, number, turns) if turns else self.fine(body, number, turns)

    def stuck_world(self, body: dict[str, Any], number: int, turns: int) -> None:
        self.answer(said(body, "add" if turns == 0 else "hang"))

    def answer(self, reply: dict[str, Any]) -> None:
        self.send(200, json.dumps(reply), {"Content-Type": "application/json"})

    def refuse(self, status: int, body: Any, headers: Mapping[str, str] = {}) -> None:
        if hasattr(self, "model"):
            self.server.refused[self.model].append(status)
        text = body if isinstance(body, str) else json.dumps(body)
        kind = "text/html" if isinstance(body, str) else "application/json"
        self.send(status, text, {"Content-Type": kind, **headers})

    def send(self, status: int, text: str, headers: Mapping[str, str]) -> None:
        data = text.encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self) -> None:
        self.refuse(404, {"error": {"message": "no such route"}})

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def serving() -> Iterator[Server]:
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server
        finally:
            server.over.set()
            server.shutdown()
            thread.join()
