# mypy: allow-untyped-defs, allow-untyped-calls
"""Functions that edited graders call. Their source is added to the edited grader, so this module imports no package."""

import decimal
import fractions
import math
import re


def half_up(value, places=0):
    """Return a number rounded to ``places`` decimals, with halves away from zero."""
    step = decimal.Decimal(1).scaleb(-places)
    if isinstance(value, fractions.Fraction):
        value = decimal.Decimal(value.numerator) / value.denominator
    rounded = decimal.Decimal(str(value)).quantize(step, rounding=decimal.ROUND_HALF_UP)
    return type(value)(rounded) if places else int(rounded)


def exact_product(one, other):
    """Return the product of two numbers as they are written, without errors of binary fractions."""
    return decimal.Decimal(str(one)) * decimal.Decimal(str(other))


def truncated_quotient(one, other):
    """Return a quotient without its decimals, as in C and Java."""
    whole = abs(one) // abs(other)
    return whole if (one < 0) == (other < 0) else -whole


def truncated_rest(one, other):
    """Return the remainder with the sign of the dividend, as in C and Java."""
    return one - other * truncated_quotient(one, other)


def casefolded(value):
    """Return a text, or the texts of a collection, without capitals."""
    if isinstance(value, str):
        return value.casefold()
    if isinstance(value, dict):
        return {casefolded(key): each for key, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return type(value)(map(casefolded, value))
    return value


def by_value(value):
    """Return a sort key for a text in which numbers are compared by their values."""
    if not isinstance(value, str):
        return value
    parts = re.split(r"(\d{1,18})", value)
    return [(0, int(each), "") if each.isdigit() else (1, 0, each) for each in parts]


def nearly_equal(one, other):
    """Return whether two values are equal, or numbers that differ by rounding errors alone."""
    try:
        return math.isclose(float(one), float(other), rel_tol=1e-6, abs_tol=1e-9)
    except (TypeError, ValueError):
        return one == other


def without_repeats(items):
    """Return a list with the first of equal items."""
    return list(dict.fromkeys(items)) if isinstance(items, list | tuple) else items
