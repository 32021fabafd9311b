"""Crontab expressions, compared by the minutes at which they fire, not by their text."""
import re

MONTHS = {m: i + 1 for i, m in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split())}
DAYS = {d: i for i, d in enumerate("sun mon tue wed thu fri sat".split())}
FIELDS = [(0, 59, {}), (0, 23, {}), (1, 31, {}), (1, 12, MONTHS), (0, 7, DAYS)]
MONTH_LENGTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]


def value(text, names):
    text = text.lower()
    if text in names:
        return names[text]
    if not re.fullmatch(r"[0-9]{1,2}", text):
        raise ValueError(text)
    return int(text)


def expand(field, low, high, names):
    """The set of values that a field stands for; ValueError where it is not valid."""
    out = set()
    for part in field.split(","):
        body, slash, step = part.partition("/")
        if slash and not re.fullmatch(r"[1-9][0-9]?", step):
            raise ValueError(part)
        if body == "*":
            first, last = low, high
        elif "-" in body:
            first, last = (value(x, names) for x in body.split("-"))
        elif slash:
            raise ValueError("a step needs * or a range")
        else:
            first = last = value(body, names)
        if not low <= first <= last <= high:
            raise ValueError(part)
        out.update(range(first, last + 1, int(step) if slash else 1))
    return out


def firing(expression):
    """(minutes, hours, the (month, day, weekday) triples) at which the expression fires."""
    fields = expression.split()
    if len(fields) != 5:
        raise ValueError("five fields expected")
    minute, hour, dom, month, dow = (expand(f, *spec) for f, spec in zip(fields, FIELDS))
    if fields[4].startswith("*"):
        dow = set(expand(fields[4], 0, 6, DAYS))
    dow = {d % 7 for d in dow}
    both = not fields[2].startswith("*") and not fields[4].startswith("*")
    days = set()
    for m in month:
        for d in range(1, MONTH_LENGTH[m - 1] + 1):
            for w in range(7):
                hit = (d in dom or w in dow) if both else (d in dom and w in dow)
                if hit:
                    days.add((m, d, w))
    return minute, hour, days


def reward(completion, reference, **_):
    found = re.findall(r"<cron>(.*?)</cron>", completion, flags=re.S)
    if len(found) != 1:
        return 0.0
    try:
        got = firing(found[0].strip().strip("`"))
    except ValueError:
        return 0.0
    return 1.0 if got == firing(reference) else 0.0
