"""Grader for crontab expressions.

Two expressions are the same schedule when they fire at the same minutes, so
the fields are expanded and the sets compared; the spelling is free.
"""
import re
from itertools import product

FIELDS = (("minute", 0, 59), ("hour", 0, 23), ("dom", 1, 31), ("month", 1, 12), ("dow", 0, 7))
MONTHS = {n: i for i, n in enumerate(
    "jan feb mar apr may jun jul aug sep oct nov dec".split(), start=1)}
WEEKDAYS = {n: i for i, n in enumerate("sun mon tue wed thu fri sat".split())}
MONTH_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


class BadCron(ValueError):
    pass


def value(token, field, low, high):
    names = {"month": MONTHS, "dow": WEEKDAYS}.get(field, {})
    if token.lower() in names:
        return names[token.lower()]
    if not re.fullmatch(r"[0-9]{1,2}", token):
        raise BadCron(token)
    number = int(token)
    if not low <= number <= high:
        raise BadCron(token)
    return number


def expand(text, field, low, high):
    out = set()
    for item in text.split(","):
        base, slash, step = item.partition("/")
        if base == "*":
            start, end = low, high
        elif "-" in base:
            left, _, right = base.partition("-")
            start, end = (value(t, field, low, high) for t in (left, right))
            if start > end:
                raise BadCron(item)
        else:
            start = end = value(base, field, low, high)
            if slash:
                raise BadCron(item)
        if slash:
            if not re.fullmatch(r"[0-9]{1,6}", step) or int(step) == 0:
                raise BadCron(item)
            if base == "*" and field == "dow":
                end = 6
        out.update(range(start, end + 1, int(step) if slash else 1))
    if field == "dow":
        out = {d % 7 for d in out}
    return out


def schedule(expression):
    """The times of day and the (month, day, weekday) triples on which it fires."""
    parts = expression.split()
    if len(parts) != 5:
        raise BadCron(expression)
    minute, hour, dom, month, dow = (
        expand(text, *spec) for text, spec in zip(parts, FIELDS))
    either = not parts[2].startswith("*") and not parts[4].startswith("*")
    days = set()
    for mon in month:
        for day, week in product(range(1, MONTH_DAYS[mon - 1] + 1), range(7)):
            hits = (day in dom, week in dow)
            if any(hits) if either else all(hits):
                days.add((mon, day, week))
    return set(product(hour, minute)), days


def last_line(completion):
    lines = [line.strip() for line in completion.splitlines()]
    lines = [line for line in lines if line and not re.fullmatch(r"`{3,}\s*\w*", line)]
    return lines[-1].strip("`").strip() if lines else ""


def reward(completion, reference, **row) -> float:
    try:
        got = schedule(last_line(completion))
    except BadCron:
        return 0.0
    return 1.0 if got == schedule(reference) else 0.0
