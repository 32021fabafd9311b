"""What a reply may hold that is made from a row: its columns, in many writings, and simple computations on them."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, islice, permutations
from statistics import fmean
from typing import Any, NamedTuple

from skill_tools.graders.templates.question import read_json

MARKS = (", ", "\n", " ", " > ", " -> ", "; ", " | ", ",", "-", "")
"""Marks between the items of a list; after the first three, only those in the prompt count."""
USUAL = 3
LONGEST_LIST = 200
"""Maximum items of a list to write."""
MOST_COLUMNS = 16
"""Maximum columns of a row to combine."""
FILLER = ("and", "then", "we", "walk", "along", "here", "with", "more", "new", "ideas")
"""Words that make a text longer."""
ROMAN = (
    *((1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L")),
    *((40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")),
)


class RowValue(NamedTuple):
    """A text made from a row. ``way`` says how, the same for all rows; ``is_open`` says that other texts are as right.

    The values of a way are alternatives: each row may have another of them as its right answer.
    """

    way: str
    text: str
    is_open: bool = False


def roman(number: int) -> str:
    """Return a number from 1 to 3999 as a Roman numeral."""
    written = ""
    for value, letters in ROMAN:
        times, number = divmod(number, value)
        written += letters * times
    return written


SYSTEMS: tuple[Callable[[int], str], ...] = (
    str,
    roman,
    hex,
    bin,
    oct,
    lambda n: f"{n:,}",
    lambda n: f"{n:X}",
)
"""Writings of a whole number from 1 to 3999."""


def row_values(
    row: Mapping[str, Any], prompt: str, words: Sequence[str] = ()
) -> Iterator[RowValue]:
    """Yield what a reply to a row may hold; ``words`` are the grader's own."""
    columns = dict(islice(_columns(row), MOST_COLUMNS))
    numbers = {name: value for name, value in columns.items() if _is_number(value)}
    lists = {
        name: value
        for name, value in columns.items()
        if isinstance(value, list) and 0 < len(value) <= LONGEST_LIST
    }
    marks = [
        mark
        for n, mark in enumerate(MARKS)
        if n < USUAL or (mark.strip() and mark.strip() in prompt)
    ]
    for name, value in numbers.items():
        if isinstance(value, int) and 0 < value < 4000:
            yield from (RowValue(f"{name} in a numeral system", write(value)) for write in SYSTEMS)
    yield from (RowValue("a word of the grader's", each) for each in words)
    if read := {name: columns[name] for name in words if name in columns}:
        yield RowValue(
            "the columns that the grader reads, as JSON",
            json.dumps(read, default=str, ensure_ascii=False),
        )
    for name, value in columns.items():
        if isinstance(value, str) or name in numbers:
            yield RowValue(name, str(value))
        elif isinstance(value, dict):
            yield RowValue(f"{name} as JSON", json.dumps(value, ensure_ascii=False))
            yield RowValue(
                f"{name}, a line each", "\n".join(f"{key}: {each}" for key, each in value.items())
            )
    yield from _of_pairs(numbers)
    for name, items in lists.items():
        yield from _of_list(name, items, lists, marks)
    yield from _tables(lists)
    yield from _texts(lists, numbers, prompt)


