"""Replies near a right one: words, numbers or lines are removed, exchanged, repeated or replaced at random.

They may be right or wrong. They show how a grader's code behaves for replies that are not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

TOKEN = re.compile(r"\w{1,200}|[^\w\s]|\s{1,200}")
"""Matches a word, a mark or a space."""
LONGEST = 4_000
"""Maximum characters of a reply to change."""
MOST_WORDS = 400
"""Maximum words of a row to put into replies."""
TWICE = 0.3
"""Share of replies with a second change, which replaces a word."""
Change = Callable[[list[str], Sequence[str], Random], list[str]]


def nearby(reply: str, words: Sequence[str], count: int, seed: str) -> list[str]:
    """Return up to ``count`` different replies near a right one; the same ones for the same ``seed``.

    Args:
        reply: The right reply.
        words: The words that may replace its own ones.
    """
    if not reply.strip() or len(reply) > LONGEST or not words:
        return []
    random = Random(seed)
    parts = TOKEN.findall(reply)
    made = ("".join(_changed(parts, words, random)) for _ in range(count))
    return [each for each in dict.fromkeys(made) if each.strip() and each != reply]


def words_of(value: Any) -> list[str]:
    """Return the different words, numbers and marks in a row's value."""
    return list(dict.fromkeys(_words(value)))[:MOST_WORDS]


def _words(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        value = [*value, *value.values()]
    if isinstance(value, list):
        for each in value:
            yield from _words(each)
    elif isinstance(value, str | int | float):
        yield from (each for each in TOKEN.findall(str(value)) if each.strip())


def _changed(parts: Sequence[str], words: Sequence[str], random: Random) -> list[str]:
    made = random.choice(CHANGES)(list(parts), words, random)
    return _replaced(made, words, random) if random.random() < TWICE else made


def _places(parts: Sequence[str], random: Random) -> tuple[int, int]:
    """Return the positions of two words or marks, in order."""
    filled = [at for at, each in enumerate(parts) if each.strip()] or [0]
    first, second = sorted((random.choice(filled), random.choice(filled)))
    return first, second


def _removed(parts: list[str], _: Sequence[str], random: Random) -> list[str]:
    at = _places(parts, random)[0]
    return parts[:at] + parts[at + 1 :]


def _cut(parts: list[str], _: Sequence[str], random: Random) -> list[str]:
    first, second = _places(parts, random)
    return parts[:first] + parts[second:]


def _exchanged(parts: list[str], _: Sequence[str], random: Random) -> list[str]:
    first, second = _places(parts, random)
    if parts:
        parts[first], parts[second] = parts[second], parts[first]
    return parts


def _repeated(parts: list[str], _: Sequence[str], random: Random) -> list[str]:
    first, second = _places(parts, random)
    return [*parts[:first], *parts[second : second + 1], " ", *parts[first:]]


def _replaced(parts: list[str], words: Sequence[str], random: Random) -> list[str]:
    at = _places(parts, random)[0]
    return [*parts[:at], random.choice(words), *parts[at + 1 :]]


def _copied(parts: list[str], _: Sequence[str], random: Random) -> list[str]:
    first, second = _places(parts, random)
    return [*parts[:first], *parts[second : second + 1], *parts[first + 1 :]]


def _counted(parts: list[str], words: Sequence[str], random: Random) -> list[str]:
    """Change a number: to 0, -1, its opposite, the next one, or ten times as much."""
    places = [at for at, each in enumerate(parts) if each.isdecimal()]
    if not places:
        return _replaced(parts, words, random)
    at = random.choice(places)
    own = parts[at]
    made = random.choice(("0", "-1", f"-{own}", str(int(own[:15]) + 1), f"{own}0"))
    return [*parts[:at], made, *parts[at + 1 :]]


def _line(parts: list[str], words: Sequence[str], random: Random) -> list[str]:
    """Remove, repeat or move a line."""
    lines = "".join(parts).splitlines(keepends=True)
    if len(lines) < 2:
        return _exchanged(parts, words, random)
    line = lines.pop(random.randrange(len(lines)))
    for _ in range(random.randrange(3)):
        lines.insert(random.randrange(len(lines) + 1), line)
    return lines


CHANGES: Sequence[Change] = (
    *(_removed, _cut, _exchanged, _exchanged, _repeated, _replaced, _copied),
    *(_counted, _counted, _line, _line),
)
"""The ways to change a reply; those that keep its form occur twice."""
