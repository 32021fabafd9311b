"""Numbers that are not the right one: near it, far from it, in another unit, or none at all."""

from __future__ import annotations

import re
from collections.abc import Iterator

from skill_tools.graders.perturbations.probe import Guess, Must
from skill_tools.graders.templates.answer_templates import Template
from skill_tools.graders.templates.question import FRACTION, MEASURED, Question, is_number, value_of

PREFIXED = re.compile(
    r"(?P<prefix>[kMGTmµunp]?)(?P<base>Hz|Wh?|J|V|A|F|g|s|Pa|N|eV|Ω|B|bit|m|[lL]|Sv|Gy|Bq|bar|cal)(?P<rest>(?:/\S{1,6}|[²³23])?)"
)
"""A unit with a prefix of the SI, or without one."""
OTHER_CASE = {"m": "M", "M": "m", "p": "P", "P": "p"}
"""Prefixes that another one is in the other case: milli and mega."""
FAR = 1.5
"""So many times the right one: further off than any tolerance."""
OFF = 1.1
"""A tenth off, which only a prompt that speaks of a tolerance lets pass."""


def other_numbers(question: Question, frame: Template) -> Iterator[Guess]:
    """Numbers that are wrong where ``question`` has a number as its right answer."""
    gold = question.gold
    if FRACTION.fullmatch(gold):
        yield from _other_fractions(gold, frame)
        yield from _rounded(gold, question.says, frame)
    elif is_number(gold):
        yield from _near_and_far(question, frame)
        yield from _other_digits(question, frame)
    elif found := MEASURED.fullmatch(gold):
        yield from _other_measures(question, found["number"], found["unit"], frame)


def next_number(gold: str) -> str:
    """A number that is one more."""
    return plain_number(value_of(gold) + 1) if is_number(gold) else f"{gold}7"


def plain_number(value: float) -> str:
    """A number as it is written without separators or exponents, if it can be."""
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else f"{value:.10g}"


def _other_fractions(gold: str, frame: Template) -> Iterator[Guess]:
    top, bottom = re.split(r"\s?/\s?", gold)
    if top.lstrip("-") != bottom:
        upside = frame.hold(f"{bottom}/{top}")
        yield Guess("upside-down", "wrong", "the fraction upside down", upside)
    yield Guess("numerator", "wrong", "the numerator alone", frame.hold(top))
    other = frame.hold(f"{top}/{int(bottom) + 1}")
    if int(top):
        yield Guess("denominator", "wrong", "with another denominator", other)
    yield Guess(
        "numerator.next", "wrong", "with another numerator", frame.hold(f"{int(top) + 1}/{bottom}")
    )


def _rounded(gold: str, says: frozenset[str], frame: Template) -> Iterator[Guess]:
    """A fraction that never ends, cut to two decimals, where a fraction or the exact value is asked for."""
    top, bottom = re.split(r"\s?/\s?", gold)
    value = int(top) / int(bottom) if int(bottom) else 0.0
    if says & {"fraction", "exact"} and not says & {"decimals", "tolerance"}:
        for places in (2, 4):
            if round(value, places) != value:
                how = f"rounded to {places} decimals"
                yield Guess(f"rounded.{places}", "wrong", how, frame.hold(f"{value:.{places}f}"))


