"""Standard output and error that never fail: what is printed decides nothing of what is done."""

from __future__ import annotations

import errno
import io
import os
import select
import sys
from typing import Any


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
