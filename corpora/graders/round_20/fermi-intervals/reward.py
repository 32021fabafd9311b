"""Interval estimates: the true value has to lie inside, and the interval has to be tight.

Tightness is measured by the ratio of the upper to the lower end, which suits quantities
that are known to an order of magnitude.
"""
import math
import re

NUMBER = r"[-+]?\d[\d,_]*(?:\.\d+)?(?:\s*(?:[eE]|[x×*]\s*10\s*\^)\s*[-+]?\d+)?"
SCALES = {"": 1.0, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
INTERVAL = re.compile(
    rf"\[\s*({NUMBER})\s*(thousand|million|billion|trillion)?\s*[,;]\s+"
    rf"({NUMBER})\s*(thousand|million|billion|trillion)?\s*\]",
    re.IGNORECASE,
)
POWER = re.compile(r"[x×*]10\^")


def to_float(text, scale):
    compact = re.sub(r"[,_\s]", "", text)
    compact = POWER.sub("e", compact)
    try:
        value = float(compact) * SCALES[(scale or "").lower()]
    except (ValueError, OverflowError):
        return None
    return value if math.isfinite(value) else None


def final_line(completion):
    for raw in reversed(completion.splitlines()):
        line = raw.strip().strip("*`").strip()
        if line.lower().startswith("interval:"):
            return line[len("interval:"):].strip().strip("*").strip()
    return None


def read_interval(completion):
    line = final_line(completion)
    if line is None:
        return None
    m = INTERVAL.match(line)
    if not m:
        return None
    low = to_float(m[1], m[2])
    high = to_float(m[3], m[4])
    if low is None or high is None or low > high:
        return None
    return low, high


def spread(low, high):
    """How many times the upper end is the lower end."""
    if low == 0:
        return math.inf
    return high / low


def reward(completion, truth, max_ratio, **row) -> float:
    interval = read_interval(completion)
    if interval is None:
        return 0.0
    low, high = interval
    if not low <= truth <= high:
        return 0.0
    ratio = spread(low, high)
    if ratio <= max_ratio:
        return 1.0
    if ratio <= max_ratio ** 2:
        return 0.5
    return 0.0
