"""Operators for numbers, fractions and measures, which change the value or the unit or remove the number."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from math import inf

from skill_tools.evidence.grading.graded import Expectation
from skill_tools.graders.perturbations.operators import Guess, Operator, perturb
from skill_tools.graders.templates.answer_templates import Template
from skill_tools.graders.templates.question import FRACTION, MEASURED, Question, is_number, value_of

PREFIXED = re.compile(
    r"(?P<prefix>[kMGTmµunp]?)(?P<base>Hz|Wh?|J|V|A|F|g|s|Pa|N|eV|Ω|B|bit|m|[lL]|Sv|Gy|Bq|bar|cal)(?P<rest>(?:/\S{1,6}|[²³23])?)"
)
"""Matches a unit, with or without an SI prefix."""
UNIT_ASKED = re.compile(
    r"(?i)\b(?:with|include|state|and|give)\b[^.]{0,12}\b(?:its|the|their) units?\b"
)
"""Matches a prompt that asks for the unit as well."""
STATED = re.compile(
    r"(?i)(?:\bwithin|±|\+/-|\boff by|\btolerance(?: of)?|\bmargin of|\b(?:differs?|deviat\w+|error)\b[^.\n]{0,50}?\b(?:by|of|is|than))"
    r"\s(?:(?:about|at most|up to|no more than|less than) )?\$?(?P<most>\d[\d,]*(?:\.\d+)?)"
    r"\s?(?P<percent>%|per ?cent)?|\b(?P<places>\d|one|two|three|four) (?:decimals?|places)\b"
    r"|(?<![\d.])(?P<share>\d[\d,]*(?:\.\d+)?)\s?(?:%|per ?cent) (?:off|tolerance|deviation|error|slack|leeway)\b"
)
"""Matches a tolerance, or a number of decimals, in a prompt."""
PLACES = {"one": 1, "two": 2, "three": 3, "four": 4}
BEYOND = 3
"""Multiple of a stated tolerance that is beyond any rounding."""
OTHER_CASE = {"m": "M", "M": "m", "p": "P", "P": "p"}
"""Prefixes whose meaning depends on case: milli and mega."""
IN_USE = ("Hz", "W", "J", "V", "A", "Pa", "N", "eV", "\u03a9", "bit")
"""Beginnings of units with which both prefixes are in use: a megagram is seldom meant."""
FAR = 1.5
"""Factor that is beyond any tolerance."""
OFF = 1.1
"""Factor that only a stated tolerance allows."""
NEAR = 1.01
"""Factor within a tolerance that graders often have and prompts seldom state."""
SLIGHT = 1.002
"""Factor within a relative tolerance that was meant as an absolute one."""


@dataclass(frozen=True)
class RightNumber:
    """A right answer that is a number, with its text, its value, and the question.

    ``unit`` is the unit of a measure.
    """

    question: Question
    gold: str
    value: float
    unit: str = ""

    @property
    def whole(self) -> bool:
        """Return whether the number has no decimals."""
        return self.value == int(self.value)

    @property
    def bare(self) -> str:
        """Return the number's text without thousands separators."""
        return self.gold.replace(",", "")

    @property
    def amount(self) -> str:
        """Return the number's text without the unit."""
        return self.gold.removesuffix(self.unit).strip()

    @property
    def digits(self) -> str:
        """Return the number's digits; "" if the text has a currency, a decimal point or a percent sign."""
        digits = self.bare.lstrip("-+")
        return digits if digits.isdigit() else ""

    def times(self, factor: float) -> str | None:
        """Return the number multiplied by a factor; None if the result would be too close to the number."""
        if not self.value:
            return None
        other = self.value * factor
        if factor in (FAR, OFF, NEAR, SLIGHT) and self.whole and not self.unit:
            other = round(other)
            other += factor == FAR and abs(self.value) < 2
            if other in (self.value, self.value + 1):
                return None
        decimals = len(self.amount.partition(".")[2]) if factor == SLIGHT else 0
        return self.written(round(other, decimals) if decimals else other)

    def written(self, value: float) -> str:
        """Return another value in the notation of the right answer, with its unit."""
        plain = plain_number(value)
        return self.gold.replace(self.amount, plain) if self.unit else plain

    @property
    def tolerance(self) -> float:
        """Return the largest deviation that the prompt states: 0 if it states none, infinite if it names no amount."""
        found = [_stated(each, self.value) for each in STATED.finditer(self.question.prompt)]
        return max(found, default=inf if "tolerance" in self.question.says else 0.0)

    def expects(self, other: str | None) -> Expectation:
        """Return the expectation for another number. It is "doubtful" if a stated tolerance may include the number."""
        found = MEASURED.match(other or "") if self.unit else None
        value = value_of(found["number"] if found else other or str(self.value))
        return "doubtful" if abs(value - self.value) <= BEYOND * self.tolerance else "wrong"


