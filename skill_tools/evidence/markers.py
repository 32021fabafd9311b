"""Markers that programs of a probe print, and limits that words promise."""

from __future__ import annotations

import re

MARK = "SNOOPED"


SPELT = "SNO", "OPED"
"""The same in two parts, as scripts have it."""


ASKED = "question"
"""How a file is said to hold what the prompt asks."""


_LIMIT = re.compile(
    r"(?:stopped|killed|cut off|interrupted|ends?|times? out|limit\w*|timeout)\D{0,40}?(\d+) ?s(?:ec|\b)"
    r"|(\d+)[- ]?s(?:ec\w*)? (?:limit|timeout|time limit|each|per)",
    re.IGNORECASE,
)


def promised_seconds(text: str) -> int:
    """After how many seconds a program is stopped, as words say; 0 if they do not."""
    found = _LIMIT.search(text)
    return int(found[1] or found[2]) if found else 0
