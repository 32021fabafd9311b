"""Whole numbers in other forms: as words, as Roman numerals, and with separators."""

from __future__ import annotations

from collections.abc import Iterator

SMALL = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
)
"""The numbers below twenty in words, in order."""
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_ROMAN = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc")),
    *((50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)
MOST = 10**9
"""Minimum value: smaller numbers are usually written in words."""


def number_words(text: str) -> Iterator[str]:
    """Yield a whole number from 100 to a billion as words, in several spellings."""
    number = _number(text)
    if 100 <= number < MOST:
        plain = _say(number)
        for words in (plain, plain.replace("hundred ", "hundred and ")):
            yield words
            yield words.replace("-", " ")


def numerals(text: str) -> Iterator[str]:
    """Yield a whole number of at least 1000 in other spellings: with separators, Roman, binary and hexadecimal."""
    number = _number(text)
    if number < 1000:
        return
    yield from (f"{number:,}".replace(",", between) for between in (",", ".", "'", "_", "\u202f"))
    yield from (f"0x{number:x}", f"0b{number:b}", f"{number:b}")
    if number < 4000:
        yield _roman(number)


def _number(text: str) -> int:
    fits = text.isascii() and text.isdigit() and not text.startswith("0") and len(text) < 16
    return int(text) if fits else -1


def _say(number: int) -> str:
    if number < 20:
        return SMALL[number]
    if number < 100:
        tens, ones = _TENS[number // 10 - 2], number % 10
        return f"{tens}-{SMALL[ones]}" if ones else tens
    for size, name in ((10**6, "million"), (1000, "thousand"), (100, "hundred")):
        if number >= size:
            rest = number % size
            return f"{_say(number // size)} {name}{' ' + _say(rest) if rest else ''}"
    raise AssertionError(number)


def _roman(number: int) -> str:
    said = ""
    for value, letters in _ROMAN:
        said += letters * (number // value)
        number %= value
    return said
