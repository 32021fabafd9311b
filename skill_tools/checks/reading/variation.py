"""Patterns for text that may differ when the same actions are replayed, if a spec permits this.

Only text is treated in this way; pictures are compared by their pixels (``pixels``). Each pattern reads even
a hostile text only once, because repetitions are bounded or end at a character that they cannot contain.

- path: an absolute path below /tmp, /home, /root or /var, up to a character other than letters,
  digits and ``_ . / @ % + ~ -``. A line number after a colon is therefore compared. Paths that merely
  contain such a part, such as ``data/tmp/x``, do not count.
- address: a hexadecimal number after ``at``, as in ``<Counter object at 0x7f3a>``. Any other
  hexadecimal number is compared.
- time: a clock time from 00:00 to 23:59, with optional seconds and fractions, and the ISO date
  before it and the time zone after it. A date alone is compared.
- duration: a number with a unit (ns, us, µs, ms, s, sec, second, min, minute), as in ``12.3 ms``,
  ``0.01s`` or ``0m0.012s``.
- measured: only in an audit, a fraction in a JSON field named for a measured time, as in
  ``"execution_time": 0.0016``. Whole numbers and fields named ``time`` are compared.
- identity: only for AUD005, a UUID, or 6 to 32 hexadecimal digits with letters and numbers, as in
  ``MSG-3FA85F64``.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

PATTERNS: dict[str, re.Pattern[str]] = {
    "path": re.compile(
        r"(?<![\w.@%+~-])/(?:tmp|home|root|var)(?![\w@%+~-])(?:/[\w.@%+~-]*)*",
    ),
    "address": re.compile(r"(?<=\bat\s)0x[0-9a-fA-F]{4,16}\b", re.ASCII),
    "time": re.compile(
        r"(?<![\d:.])(?:\d{4}-\d{2}-\d{2}[T ])?(?:[01]\d|2[0-3]):[0-5]\d"
        r"(?::[0-5]\d(?:\.\d{1,9}|,\d{3})?)?(?:Z|[+-]\d{2}:?\d{2})?(?![\d:])",
        re.ASCII,
    ),
    "duration": re.compile(
        r"(?<![\w.])(?:\d{1,6}m ?)?\d{1,15}(?:\.\d{1,15})?(?:e[+-]?\d{1,3})?"
        r" ?(?:ns|us|\u00b5s|\u03bcs|ms|s|secs?|seconds?|min|minutes?)\b",
        re.ASCII,
    ),
}
"""The patterns in order of replacement: a path may contain a time, and a time is not a duration."""
IDENTITY = "identity"
UNDECLARED: dict[str, re.Pattern[str]] = {
    "measured": re.compile(
        r"(?<=[\"'])((?:\w{1,40}_)?(?:elapsed|duration|latency|seconds|secs|ms)|\w{1,40}_time"
        r"|(?:elapsed|duration|latency)_\w{1,20})(\\?[\"']\s{0,2}:\s{0,2})"
        r"\d{1,15}(?:\.\d{1,20}(?:e[+-]?\d{1,3})?|e[+-]?\d{1,3})",
        re.ASCII,
    ),
    IDENTITY: re.compile(
        r"(?<![0-9A-Za-z])()((?:[A-Za-z]{1,12}[-_])?)"
        r"(?:[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
        r"|(?=[A-Fa-f]{0,31}\d)(?=\d{0,31}[A-Fa-f])(?:[0-9a-f]{6,32}|[0-9A-F]{6,32}))(?![0-9A-Za-z])",
        re.ASCII,
    ),
}
"""Patterns for environments that cannot declare what varies; a spec cannot name them."""


def comparable(value: Any, varies: Collection[str]) -> Any:
    """Return a text, blocks or messages with each match of the patterns in ``varies`` replaced by the pattern's
    name.

    For example, all times become ``<time>``, so that texts which differ only in a time are equal. If ``varies``
    is empty, the value itself is returned.
    """
    if not varies:
        return value
    if isinstance(value, str):
        for name, pattern in PATTERNS.items():
            value = pattern.sub(f"<{name}>", value) if name in varies else value
        for name, pattern in UNDECLARED.items():
            value = pattern.sub(rf"\1\2<{name}>", value) if name in varies else value
        return value
    if isinstance(value, list):
        return [comparable(each, varies) for each in value]
    if isinstance(value, dict) and value.get("type", "text") == "text":
        return {key: comparable(each, varies) for key, each in value.items()}
    return value