def _columns(row: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the columns of a row, with those inside objects, and data written as JSON as data."""
    for name, value in row.items():
        read = read_json(value) if isinstance(value, str) and value[:1] in ("[", "{") else None
        value = value if read is None else read
        yield name, value
        if isinstance(value, dict):
            yield from ((f"{name}.{key}", each) for key, each in value.items())


def _of_pairs(numbers: Mapping[str, Any]) -> Iterator[RowValue]:
    for (one, a), (other, b) in combinations(numbers.items(), 2):
        made = {"plus": a + b, "minus": a - b, "from": b - a, "times": a * b}
        made |= {"by": a / b} if b else {}
        made |= {"in": b / a} if a else {}
        for sign, value in made.items():
            yield RowValue(f"{one} {sign} {other}", f"{value:.10g}")
            if value != round(value):
                yield RowValue(f"{one} {sign} {other}, two decimals", f"{value:.2f}")


def _of_list(
    name: str, items: Sequence[Any], lists: Mapping[str, Sequence[Any]], marks: Sequence[str]
) -> Iterator[RowValue]:
    """Yield a list as it is, in other orders, and what it comes to."""
    if not all(isinstance(each, str | int | float) for each in items):
        yield RowValue(f"{name} as JSON", json.dumps(items, ensure_ascii=False))
        if all(isinstance(each, list) and len(each) == 2 for each in items):
            for between, mark in [(": ", ", "), (": ", "\n"), (" = ", ", "), (" ", "\n")]:
                yield RowValue(f"pairs of {name}", mark.join(f"{a}{between}{b}" for a, b in items))
        return
    orders = {"": list(items), ", sorted": sorted(items, key=str), ", reversed": list(items[::-1])}
    for other, sizes in lists.items():
        values = [_value(each) for each in sizes]
        if other == name or len(values) != len(items) or None in values:
            continue
        pairs = sorted(
            zip(values, range(len(items)), strict=True), key=lambda pair: (pair[0], pair[1])
        )
        rising = [items[at] for _, at in pairs]
        orders |= {f", by rising {other}": rising, f", by falling {other}": rising[::-1]}
    for how, ordered in orders.items():
        yield RowValue(f"{name}{how} as JSON", json.dumps(ordered, ensure_ascii=False))
        for mark in marks:
            yield RowValue(f"{name}{how}, with {mark!r}", mark.join(map(str, ordered)))
    yield RowValue(
        f"{name} as a pattern", "|".join(re.escape(str(each)) for each in items), is_open=True
    )
    for other, more in lists.items():
        if other != name and all(isinstance(each, str | int | float) for each in more):
            both = {
                "and": [x for x in items if x in more],
                "without": [x for x in items if x not in more],
            }
            for how, kept in both.items():
                yield from (
                    RowValue(f"{name} {how} {other}, with {m!r}", m.join(map(str, kept)))
                    for m in marks
                    if kept
                )
    if all(_is_number(each) for each in items):
        made = (len(items), sum(items), max(items), min(items), fmean(items))
        for how, value in zip(("count", "sum", "most", "least", "mean"), made, strict=True):
            yield RowValue(f"{how} of {name}", f"{value:.10g}")
    else:
        yield RowValue(f"count of {name}", str(len(items)))


def _tables(lists: Mapping[str, Sequence[Any]]) -> Iterator[RowValue]:
    """Yield lists of records below a list of their columns, as tables."""
    tables = {n: v for n, v in lists.items() if all(isinstance(each, list) for each in v)}
    for (name, records), (head, columns) in permutations(lists.items(), 2):
        if (
            name in tables
            and head not in tables
            and all(len(each) == len(columns) for each in records)
        ):
            written = io.StringIO()
            csv.writer(written, lineterminator="\n").writerows([columns, *records])
            yield RowValue(f"{name} under {head} as CSV", written.getvalue().strip())
            lines = [columns, ["---"] * len(columns), *records]
            text = "\n".join(f"| {' | '.join(map(str, each))} |" for each in lines)
            yield RowValue(f"{name} under {head} as a table", text)
            objects = [dict(zip(map(str, columns), each, strict=True)) for each in records]
            yield RowValue(
                f"{name} under {head} as objects", json.dumps(objects, ensure_ascii=False)
            )


def _texts(
    lists: Mapping[str, Sequence[Any]], numbers: Mapping[str, Any], prompt: str
) -> Iterator[RowValue]:
    """Yield texts that have all words of a list, as long as two numbers of the prompt allow."""
    bounds = sorted(int(n) for n in numbers.values() if str(n) in prompt and n == int(n))
    for name, items in lists.items():
        if not all(isinstance(each, str) and each in prompt for each in items):
            continue
        length = sum(bounds[:2]) // 2 if len(bounds) > 1 else 4 * len(items)
        filled = [*items, *FILLER * (min(length, 400) // len(FILLER) + 1)][
            : max(length, len(items))
        ]
        yield RowValue(f"a text with {name}", f"{' '.join(filled)}.", is_open=True)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _value(size: Any) -> Fraction | None:
    """Return the value of a number, also as a text such as ``3/4`` or ``1989-07-14``."""
    try:
        return Fraction(re.sub(r"(?<=\d)[-:](?=\d)", "", str(size)).replace(",", "").strip())
    except (ValueError, ZeroDivisionError):
        return None