def _stated(found: re.Match[str], value: float) -> float:
    if found["places"]:
        return float(10.0 ** -int(PLACES.get(found["places"].lower(), found["places"])))
    most = value_of(found["most"] or found["share"])
    return abs(value) * most / 100 if found["percent"] or found["share"] else most


def _near(name: str, what: str, make: Callable[[RightNumber], str | None]) -> Operator[RightNumber]:
    """Return an operator for a value close to the right answer, which a tolerance may allow."""
    return Operator(name, what, make, lambda n: n.expects(make(n)))


def next_number(gold: str) -> str:
    """Return the number plus one; if the text is not a number, append a 7."""
    return plain_number(value_of(gold) + 1) if is_number(gold) else f"{gold}7"


def plain_number(value: float) -> str:
    """Return a number without separators and, if possible, without an exponent."""
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else f"{value:.10g}"


def _hundredth(n: RightNumber) -> str | None:
    per_cent = "percent" in n.question.says or "%" in n.gold
    return (n.value and plain_number(n.value / 100) + "%" * per_cent) or None


def _of_digits(n: RightNumber, template: str) -> str | None:
    """Fill the number into a template such as "{low} to {high}"; None if the number is not plain and whole."""
    low, high = plain_number(n.value - 1), plain_number(n.value + 1)
    names = {"bare": n.bare, "digits": n.digits, "low": low, "high": high}
    return template.format(**names) if n.digits else None


def _far(n: RightNumber) -> str | None:
    if "estimate" in n.question.prompt.casefold():
        return None
    return n.times(FAR) if n.value else "100"


def _truncated(n: RightNumber) -> str | None:
    return None if n.whole or "whole" in n.question.says else str(int(n.value))


def _digits(name: str, what: str, template: str) -> Operator[RightNumber]:
    return Operator(name, what, lambda n: _of_digits(n, template))


def _inside(name: str, what: str, mark: str) -> Operator[RightNumber]:
    """Return an operator that puts a mark between two digits, at a place that does not separate thousands."""

    def make(n: RightNumber) -> str | None:
        digits = n.digits
        at = next((k for k in range(1, len(digits)) if (len(digits) - k) % 3), 0)
        if mark == " " and "blanks" in n.question.says:
            return None
        return (
            f"{n.bare[: len(n.bare) - len(digits)]}{digits[:at]}{mark}{digits[at:]}" if at else None
        )

    return Operator(name, what, make)


def _scaled(name: str, what: str, factor: float) -> Operator[RightNumber]:
    return Operator(name, what, lambda n: n.times(factor))


SIGN: Operator[RightNumber] = _scaled("sign", "the opposite sign", -1)
TENFOLD: Operator[RightNumber] = _scaled("tenfold", "ten times the number", 10)
NEXT = _near("next", "one more", lambda n: n.written(n.value + 1))
CLOSE = (
    _near("off", "a tenth more", lambda n: n.times(OFF)),
    _near("near", "one percent more", lambda n: n.times(NEAR)),
    _near("slight", "0.2 percent more", lambda n: n.times(SLIGHT)),
)
# fmt: off
NUMBERS: tuple[Operator[RightNumber], ...] = (
    NEXT,
    SIGN,
    Operator("zero", "zero", lambda n: "0" if n.value else None),
    Operator("far", "one and a half times the number", _far),
    *CLOSE,
    TENFOLD,
    _scaled("hundredfold", "a hundred times the number", 100),
    _scaled("thousandth", "a thousandth of the number", 0.001),
    Operator("hundredth", "a hundredth of the number", _hundredth),
    Operator("unit", "the number with an invented unit", lambda n: f"{n.gold} zq" if UNIT_ASKED.search(n.question.prompt) else None),
    _near("truncated", "the number without its decimals", _truncated),
    Operator("prefix", "all digits but the last", lambda n: n.bare[:-1] if len(n.digits) > 1 else None ),
    _near("cut", "decimals added that change the number", lambda n: _of_digits(n, "{bare}.9")),
    _digits("longer", "an extra digit at the end", "{bare}7"),
    _inside("blank-in", "a space between the digits", " "),
    _inside("point-in", "a point between the digits", "."),
    _inside("unit-in", "a unit between the digits", "km"),
    _digits("parted", "a second number after the right one", "{bare} {high}"),
    _digits("plus", "a sum with a different value", "{bare} + 1"),
)
# fmt: on


