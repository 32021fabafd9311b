"""A running cell or command: its results so far, and the conditions under which it is stopped."""

import os
import selectors
import socket
import time
from collections.abc import Callable
from typing import Any

GRACE = 3.0
"""Seconds that an interrupted cell has to stop before its kernel is killed."""
KEPT = 200
"""Bytes that each output counts for, in addition to the bytes of its text."""
LARGEST_ERROR = 20_000
"""Maximum bytes of an error to keep once no other output is kept."""
LOOK = 0.05
"""Seconds between counts of the processes: a fork bomb makes thousands in one second."""


class Closed(Exception):
    """Raised because the server closed the connection."""


class Lost(Exception):
    """Raised, with the reason, because the session's processes are gone or must be ended."""


class Run:
    """The outputs of a cell or command in order of arrival, as in a notebook, with at most `most` bytes.

    Attributes:
        done: None while the program runs, then a message that says how the program ended.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.size = 0
        self.done: dict[str, Any] | None = None
        self._outputs: list[dict[str, Any]] = []
        self._identities: list[Any] = []
        self._stopped = False

    @property
    def full(self) -> bool:
        """Whether the outputs exceeded the limit."""
        return self.size > self.most

    def add_text(self, name: str, data: bytes) -> None:
        """Add printed text. If the last output came from the same stream, append the text to it."""
        data = data[: max(0, self.most - self.size)]
        self.size += len(data) or 1  # text beyond the limit makes it full
        if data:
            last = self._outputs[-1] if self._outputs else {}
            if last.get("name") != name:
                self.size += KEPT
                self._append({"output_type": "stream", "name": name, "parts": []})
            self._outputs[-1]["parts"].append(data)

    def add(self, output: dict[str, Any], identity: Any = None, update: bool = False) -> None:
        """Add an output of displayed data, or replace the earlier output that it updates."""
        output, size = _text_only(output)
        self.size += size + KEPT
        if self.full:
            # The reason for stopping the cell is also reported once.
            if self._stopped or output["output_type"] != "error" or size > LARGEST_ERROR:
                return
            self._stopped = True
        if not update:
            self._append(output, identity)
            return
        for place, known in enumerate(self._identities):
            if known is not None and known == identity:
                self._outputs[place] = output

    def clear(self) -> None:
        """Discard the outputs, as clear_output() requests."""
        self._outputs, self._identities = [], []

    def outputs(self) -> list[dict[str, Any]]:
        """Return the outputs, with printed bytes as text."""
        for output in self._outputs:
            if "parts" in output:
                output["text"] = b"".join(output.pop("parts")).decode("utf-8", "replace")
        return self._outputs

    def _append(self, output: dict[str, Any], identity: Any = None) -> None:
        self._outputs.append(output)
        self._identities.append(identity)


def _text_only(output: dict[str, Any]) -> tuple[dict[str, Any], int]:
    """Return an output that contains only text, whatever the kernel sent, and the output's size in bytes."""
    kind = output["output_type"]
    if kind == "error":
        lines = [str(line) for line in output["traceback"]]
        error = {"ename": str(output["ename"]), "evalue": str(output["evalue"]), "traceback": lines}
        return {"output_type": kind, **error}, _bytes(*lines, error["ename"], error["evalue"])
    data = {str(form): str(value) for form, value in output["data"].items()}
    found = {"output_type": "display_data", "data": data, "metadata": {}}
    if kind == "execute_result":
        number = {"execution_count": int(output["execution_count"])}
        found = {**found, "output_type": kind, **number}
    return found, _bytes(*data, *data.values())


def _bytes(*texts: str) -> int:
    return sum(len(text.encode("utf-8", "replace")) for text in texts)


class Pipes:
    """The output pipes of a session. The session's keeper reads them, so that no process is blocked."""

    def __init__(self) -> None:
        self._names: dict[int, str] = {}

    def open(self, name: str) -> int:
        """Create a pipe whose data is read as a stream with this name. Return the pipe's writing end."""
        reading, writing = os.pipe()
        os.set_blocking(reading, False)
        self._names[reading] = name
        return writing

    def descriptors(self) -> list[int]:
        """Return the reading ends of all pipes."""
        return list(self._names)

    def drain(self, run: Run | None) -> list[int]:
        """Read new output into a run, or discard it if there is no run. Return the pipes that have ended."""
        ended = []
        for descriptor, name in list(self._names.items()):
            for _ in range(16):  # not forever: a process may print faster than this reads
                try:
                    data = os.read(descriptor, 1 << 16)
                except BlockingIOError:
                    break
                if not data:
                    self._close(descriptor)
                    ended.append(descriptor)
                    break
                if run:
                    run.add_text(name, data)
        return ended

    def close(self, *descriptors: int) -> None:
        """Stop reading the given pipes, or all pipes if none is given."""
        for descriptor in descriptors or self.descriptors():
            if descriptor in self._names:
                self._close(descriptor)

    def _close(self, descriptor: int) -> None:
        del self._names[descriptor]
        os.close(descriptor)


def watch(
    run: Run,
    *,
    server: socket.socket,
    pipes: Pipes,
    source: socket.socket | int,
    take: Callable[[], None],
    stop: Callable[[], None],
    look: Callable[[], str],
    seconds: float,
) -> str:
    """Collect a run's outputs until the run is done. Return the reason why it was stopped, or "".

    Raises Lost if the session exceeds a limit, and if a stopped run is not done within GRACE seconds. Raises
    Closed if the server closes the connection.

    Args:
        take: Called when `source` is ready. Its last call sets `run.done`.
        stop: Called after `seconds`, or if the run has printed too much.
        look: Returns the limit that the session exceeds, or "".
    """
    note, deadline, looked = "", time.monotonic() + seconds, time.monotonic()
    with selectors.DefaultSelector() as watched:
        for each in (server, source, *pipes.descriptors()):
            watched.register(each, selectors.EVENT_READ)
        while True:
            ready = [key.fileobj for key, _ in watched.select(LOOK)]
            if server in ready:
                raise Closed
            # Output printed before a message precedes it.
            for ended in pipes.drain(run):
                watched.unregister(ended)
            if source in ready:
                take()
            if run.done:
                return note
            now = time.monotonic()
            if now - looked >= LOOK:
                looked = now
                if problem := look():
                    raise Lost(problem)
            if note and now > deadline:
                raise Lost(f"{note}, and was still running {GRACE:g} s later")
            if not note and (run.full or now > deadline):
                printed = f"after printing {run.most >> 20} MB"
                note = f"stopped {printed if run.full else f'after {seconds:g} s'}"
                deadline = now + GRACE
                stop()
