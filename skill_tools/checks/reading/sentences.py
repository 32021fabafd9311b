"""The sentences of the texts that an agent receives."""

from __future__ import annotations

import re

from skill_tools.spec.model import PLACEHOLDER

WRAPPED = 50
"""Minimum length of a line whose sentence may continue on the next one."""
_LISTED = re.compile(r"^(?:[-*\u2022]|\d+[.)])\s+")
_ENDS = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"'`(\d])")


def sentences(text: str) -> list[str]:
    """Return the sentences of a text, without list markers and placeholders.

    A line ends a sentence, unless it is long enough to have been wrapped.
    """
    parts, wrapped = [""], False
    for line in map(str.strip, PLACEHOLDER.sub("\n", text).splitlines()):
        bare = _LISTED.sub("", line)
        if wrapped and bare == line:
            parts[-1] += f" {line}"
        else:
            parts.append(bare)
        wrapped = len(line) >= WRAPPED and line[-1] not in ".!?:"
    said = [" ".join(sentence.split()) for part in parts for sentence in _ENDS.split(part)]
    return [sentence for sentence in said if any(map(str.isalnum, sentence))]
