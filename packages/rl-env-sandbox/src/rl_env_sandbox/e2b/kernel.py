"""Cells in a cloud sandbox: the kernel's setup, and the results of a running cell.

E2B's server forwards only a part of the kernel's messages, and its template changes how values are shown.
`set_up_code` makes results the same as those of the backend `local`.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .. import HOME

COLOURS = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")
BROKEN = {"ContextRestarting", "WebSocketError", "UnexpectedEndOfExecution", "ExecutionAborted"}
"""Errors that E2B's server reports about its own kernel; they have no traceback."""
KINDS = {
    "text": "text/plain",
    "html": "text/html",
    "markdown": "text/markdown",
    "svg": "image/svg+xml",
    "png": "image/png",
    "jpeg": "image/jpeg",
    "pdf": "application/pdf",
    "latex": "text/latex",
    "json": "application/json",
    "javascript": "application/javascript",
}
"""E2B's names for the forms of a value, and their MIME types."""

SET_UP = """\
def _set_up(home, seed, variables, packages):
    import importlib.metadata
    import json
    import os
    import pwd
    import random

    from IPython.core.formatters import JSONFormatter

    os.chdir(home)
    os.environ.update(variables, HOME=home)
    random.seed(seed)
    try:
        import numpy
    except ImportError:
        pass
    else:
        numpy.random.seed(seed % 2**32)

    shell = get_ipython()
    formatters = shell.display_formatter.formatters
    # The template sends the whole of a table along with the few rows that are shown.
    for kind in [kind for kind in formatters if kind.startswith("e2b/")]:
        del formatters[kind]
    formatters["application/json"] = JSONFormatter(parent=shell.display_formatter)
    if "original_save" in shell.user_ns:  # the template shows every image that is saved
        shell.user_ns["Image"].save = shell.user_ns["original_save"]
    plain = formatters["text/plain"]
    plain.max_seq_length = 1000

    class Plain(type(plain)):
        def __call__(self, value):
            text = super().__call__(value)
            # The server takes the first and last quote off.
            quoted = text and text[0] == text[-1] and text[0] in "'\\""
            return f"'{text}'" if quoted else text

    plain.__class__ = Plain
    # The server runs the parts of a traceback together.
    tell = shell._showtraceback
    shell._showtraceback = lambda kind, value, parts: tell(kind, value, ["\\n".join(parts)])

    missing = []
    for package in packages:
        try:
            importlib.metadata.distribution(package)
        except importlib.metadata.PackageNotFoundError:
            missing.append(package)
    try:
        user = pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        user = None
    print(json.dumps({"pid": os.getpid(), "user": user, "missing": missing}))
    shell.user_ns.pop("_set_up", None)
    shell.history_manager.enabled = False  # it writes to disk, and wants each number once
    shell.history_manager.reset(new_session=True)
    shell.history_manager.input_hist_parsed[:] = shell.history_manager.input_hist_raw[:] = [""]
    shell.execution_count -= 1


"""

PROBE = """\
get_ipython().history_manager.input_hist_parsed.pop()
get_ipython().history_manager.input_hist_raw.pop()
get_ipython().execution_count -= 1
"""
"""A cell that shows whether a kernel responds; it is not counted."""


def set_up_code(seed: int, variables: Mapping[str, str], packages: Sequence[str]) -> str:
    """Return the code of a kernel's first cell, which prints a JSON object with `pid`, `user` and `missing`."""
    names = [re.split(r"[^\w.-]", package.strip())[0] for package in packages]
    options = {"home": HOME, "seed": seed, "variables": dict(variables), "packages": names}
    return f"{SET_UP}_set_up(**__import__('json').loads({json.dumps(options)!r}))\n"


class GoesOn(Exception):
    """Raised when an interrupted cell is still printing after its grace period."""


