"""Texts that should score worse than a right answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple


class WrongAnswer(NamedTuple):
    """A wrong value, with a description that groups values of the same kind from several tasks.

    ``kind`` is ``near`` (almost right), ``union`` (all answers together), ``longer`` (with additional words) or
    ``lines`` (with fewer or more lines). It may also be ``listed`` (an item from the same list as the answer) or
    ``far`` (wrong for every task).
    """

    how: str
    value: Any
    kind: str = "far"


def wrong_texts(value: str, least: int, others: Sequence[Any]) -> Iterator[WrongAnswer]:
    """Yield texts that differ from a right answer. The likeliest false positives come first, because time may run
    out."""
    if len(value) > 2:
        # Three: a grader that takes a short form, such as Oct for October, takes only one of them.
        for length in dict.fromkeys([len(value) // 2, len(value) - 1, len(value) // 3]):
            yield WrongAnswer("only the beginning of the answer", value[:length])
    if len(value) > 1 and len({str(o) for o in others}) > 2:
        several = list(dict.fromkeys([*map(str, others), value]))
        yield WrongAnswer("all answers at once", " ".join(several), "union")
        yield WrongAnswer("all answers, separated by commas", ", ".join(several), "union")
    if re.fullmatch(r"-?\d+(\.\d+)?", value):
        places = len(value.partition(".")[2])
        yield WrongAnswer("a twentieth off", f"{float(value) * 1.05:.{places}f}", "near")
        yield WrongAnswer("a distant number", str(int(float(value)) * 10 + 1007))
    yield WrongAnswer("extra words at the end", f"{value} xyzzy quux", "longer")
    yield from nonsense(value, least)
    lines = value.splitlines()
    every = sorted({line for text in (*map(str, others), value) for line in text.splitlines()})
    if len(every) > max(2, len(lines)):
        yield WrongAnswer("all answers, one per line", "\n".join(every), "union")
    if len(lines) > 1:
        yield WrongAnswer("the last line removed", "\n".join(lines[:-1]), "lines")
        yield WrongAnswer("the first line removed", "\n".join(lines[1:]), "lines")
        doubled = "\n".join([*lines[::-1], *lines])
        yield WrongAnswer("the lines reversed, then repeated in order", doubled, "lines")


def nonsense(value: str, least: int = 0) -> Iterator[WrongAnswer]:
    """Yield texts that are wrong for every task."""
    yield WrongAnswer("empty", "")
    yield WrongAnswer("only whitespace", " " * max(1, least))
    yield WrongAnswer("only full stops", "." * max(1, least))
    if len(value) > 2:
        yield WrongAnswer("the first character alone", value[0])
        yield WrongAnswer("the same letters backwards", value[::-1])
        yield WrongAnswer("the same letters in alphabetical order", "".join(sorted(value)))
        yield WrongAnswer("the first letter, repeated", value[0] * len(value))
        yield WrongAnswer("other letters", "".join(_other(letter) for letter in value))


def _other(letter: str) -> str:
    return "q" if letter.isalpha() else "9" if letter.isdigit() else letter
