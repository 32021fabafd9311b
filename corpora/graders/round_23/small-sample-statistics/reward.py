"""Statistics of small samples, checked against exact arithmetic."""
import re
from decimal import Decimal, getcontext
from fractions import Fraction

getcontext().prec = 50

BOXED = re.compile(r"\\boxed\s*\{([^{}]*)\}")
NUMBER = re.compile(r"[+-]?[0-9]+(?:\.([0-9]+))?")


def to_decimal(value):
    return Decimal(value.numerator) / Decimal(value.denominator)


def mean(xs):
    return sum(xs, Fraction(0)) / len(xs)


def variance(xs):
    m = mean(xs)
    return sum((x - m) ** 2 for x in xs) / (len(xs) - 1)


def median(xs):
    xs, half = sorted(xs), len(xs) // 2
    return xs[half] if len(xs) % 2 else (xs[half - 1] + xs[half]) / 2


def evaluate(statistic, data, mu=None):
    xs = [Fraction(x) for x in data]
    n = len(xs)
    if statistic == "variance":
        return to_decimal(variance(xs))
    sd = to_decimal(variance(xs)).sqrt()
    if statistic == "sd":
        return sd
    if statistic == "standard_error":
        return sd / Decimal(n).sqrt()
    if statistic == "cv_percent":
        return 100 * sd / to_decimal(mean(xs))
    if statistic == "t":
        return to_decimal(mean(xs) - Fraction(mu)) * Decimal(n).sqrt() / sd
    if statistic == "mean_abs_dev":
        m = mean(xs)
        return to_decimal(sum(abs(x - m) for x in xs) / n)
    if statistic == "mad":
        m = median(xs)
        return to_decimal(median([abs(x - m) for x in xs]))
    if statistic == "skewness":
        m = mean(xs)
        third = to_decimal(sum((x - m) ** 3 for x in xs))
        return Decimal(n) * third / (Decimal((n - 1) * (n - 2)) * sd ** 3)
    raise ValueError(f"unknown statistic {statistic!r}")


def parse_answer(completion):
    """Value and number of decimals of the last boxed number."""
    boxes = BOXED.findall(completion)
    if not boxes:
        return None
    text = boxes[-1].replace("\u2212", "-").replace("\\%", "").replace("%", "").replace("$", "").strip()
    m = NUMBER.fullmatch(text)
    if m is None or len(text) > 30:
        return None
    return Decimal(text), len(m[1] or "")


def reward(completion, statistic, data, mu=None, **row):
    parsed = parse_answer(completion)
    if parsed is None:
        return 0.0
    value, places = parsed
    half_unit = Decimal(1).scaleb(-places) / 2
    return 1.0 if abs(value - evaluate(statistic, data, mu)) <= half_unit else 0.0
