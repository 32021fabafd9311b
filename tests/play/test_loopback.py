"""The server on loopback, asked byte by byte: what HTTP/1.1 lets a client do."""

from __future__ import annotations

import logging
import re
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from skill_tools.policies.loopback import LONGEST_HEAD, HttpAnswer, HttpRequest, Loopback

SOON = 20.0
"""Seconds, of which a few milliseconds are enough."""


def said(request: HttpRequest) -> HttpAnswer:
    """What was asked, told back; or a stream, or a defect."""
    if request.path == "/stream":
        return HttpAnswer((f"part {number}\n" for number in range(3)), kind="text/plain")
    if request.path == "/defect":
        raise ValueError("no answer")
    label = request.headers.get("x-label", "")
    return HttpAnswer(
        f"{request.method} {request.path} {label} {len(request.body)}", kind="text/plain"
    )


@pytest.fixture
def address() -> Iterator[str]:
    server = Loopback(said)
    yield server.open()
    server.close()


@pytest.fixture
def raw(address: str) -> Iterator[socket.socket]:
    """A connection on which a test writes what it likes."""
    host, _, port = address.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=SOON) as made:
        yield made


def until(raw: socket.socket, end: bytes) -> bytes:
    """What comes, up to some bytes, or all where the connection is closed before."""
    found = b""
    while not found.endswith(end) and (more := raw.recv(65536)):
        found += more
    return found


def test_a_request_comes_whole_however_it_is_cut(raw: socket.socket) -> None:
    body = b"x" * 300_000
    head = b"POST /a?b=c HTTP/1.1\r\nHost: a\r\nX-Label: d\r\nContent-Length: 300000\r\n\r\n"
    for part in (head[:20], head[20:], body[:1], body[1:]):
        raw.sendall(part)
    assert until(raw, b"300000").endswith(b"\r\n\r\nPOST /a d 300000")
    # The connection stays, also for a body in chunks.
    raw.sendall(b"POST /b HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
    raw.sendall(b"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
    assert until(raw, b"POST /b  5").startswith(b"HTTP/1.1 200")


def test_requests_sent_at_once_are_answered_in_turn(raw: socket.socket) -> None:
    raw.sendall(b"GET /a HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\n\r\n")
    assert re.findall(rb"GET /\w", until(raw, b"GET /b  0")) == [b"GET /a", b"GET /b"]


def test_a_client_that_asks_whether_to_go_on_is_told(raw: socket.socket) -> None:
    raw.sendall(b"POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
    assert until(raw, b"\r\n\r\n").startswith(b"HTTP/1.1 100")
    raw.sendall(b"ab")
    assert until(raw, b"POST /a  2").startswith(b"HTTP/1.1 200")


def test_a_client_that_wants_the_end_gets_it(raw: socket.socket) -> None:
    raw.sendall(b"GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    assert until(raw, b"GET /a  0")
    assert raw.recv(1) == b""


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"nothing of HTTP\r\n\r\n", b"400"),
        (b"GET /a HTTP/1.1\r\n\r\n", b"400"),
        (b"GET /a HTTP/1.1\r\nX-Label: " + b"y" * (LONGEST_HEAD + 1), b"431"),
    ],
)
def test_what_is_no_request_is_refused(raw: socket.socket, sent: bytes, status: bytes) -> None:
    raw.sendall(sent)
    assert until(raw, b"\0").startswith(b"HTTP/1.1 " + status)


def test_a_stream_comes_in_its_parts(address: str) -> None:
    with httpx.stream("GET", f"{address}/stream", trust_env=False) as answer:
        assert answer.headers["transfer-encoding"] == "chunked"
        assert answer.read() == b"part 0\npart 1\npart 2\n"


def test_a_defect_is_logged_and_the_next_request_answered(
    address: str, caplog: pytest.LogCaptureFixture
) -> None:
    with httpx.Client(trust_env=False) as client:
        with caplog.at_level(logging.ERROR):
            assert client.get(f"{address}/defect").status_code == 500
        assert "no answer" in caplog.text
        assert client.get(f"{address}/a").text == "GET /a  0"


def test_a_client_that_leaves_amid_a_request_is_nothing_to_tell_of(
    address: str, raw: socket.socket, caplog: pytest.LogCaptureFixture
) -> None:
    raw.sendall(b"POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx")
    raw.close()
    assert httpx.get(f"{address}/a", trust_env=False).text == "GET /a  0"
    assert not caplog.records


def test_many_connections_are_open_at_once_and_end_with_the_server() -> None:
    server = Loopback(said)
    before = threading.active_count()
    host, _, port = server.open().removeprefix("http://").partition(":")
    held = [socket.create_connection((host, int(port)), timeout=SOON) for _ in range(200)]
    ask = b"GET /a HTTP/1.1\r\nHost: a\r\n\r\n"

    def answered(one: socket.socket) -> bool:
        one.sendall(ask)
        return until(one, b"GET /a  0").startswith(b"HTTP/1.1 200")

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(answered, held))
    server.close()
    assert threading.active_count() <= before
    for one in held:
        with one:
            assert closed(one)


def closed(one: socket.socket) -> bool:
    """Whether the other side has ended a connection, in order or not."""
    try:
        return one.recv(1) == b""
    except ConnectionResetError:
        return True
