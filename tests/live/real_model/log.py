"""What stands before a model server and writes down every request and every reply, as they were.

One JSON line an exchange: `at` (seconds since 1970 when the request came), `seconds` (until the
server's answer was there), `method`, `path`, `headers` and `request` (text), `status` and `reply`
(text), `left` (true if whoever asked was gone before the reply). It reads nothing of what it passes.
"""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

NOT_PASSED = {"connection", "keep-alive", "transfer-encoding", "content-length", "host", "date"}
NOT_PASSED |= {"server"}
CHUNK = 1 << 16


class Before(ThreadingHTTPServer):
    """The proxy; ending it waits for every exchange that is under way, so the log is whole then."""

    daemon_threads = False
    request_queue_size = 256  # all episodes connect at once

    def __init__(self, upstream: str, log: Path) -> None:
        super().__init__(("127.0.0.1", 0), Exchange)
        self.upstream = upstream
        self.log = log
        self.lock = threading.Lock()

    def write(self, line: dict[str, Any]) -> None:
        """Add one exchange to the log."""
        with self.lock, self.log.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")


class Exchange(BaseHTTPRequestHandler):
    """One request and its reply; each has a connection of its own."""

    server: Before

    def do_GET(self) -> None:
        self._pass_on(b"")

    def do_POST(self) -> None:
        self._pass_on(self.rfile.read(int(self.headers.get("Content-Length") or 0)))

    def _pass_on(self, body: bytes) -> None:
        line: dict[str, Any] = {"at": time.time(), "method": self.command, "path": self.path}
        line |= {"headers": dict(self.headers), "request": body.decode(errors="replace")}
        started = time.monotonic()
        there = urlsplit(self.server.upstream)
        # No limit: how long a model may take is for who asks.
        link = http.client.HTTPConnection(there.hostname or "", there.port or 80)
        headers = {k: v for k, v in self.headers.items() if k.lower() not in NOT_PASSED}
        reply = b""
        try:
            link.request(self.command, self.path, body, headers)
            answer = link.getresponse()
            line["status"] = answer.status
            self.send_response_only(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in NOT_PASSED:
                    self.send_header(name, value)
            if answer.length is not None:
                self.send_header("Content-Length", str(answer.length))
            self.end_headers()
            while part := answer.read1(CHUNK):
                reply += part
                self.wfile.write(part)
        except (BrokenPipeError, ConnectionResetError):
            line["left"] = True
        except (OSError, http.client.HTTPException) as error:
            line["broke"] = repr(error)
        finally:
            link.close()
        line |= {"seconds": time.monotonic() - started, "reply": reply.decode(errors="replace")}
        self.server.write(line)

    def log_message(self, *_: object) -> None:
        """Say nothing: the log is a file."""


@contextmanager
def logging(upstream: str, log: Path) -> Iterator[str]:
    """The address of what passes everything on to `upstream` and logs it."""
    log.touch()
    with Before(upstream, log) as before:
        thread = threading.Thread(target=before.serve_forever, name="log")
        thread.start()
        try:
            yield f"http://127.0.0.1:{before.server_port}"
        finally:
            before.shutdown()
            thread.join()
