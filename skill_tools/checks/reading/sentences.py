"""The sentences of the texts that an agent receives."""

from __future__ import annotations

import re

from skill_tools.spec.model import PLACEHOLDER

WRAPPED = 50
"""Minimum length of a line whose sentence may continue on the next one."""
_LISTED = re.compile(r"^(?:[-*\u2022]|\d+[.)])\s+")
_FILLED = "\0"
"""Where a placeholder was."""
_ENDS = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"'`(\d])")


def sentences(text: str) -> list[str]:
    """Return the sentences of a text, without list markers and placeholders.

    The end of a line ends a sentence, unless the line is long enough to have been wrapped. A placeholder always
    ends a sentence.
    """
    parts, wrapped = [""], False
    for piece in PLACEHOLDER.sub(f"{_FILLED}\n", text).splitlines():
        line = piece.rstrip(_FILLED).strip()
        bare = _LISTED.sub("", line)
        if wrapped and bare == line:
            parts[-1] += f" {line}"
        else:
            parts.append(bare)
        wrapped = len(line) >= WRAPPED and line[-1] not in ".!?:" and not piece.endswith(_FILLED)
    said = [" ".join(sentence.split()) for part in parts for sentence in _ENDS.split(part)]
    return [sentence for sentence in said if any(map(str.isalnum, sentence))]
