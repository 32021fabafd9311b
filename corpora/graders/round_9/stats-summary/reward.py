"""Descriptive statistics, four values, a quarter of the reward for each (as the prompt says)."""
import re
import statistics
from decimal import Decimal, InvalidOperation

TOL = Decimal("0.01")
NAMES = ("mean", "median", "std", "modes")
NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?")


def last_values(text):
    """name -> text after the '=' on the last line for that name."""
    out = {}
    for line in text.splitlines():
        m = re.match(r"\s*[*`-]*\s*(mean|median|std|modes)\s*[*`]*\s*=\s*(.+?)[\s*`]*$", line, re.I)
        if m:
            out[m.group(1).lower()] = m.group(2).strip(" *`")
    return out


def as_number(s):
    if not NUMBER.fullmatch(s):
        return None
    try:
        return Decimal(s)
    except InvalidOperation:
        return None


def as_numbers(s):
    vals = [as_number(p.strip()) for p in s.split(",")]
    return None if None in vals else set(vals)


def reference(data, kind):
    xs = [Decimal(str(x)) for x in data]
    std = statistics.stdev(xs) if kind == "sample" else statistics.pstdev(xs)
    return {
        "mean": statistics.mean(xs),
        "median": statistics.median(xs),
        "std": std,
        "modes": set(statistics.multimode(xs)),
    }


def reward(completion, data, kind, **row):
    text = completion if isinstance(completion, str) else completion[-1]["content"]
    got, ref = last_values(text), reference(data, kind)
    score = 0.0
    for name in NAMES:
        if name not in got:
            continue
        if name == "modes":
            score += 0.25 * (as_numbers(got[name]) == ref[name])
            continue
        value = as_number(got[name])
        if value is not None and abs(value - ref[name]) <= TOL:
            score += 0.25
    return score
