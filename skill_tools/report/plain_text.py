"""What is printed: no terminal takes a part of a text for a command, and no output that closes ends the work."""

from __future__ import annotations

import errno
import io
import os
import re
import select
import sys
from typing import Any

LONGEST = 4_000
"""Characters of a text that are passed on: GitHub cuts an annotation at 4 kB, and nobody reads more."""
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff]"
)
"""What XML has no place for, what moves a cursor, what turns the direction of a line, halves of characters."""


def visible(text: str, most: int = LONGEST) -> str:
    """The text with what cannot be seen as its escape, such as ``\\x1b``; at most ``most`` characters.

    Lines end with a line feed, and tabs stay.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    shown = _UNSEEN.sub(lambda found: found[0].encode("unicode_escape").decode(), lines)
    left = len(shown) - most
    return shown if left <= 0 else f"{shown[:most]} ... [{left} more characters]"


def one_line(text: str, most: int = LONGEST) -> str:
    """The same, with lines and blanks joined."""
    return " ".join(visible(text, most).split())


class Patient(io.FileIO):
    """A file that takes all it is given: once it cannot be written, the rest is dropped.

    So `| head` ends what is shown, and neither the work nor its exit code. ``failure`` says why.
    """

    failure: OSError | None = None

    def write(self, data: Any) -> int:
        """Write, or drop; the length either way."""
        while self.failure is None:
            try:
                written = super().write(data)
                if written is not None:
                    return written
                select.select([], [self], [])  # whoever shares it made it non-blocking
            except OSError as error:
                self.failure = error
        return len(data)


def make_patient() -> None:
    """Replace standard output and error; what their encoding lacks is printed as its code."""
    for name in ("stdout", "stderr"):
        old = getattr(sys, name)
        if old is None:  # closed by who started us
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123
            continue
        try:
            raw = Patient(old.fileno(), "w", closefd=False)
        except (OSError, ValueError):  # no file: a test's
            continue
        old.flush()
        how = {"encoding": old.encoding, "errors": "backslashreplace"}
        new = io.TextIOWrapper(io.BufferedWriter(raw), line_buffering=old.line_buffering, **how)
        setattr(sys, name, new)


def lost() -> str:
    """Why the output is not complete, where nobody chose to read no further; otherwise nothing."""
    sys.stdout.flush()
    raw = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    failure = raw.failure if isinstance(raw, Patient) else None
    if failure is None or failure.errno == errno.EPIPE:
        return ""
    return f"the output is not complete: {failure.strerror}"
