"""Actions that the texts of a foreign environment show in examples, lists and quotes.

The environment's texts may be hostile. Every pattern is therefore bounded, and only the beginning of a long
text is read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

LONGEST = 20_000
"""Maximum characters of a message to read: patterns over a hostile text take time."""
MOST = 60
"""Maximum samples of each kind: more than the calls that a random player makes."""
EXAMPLES = tuple(
    re.compile(pattern)
    for pattern in (
        r"<\w{1,20}>[^<>\n]{1,60}</\w{1,20}>",
        r"\\boxed\{[^{}\n]{1,40}\}",
        r"\[[^\[\]\n]{1,40}\]",
        r"#### ?[\w.,-]{1,20}",
        r"`([^`\n]{1,60})`",
    )
)
"""Parts of a prompt that look like an example of an action."""
EMPTY_BOX = "\\boxed{}"
"""Matches a LaTeX placeholder for the answer in a prompt."""
OPTION = re.compile(r"^[ \t]{0,8}\(?([A-Z])[).:]", re.MULTILINE)
"""Matches the letter of a multiple-choice answer."""
LISTED = re.compile(
    r"[\"'](?:legal|valid|available|possible|allowed|admissible)_(?:moves|actions|commands|choices|options)"
    r"[\"']\s{0,2}:\s{0,2}\[([^\[\]]{1,4000})\]"
)
ITEM = re.compile(r"\"([^\"\\\n]{1,60})\"|(?<![\w.])(-?\d{1,6})(?![\w.])")
"""Match a list of possible actions in an observation, and a text or integer in it."""
QUOTED = re.compile(r"\"([^\"\n]{1,30})\"|`([^`\n]{1,30})`")
"""Matches a word in quotes; longer quotes are sentences."""
Samples = Sequence[str | int]


def harvest(prompt: Sequence[Mapping[str, Any]]) -> list[str | int]:
    """Return the parts of the opening messages that look like an action, or like an argument of an action."""
    text = "\n".join(str(message.get("content", ""))[:LONGEST] for message in prompt)
    listed = [_item(item) for found in LISTED.finditer(text) for item in ITEM.finditer(found[1])]
    # A list of possible actions looks like an example in brackets, but is not one.
    rest = LISTED.sub(" ", text)
    shown = [m[1] if m.re.groups else m[0] for pattern in EXAMPLES for m in pattern.finditer(rest)]
    boxed: list[str] = []
    if EMPTY_BOX in text:
        letters = dict.fromkeys(OPTION.findall(text)) or ["1"]
        boxed = [EMPTY_BOX.replace("{}", f"{{{each}}}") for each in letters]
    return list(dict.fromkeys([*listed, *boxed, *shown]))[:MOST]


def quoted(description: Any) -> list[str]:
    """Return the quoted words of a description, which are often the allowed values of an argument."""
    text = description[:2000] if isinstance(description, str) else ""
    return list(dict.fromkeys(m[1] or m[2] for m in QUOTED.finditer(text)))[:MOST]


def _item(found: re.Match[str]) -> str | int:
    return found[1] if found[1] is not None else int(found[2])
