"""A small HTTP/1.1 server on loopback, in which one function answers every request.

h11 (a dependency of httpx) implements the protocol, and asyncio holds the connections in its own thread. The server
needs no web framework, and therefore a build does not need one either. There are no timeouts: a connection stays open
until its client or the server ends.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import h11

LONGEST_HEAD = 64 * 1024
"""Maximum bytes of a request's first line and headers, which may contain an episode's label."""
WAITING = 4096
"""Maximum connections waiting to be accepted: a thousand rollouts start at once."""
SECONDS = 60.0
"""Seconds for the thread to start listening, which takes a millisecond unless the machine is busy."""
END_SECONDS = 5.0
"""Seconds to wait at the end for an answer that is still being written."""


@dataclass(frozen=True)
class HttpRequest:
    """A complete request, with the path without its query, and the headers by lower-case name."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class HttpAnswer:
    """A response with a text, or with several texts, which are sent as a stream."""

    text: str | Iterable[str]
    status: int = 200
    kind: str = "application/json"


class Loopback:
    """A server that answers each request by calling ``answer``, between ``open`` and ``close``.

    Exceptions are logged and answered with status 500.
    """

    def __init__(self, answer: Callable[[HttpRequest], HttpAnswer]) -> None:
        self._answer = answer
        self._open: set[_Conversation] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def open(self) -> str:
        """Start listening on a free port and return the address, such as http://127.0.0.1:PORT."""
        listener = socket.socket()
        listener.bind(("127.0.0.1", 0))
        start = self._loop.create_server(
            lambda: _Conversation(self._answer, self._open), sock=listener, backlog=WAITING
        )
        self._thread.start()
        self._server = asyncio.run_coroutine_threadsafe(start, self._loop).result(SECONDS)
        return f"http://127.0.0.1:{listener.getsockname()[1]}"

    def close(self) -> None:
        """Stop the server, and end every connection."""
        self._loop.call_soon_threadsafe(self._end)
        self._thread.join(END_SECONDS)
        if not self._thread.is_alive():
            self._loop.close()

    def _end(self) -> None:
        self._server.close()
        for conversation in self._open:
            conversation.transport.abort()
        # One round later, after the connections have learned that they are lost.
        self._loop.call_soon(self._loop.call_soon, self._loop.stop)


class _Conversation(asyncio.Protocol):
    """One connection, whose requests are answered one by one."""

    transport: asyncio.Transport

    def __init__(
        self, answer: Callable[[HttpRequest], HttpAnswer], conversations: set[_Conversation]
    ) -> None:
        self._answer = answer
        self._all = conversations
        self._http = h11.Connection(h11.SERVER, LONGEST_HEAD)
        self._head: h11.Request | None = None
        self._body = bytearray()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Register the new connection."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self._all.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Remove the connection, without logging an error, because a rollout may stop during a request."""
        self._all.discard(self)

    def data_received(self, data: bytes) -> None:
        """Answer the requests that are now complete."""
        self._http.receive_data(data)
        try:
            while self._went_on():
                pass
        except h11.RemoteProtocolError as error:
            if self._http.our_state in (h11.IDLE, h11.SEND_RESPONSE):
                self._send(HttpAnswer(f"{error}\n", error.error_status_hint, "text/plain"))
            self.transport.close()

    def _went_on(self) -> bool:
        """Process the next event; return False if more data are needed or the connection is over."""
        event = self._http.next_event()
        if event is h11.NEED_DATA:
            if self._http.they_are_waiting_for_100_continue:
                self._write(h11.InformationalResponse(status_code=100, headers=[]))
            return False
        if isinstance(event, h11.Request):
            self._head, self._body = event, bytearray()
        elif isinstance(event, h11.Data):
            self._body += event.data
        elif isinstance(event, h11.EndOfMessage):
            self._send(self._answered())
            if self._http.our_state is not h11.DONE:
                self.transport.close()
                return False
            self._http.start_next_cycle()
        return not isinstance(event, h11.ConnectionClosed)

    def _answered(self) -> HttpAnswer:
        assert self._head is not None
        headers = {
            name.decode("latin-1"): value.decode("latin-1") for name, value in self._head.headers
        }
        path = self._head.target.decode("latin-1").partition("?")[0]
        method = self._head.method.decode("latin-1")
        try:
            return self._answer(HttpRequest(method, path, headers, bytes(self._body)))
        except Exception:
            logging.getLogger(__name__).exception("%s %s", method, path)
            return HttpAnswer("Internal Server Error\n", 500, "text/plain")

    def _send(self, answer: HttpAnswer) -> None:
        kind = ("content-type", answer.kind)
        whole = [answer.text.encode()] if isinstance(answer.text, str) else None
        length = (
            ("content-length", str(len(whole[0]))) if whole else ("transfer-encoding", "chunked")
        )
        self._write(h11.Response(status_code=answer.status, headers=[kind, length]))
        for part in whole or (text.encode() for text in answer.text):
            self._write(h11.Data(data=part))
        self._write(h11.EndOfMessage())

    def _write(self, event: h11.Event) -> None:
        if data := self._http.send(event):
            self.transport.write(data)
