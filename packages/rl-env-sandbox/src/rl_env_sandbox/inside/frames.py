"""Messages over a stream socket: four bytes with the length, then JSON. Bytes are encoded as base64."""

import base64
import json
import socket
import struct
from typing import Any

LONGEST = 64 * 1024 * 1024
"""Maximum bytes of one message; a longer one is treated as an attack on its reader."""


class Broken(Exception):
    """Raised because the other end of the socket is gone or violates the protocol."""


def send(stream: socket.socket, message: dict[str, Any]) -> None:
    """Send a complete message."""
    data = json.dumps(message).encode("utf-8", "surrogatepass")
    stream.sendall(struct.pack("!I", len(data)) + data)


def receive(stream: socket.socket, longest: int = LONGEST) -> dict[str, Any]:
    """Return the next message. Raise Broken at the end of the stream.

    Raises TimeoutError if the socket has a time limit and no complete message arrives in time.
    """
    return _parsed(_exactly(stream, _length(_exactly(stream, 4), longest)))


class Inbox:
    """Messages from a peer that may never finish a message. Reading does not block."""

    def __init__(self, stream: socket.socket, longest: int) -> None:
        self._stream = stream
        self._longest = longest
        self._data = bytearray()

    def take(self) -> dict[str, Any] | None:
        """Return the next message, or None if it is incomplete. Raise Broken as `receive` does."""
        while True:
            size = 4
            if len(self._data) >= size:
                size += _length(self._data[:4], self._longest)
                if len(self._data) == size:
                    data, self._data = self._data[4:], bytearray()
                    return _parsed(data)
            wanted = min(size - len(self._data), 1 << 20)
            try:
                chunk = self._stream.recv(wanted, socket.MSG_DONTWAIT)
            except BlockingIOError:
                return None
            except ConnectionError as error:
                raise Broken("the connection was reset") from error
            if not chunk:
                raise Broken("the connection ended")
            self._data += chunk


def _length(head: bytes, longest: int) -> int:
    (length,) = struct.unpack("!I", head)
    if length > longest:
        raise Broken(f"a message of {length} bytes")
    return length


def _parsed(data: bytes) -> dict[str, Any]:
    try:
        found = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise Broken("a message that is not JSON") from error
    if not isinstance(found, dict):
        raise Broken("a message that is not an object")
    return found


def _exactly(stream: socket.socket, length: int) -> bytes:
    chunks = []
    while length:
        try:
            chunk = stream.recv(min(length, 1 << 20))
        except ConnectionError as error:
            raise Broken("the connection was reset") from error
        if not chunk:
            raise Broken("the connection ended")
        chunks.append(chunk)
        length -= len(chunk)
    return b"".join(chunks)


def encoded(data: bytes) -> str:
    """Return bytes as text for a message."""
    return base64.b64encode(data).decode("ascii")


def decoded(text: str) -> bytes:
    """Return bytes from the text of a message."""
    return base64.b64decode(text)
