"""Build a data set with given statistics: any list that fits is right."""
import re
from collections import Counter
from fractions import Fraction

LINE = re.compile(r"^\W*data\W*?:[ \t*]*(.+)$", re.I | re.M)
INTEGER = re.compile(r"[+-]?[0-9]{1,6}")


def parse_data(completion):
    """Integers of the last `Data:` line; None if the line is missing or holds anything else."""
    lines = LINE.findall(completion)
    if not lines:
        return None
    text = lines[-1].replace("\u2212", "-").strip().rstrip(".").strip("*`$ ").rstrip(".")
    if text[:1] + text[-1:] in ("[]", "{}", "()"):
        text = text[1:-1]
    items = [item.strip() for item in text.split(",")]
    if not all(INTEGER.fullmatch(item) for item in items):
        return None
    return [int(item) for item in items]


def mean(data):
    return Fraction(sum(data), len(data))


def median(data):
    ordered, half = sorted(data), len(data) // 2
    if len(data) % 2:
        return Fraction(ordered[half])
    return Fraction(ordered[half - 1] + ordered[half], 2)


def modes(data):
    counts = Counter(data)
    top = max(counts.values())
    return [value for value, n in counts.items() if n == top]


def spread(data):
    return Fraction(max(data) - min(data))


def quartile_gap(data):
    """Upper minus lower quartile; quartiles are medians of the halves, middle value left out."""
    ordered, half = sorted(data), len(data) // 2
    return median(ordered[-half:]) - median(ordered[:half])


MEASURES = {"mean": mean, "median": median, "range": spread, "iqr": quartile_gap}


def holds(name, wanted, data):
    if name == "mode":
        return modes(data) == [int(wanted)]
    return MEASURES[name](data) == Fraction(wanted)


def reward(completion, size, low, high, distinct, statistics, **row):
    data = parse_data(completion)
    if data is None or len(data) != size:
        return 0.0
    if not all(low <= value <= high for value in data):
        return 0.0
    if distinct and len(set(data)) != size:
        return 0.0
    missed = sum(not holds(name, wanted, data) for name, wanted in statistics.items())
    return {0: 1.0, 1: 0.4}.get(missed, 0.0)
