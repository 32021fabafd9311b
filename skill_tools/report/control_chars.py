"""Text that was written by others, so that no reader or terminal takes a part of it for a command."""

from __future__ import annotations

import re

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
