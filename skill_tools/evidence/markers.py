"""Markers that a probe's programs print, and a function that reads a time limit from a text."""

from __future__ import annotations

import re

MARK = "SNOOPED"


SPELT = "SNO", "OPED"
"""The marker in two parts, as scripts write it."""


ASKED = "question"
"""The label of a file that contains what the prompt asks for."""


_LIMIT = re.compile(
    r"(?:stopped|killed|cut off|interrupted|ends?|times? out|limit\w*|timeout)\D{0,40}?(\d+) ?s(?:ec|\b)"
    r"|(\d+)[- ]?s(?:ec\w*)? (?:limit|timeout|time limit|each|per)",
    re.IGNORECASE,
)


def promised_seconds(text: str) -> int:
    """Return the time limit for programs, in seconds, that a text states; 0 if the text states no limit."""
    found = _LIMIT.search(text)
    return int(found[1] or found[2]) if found else 0
