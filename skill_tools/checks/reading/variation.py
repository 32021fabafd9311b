"""What may differ when the same actions are played again; it is not compared where a spec says so.

Only text is read in this way; a picture is compared by its pixels (``pictures``). Each pattern reads a text
once, however hostile: repetitions are bounded, or end at a character that they cannot contain.

- path: an absolute path below /tmp, /home, /root or /var, up to a character other than letters,
  digits and ``_ . / @ % + ~ -``; so a line number after a colon is compared. Not what merely ends
  so, as in ``data/tmp/x``.
- address: a hexadecimal number after ``at``, as in ``<Counter object at 0x7f3a>``; any other is
  compared.
- time: a clock time from 00:00 to 23:59, with seconds and fractions where they stand there, and
  the ISO date before it and the time zone after it. A date alone is compared.
- duration: a number with a unit (ns, us, µs, ms, s, sec, second, min, minute), as in ``12.3 ms``,
  ``0.01s`` or ``0m0.012s``.
- measured: in an audit alone, a fraction in a field of JSON whose name is of a measured time, as in
  ``"execution_time": 0.0016``; a whole number, and one in a field ``time``, is compared.
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
"""In the order in which they are replaced: a path may hold a time, and a time is no duration."""
UNDECLARED: dict[str, re.Pattern[str]] = {
    "measured": re.compile(
        r"(?<=[\"'])((?:\w{1,40}_)?(?:elapsed|duration|latency|seconds|secs|ms)|\w{1,40}_time"
        r"|(?:elapsed|duration|latency)_\w{1,20})(\\?[\"']\s{0,2}:\s{0,2})"
        r"\d{1,15}(?:\.\d{1,20}(?:e[+-]?\d{1,3})?|e[+-]?\d{1,3})",
        re.ASCII,
    ),
}
"""The same for environments that cannot declare what varies; no spec can name these."""


def comparable(value: Any, varies: Collection[str]) -> Any:
    """Text, blocks or messages with each match of these patterns replaced by its name.

    ``<time>`` then stands for every time, so that two values which differ in nothing else are
    equal. Without patterns, the value itself.
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