class Cell:
    """A running cell: its outputs so far, the reason to stop it, and the means to stop it."""

    def __init__(self, most: int, grace: float, interrupt: Callable[[], bool]) -> None:
        """Collect up to `most` characters of output. A stopped cell gets `grace` seconds to end."""
        self.outputs: list[dict[str, Any]] = []
        self.reason = ""
        self.broken = False
        self.interrupted = False
        self._most = most
        self._size = 0
        self._grace = grace
        self._until = 0.0
        self._interrupt = interrupt
        self._lock = threading.Lock()

    @property
    def flooded(self) -> bool:
        """Whether the cell exceeded its output limit."""
        return self._size > self._most

    @property
    def failed(self) -> bool:
        """Whether the cell raised an exception."""
        return any(output["output_type"] == "error" for output in self.outputs)

    def stop(self, reason: str) -> None:
        """Interrupt the cell, unless it has already been interrupted."""
        with self._lock:
            if not self.reason:
                self.reason = reason
                self.interrupted = self._interrupt()
                self._until = time.monotonic() + self._grace

    def stop_again(self) -> None:
        """Interrupt a stopped cell again if it continues, because an interrupt during printing may be lost."""
        with self._lock:
            if self.reason:
                self._interrupt()

    def add_text(self, name: str, text: str) -> None:
        """Add printed text. If the last output came from the same stream, append the text to it."""
        kept = text[: max(0, self._most - self._size)]
        if kept:
            last = self.outputs[-1] if self.outputs else {}
            if last.get("name") != name:
                self.outputs.append({"output_type": "stream", "name": name, "text": ""})
            self.outputs[-1]["text"] += kept
        self._room(len(text))

    def add_result(self, result: Any) -> None:
        """Add a displayed value."""
        data = {kind: getattr(result, name) for name, kind in KINDS.items()}
        data = {kind: value for kind, value in data.items() if value is not None}
        data |= result.extra or {}
        if self._room(sum(len(str(value)) for value in data.values())):
            kind = "execute_result" if result.is_main_result else "display_data"
            self.outputs.append({"output_type": kind, "data": data, "metadata": {}})

    def add_error(self, error: Any) -> None:
        """Add an exception."""
        name, value, traceback = error.name or "", error.value or "", error.traceback or ""
        if name in BROKEN and not traceback:
            self.broken = True
            return
        lines = COLOURS.sub("", traceback[: self._most]).split("\n")
        raised = {"ename": name, "evalue": value[: self._most], "traceback": lines}
        self.outputs.append({"output_type": "error", **raised})
        self._room(len(traceback))

    def add_interrupt(self) -> None:
        """Add the exception for an interrupt if no exception has arrived."""
        name = "KeyboardInterrupt"
        if not self.failed:
            raised = {"ename": name, "evalue": "", "traceback": [name]}
            self.outputs.append({"output_type": "error", **raised})

    def number(self, count: int | None) -> None:
        """Set the number of the last expression's value. E2B sends this number last."""
        for output in self.outputs:
            if output["output_type"] == "execute_result":
                output["execution_count"] = count

    def _room(self, size: int) -> bool:
        """Count the size of more output. Return whether to keep that output."""
        self._size += size
        if self.flooded:
            self.stop(f"stopped after printing {self._most // 2**20} MB")
        if self._until and time.monotonic() > self._until:
            raise GoesOn
        return not self.flooded


class Watch:
    """Timers that stop a cell when its time is up, and interrupt it again if it continues."""

    def __init__(self, cell: Cell, seconds: float, grace: float) -> None:
        """Start a timer for `seconds`, and a second timer for most of the cell's `grace` period after that."""
        stop = threading.Timer(seconds, cell.stop, [f"stopped after {seconds:g} s"])
        self._timers = [stop, threading.Timer(seconds + grace * 2 / 3, cell.stop_again)]
        for timer in self._timers:
            timer.daemon = True
            timer.start()

    def end(self) -> None:
        """Stop watching the cell. If an interrupt is in progress, wait for it."""
        for timer in self._timers:
            timer.cancel()
            timer.join()