def _near_and_far(question: Question, frame: Template) -> Iterator[Guess]:
    """Other values: near ones, which a tolerance may let pass, and such as none does."""
    gold, hold, says = question.gold, frame.hold, question.says
    near: Must = "doubtful" if "tolerance" in says else "wrong"
    value = value_of(gold)
    whole = value == int(value)
    yield Guess("next", near, "one more", hold(next_number(gold)))
    if not value:
        yield Guess("far", "wrong", "a hundred", hold("100"))
        return
    yield Guess("sign", "wrong", "with the other sign", hold(plain_number(-value)))
    yield Guess("zero", "wrong", "nought", hold("0"))
    far = value * FAR if not whole else round(value * FAR) + (abs(value) < 2)
    if "estimate" not in question.prompt.casefold():
        yield Guess("far", "wrong", "half as much again", hold(plain_number(far)))
    off = value * OFF if not whole else round(value * OFF)
    if off not in (value, value + 1):
        yield Guess("off", near, "a tenth more", hold(plain_number(off)))
    for times, probe, how in (
        (10, "tenfold", "ten times as much"),
        (100, "hundredfold", "a hundred times as much"),
        (1000, "thousandfold", "a thousand times as much"),
        (0.001, "thousandth", "a thousandth of it"),
    ):
        yield Guess(probe, "wrong", how, hold(plain_number(value * times)))
    if "percent" not in says and "%" not in gold:
        yield Guess("hundredth", "wrong", "a hundredth of it", hold(plain_number(value / 100)))
    else:
        part = f"{plain_number(value / 100)}%"
        yield Guess("hundredth", "wrong", "a hundredth of it, in per cent", hold(part))


def _other_digits(question: Question, frame: Template) -> Iterator[Guess]:
    """Texts that begin with the right number, end with it or have it in them."""
    gold, hold, says = question.gold, frame.hold, question.says
    near: Must = "doubtful" if "tolerance" in says else "wrong"
    value, bare = value_of(gold), gold.replace(",", "")
    whole = value == int(value)
    if value and not whole and "whole" not in says:
        yield Guess("truncated", near, "without its decimals", hold(str(int(value))))
    digits = bare.lstrip("-+")
    if not digits.isdigit():  # with a currency, or a percent
        return
    if len(digits) > 1:
        yield Guess("prefix", "wrong", "all but its last digit", hold(bare[:-1]))
    yield Guess("cut", near, "with decimals that make it another", hold(f"{bare}.9"))
    yield Guess("longer", "wrong", "with a digit more at its end", hold(f"{bare}7"))
    yield Guess("led", "wrong", "with a digit more before it", hold(f"7{digits}"))
    yield Guess(
        "parted", "wrong", "with another number after it", hold(f"{bare} {next_number(gold)}")
    )
    low, high = plain_number(value - 1), plain_number(value + 1)
    yield Guess("range", "wrong", "a range around it", hold(f"between {low} and {high}"))
    yield Guess("plus", "wrong", "a sum that is another number", hold(f"{bare} + 1"))


def _other_measures(question: Question, number: str, unit: str, frame: Template) -> Iterator[Guess]:
    """Another number in the same unit, and the same number in another."""
    gold, hold = question.gold, frame.hold
    asked = "unit" in question.says or unit in question.prompt
    must: Must = "wrong" if asked else "doubtful"
    yield Guess("unit", must, "another unit", hold(f"{number} zq"))
    yield Guess("number", "wrong", "another number", hold(gold.replace(number, "98761")))
    value = value_of(number)
    if value:
        for probe, how, other in (
            ("sign", "with the other sign", -value),
            ("far", "half as much again", value * FAR),
            ("tenfold", "ten times as much", value * 10),
        ):
            yield Guess(probe, "wrong", how, hold(gold.replace(number, plain_number(other))))
    for probe, how, other_unit in _other_units(unit):
        yield Guess(probe, "wrong", how, hold(f"{number} {other_unit}"))


def _other_units(unit: str) -> Iterator[tuple[str, str, str]]:
    """Units of the same kind that are others by a power of ten."""
    found = PREFIXED.fullmatch(unit)
    if not found:
        return
    prefix, rest = found["prefix"], f"{found['base']}{found['rest']}"
    if prefix in OTHER_CASE:
        how = "with another prefix of its unit, milli for mega"
        yield "unit.case", how, f"{OTHER_CASE[prefix]}{rest}"
    other = "" if prefix else "k"
    yield "unit.prefix", "with another prefix of its unit", f"{other}{rest}"
