"""Safe output: text cannot control the terminal, and closing the output does not stop the program's work."""

from __future__ import annotations

import errno
import io
import os
import re
import select
import sys
from typing import Any

LONGEST = 4_000
"""Maximum characters of a text in output: GitHub cuts an annotation at 4 kB."""
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff]"
)
"""Characters that XML cannot hold, that move the cursor or change a line's direction, and lone surrogates."""


def visible(text: str, most: int = LONGEST) -> str:
    r"""Return at most ``most`` characters of a text, with invisible characters as escapes such as ``\x1b``.

    All line endings become line feeds, and tabs are kept.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    shown = _UNSEEN.sub(lambda found: found[0].encode("unicode_escape").decode(), lines)
    left = len(shown) - most
    return shown if left <= 0 else f"{shown[:most]} ... [{left} more characters]"


def one_line(text: str, most: int = LONGEST) -> str:
    """Return the text of ``visible`` on one line, with each run of whitespace as one space."""
    return " ".join(visible(text, most).split())


class Patient(io.FileIO):
    """A file that accepts all writes. Data is dropped once the file can no longer be written.

    `| head` therefore ends only the output; it affects neither the program's work nor the exit code. ``failure``
    is the error that ended the output.
    """

    failure: OSError | None = None

    def write(self, data: Any) -> int:
        """Write or drop the data. Return the length of the data in both cases."""
        while self.failure is None:
            try:
                written = super().write(data)
                if written is not None:
                    return written
                select.select([], [self], [])  # another process made it non-blocking
            except OSError as error:
                self.failure = error
        return len(data)


def make_patient() -> None:
    """Replace standard output and standard error by ``Patient`` files.

    Characters that the encoding cannot represent are printed as escape codes.
    """
    for name in ("stdout", "stderr"):
        old = getattr(sys, name)
        if old is None:  # closed by the parent process
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123
            continue
        try:
            raw = Patient(old.fileno(), "w", closefd=False)
        except (OSError, ValueError):  # not a real file, as in tests
            continue
        old.flush()
        how = {"encoding": old.encoding, "errors": "backslashreplace"}
        new = io.TextIOWrapper(io.BufferedWriter(raw), line_buffering=old.line_buffering, **how)
        setattr(sys, name, new)


def lost() -> str:
    """Return the reason why the output is incomplete, or "" if it is complete or was closed by its reader."""
    sys.stdout.flush()
    raw = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    failure = raw.failure if isinstance(raw, Patient) else None
    if failure is None or failure.errno == errno.EPIPE:
        return ""
    return f"the output is not complete: {failure.strerror}"