def _denominator(fraction: re.Match[str]) -> str | None:
    return f"{fraction[1]}/{int(fraction[2]) + 1}" if int(fraction[1]) else None


FRACTIONS: tuple[Operator[re.Match[str]], ...] = (
    Operator("numerator", "the numerator alone", lambda f: f[1]),
    Operator("denominator", "a different denominator", _denominator),
)


def _unit_asked(n: RightNumber) -> Expectation:
    asked = "unit" in n.question.says or n.unit in n.question.prompt
    return "wrong" if asked else "doubtful"


def _other_unit(n: RightNumber, *, case: bool) -> str | None:
    """Return the same number in a unit that differs by a power of ten; None if the unit has no such variant."""
    found = PREFIXED.fullmatch(n.unit)
    prefix = found["prefix"] if found else ""
    if not found or (case and prefix not in OTHER_CASE):
        return None
    other = OTHER_CASE[prefix] if case else "" if prefix else "k"
    return f"{n.amount} {other}{found['base']}{found['rest']}"


def _of_case(n: RightNumber) -> Expectation:
    found = PREFIXED.fullmatch(n.unit)
    return "wrong" if found and found["base"].startswith(IN_USE) else "doubtful"


# fmt: off
MEASURES: tuple[Operator[RightNumber], ...] = (
    Operator("unit", "another unit", lambda n: f"{n.amount} zq", _unit_asked),
    SIGN,
    NEXT,
    Operator("far", "one and a half times the number", lambda n: n.times(FAR)),
    *CLOSE,
    TENFOLD,
    Operator("infinite", "a number too large for floating point", lambda n: f"1e999 {n.unit}"),
    Operator("unit.case", "a different prefix of the unit, such as milli for mega", partial(_other_unit, case=True), _of_case),
    Operator("unit.prefix", "a different prefix of the unit", partial(_other_unit, case=False)),
)
# fmt: on


SCIENTIFIC = re.compile(
    r"(?P<mantissa>[-+]?\d{1,20}(?:\.\d{1,20})?)(?P<times>[eE]|\s?(?:[\u00d7x*\u00b7]|\\times)\s?10\s?\^\{?)"
    r"(?P<power>[-+\u2212]?\d{1,3})(?P<rest>\}?)"
)
"""Matches a number in scientific notation, such as 3.97e-19 or 3.97 x 10^-19."""


def _scientific(
    name: str, what: str, make: Callable[[float, int], tuple[float, int]]
) -> Operator[re.Match[str]]:
    """Return an operator from ``make``, which returns another mantissa and exponent."""

    def write(number: re.Match[str]) -> str:
        power = int(number["power"].replace("\u2212", "-"))
        mantissa, power = make(float(number["mantissa"]), power)
        return f"{mantissa:.4g}{number['times']}{power}{number['rest']}"

    return Operator(name, what, write)


POWERS: tuple[Operator[re.Match[str]], ...] = (
    Operator("zero", "zero", lambda _: "0"),
    _scientific("tenfold", "ten times the number", lambda m, p: (m, p + 1)),
    _scientific("power-sign", "the opposite sign of the exponent", lambda m, p: (m, -p or 3)),
    _scientific("sign", "the opposite sign", lambda m, p: (-m, p)),
    _scientific("far", "one and a half times the number", lambda m, p: (m * FAR, p)),
)


def other_numbers(question: Question, frame: Template) -> Iterator[Guess]:
    """Yield wrong numbers, if the question's right answer is a number."""
    gold, hold = question.gold, frame.hold
    if found := SCIENTIFIC.fullmatch(gold):
        yield from perturb(POWERS, found, hold)
    elif found := FRACTION.fullmatch(gold):
        yield from perturb(FRACTIONS, found, hold)
    elif is_number(gold):
        yield from perturb(NUMBERS, RightNumber(question, gold, value_of(gold)), hold)
    elif found := MEASURED.fullmatch(gold):
        measure = RightNumber(question, gold, value_of(found["number"]), found["unit"])
        yield from perturb(MEASURES, measure, hold)
