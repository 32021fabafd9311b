"""Reward for listing the occurrences of a recurring appointment inside a window."""
import calendar
import re
from datetime import date, timedelta

BLOCK = re.compile(r"<dates>((?:(?!<dates>).)*?)</dates>", re.S | re.I)
LINE = re.compile(r"(?:[-*]\s+|[0-9]+[.)]\s+)?([0-9]{4})-([0-9]{2})-([0-9]{2})")
WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]


def months_from(start, step):
    year, month = start.year, start.month
    while True:
        yield year, month
        total = year * 12 + (month - 1) + step
        year, month = divmod(total, 12)
        month += 1


def nth_weekday(year, month, weekday, nth):
    days = [d for d in range(1, calendar.monthrange(year, month)[1] + 1)
            if date(year, month, d).weekday() == weekday]
    if nth == -1:
        return date(year, month, days[-1])
    return date(year, month, days[nth - 1]) if nth <= len(days) else None


def raw_occurrences(start, rule, limit):
    """Occurrences of the rule in order, from `start` to `limit`, before any moving."""
    kind, step = rule["kind"], rule.get("every", 1)
    if kind == "days":
        day = start
        while day <= limit:
            yield day
            day += timedelta(days=step)
    elif kind == "weekly":
        monday = start - timedelta(days=start.weekday())
        offsets = sorted(WEEKDAYS.index(d) for d in rule["on"])
        while monday <= limit:
            for off in offsets:
                day = monday + timedelta(days=off)
                if start <= day <= limit:
                    yield day
            monday += timedelta(weeks=step)
    else:
        for year, month in months_from(start, step):
            if date(year, month, 1) > limit:
                return
            if kind == "monthly_weekday":
                day = nth_weekday(year, month, WEEKDAYS.index(rule["on"]), rule["nth"])
            else:
                last = calendar.monthrange(year, month)[1]
                if rule["day"] <= last:
                    day = date(year, month, rule["day"])
                else:
                    day = date(year, month, last) if rule.get("short") == "last" else None
            if day is not None and start <= day <= limit:
                yield day


def occurrences(start, rule, skip, first, last):
    out = []
    for n, day in enumerate(raw_occurrences(start, rule, last), 1):
        if rule.get("count") and n > rule["count"]:
            break
        if rule.get("weekend") == "monday" and day.weekday() >= 5:
            day += timedelta(days=7 - day.weekday())
        if first <= day <= last and day not in skip:
            out.append(day)
    return out


def parse(completion):
    blocks = BLOCK.findall(completion)
    if not blocks:
        return None
    lines = [ln.strip() for ln in blocks[-1].splitlines() if ln.strip()]
    if len(lines) == 1 and lines[0].lower() == "none":
        return []
    found = []
    for ln in lines:
        m = LINE.fullmatch(ln)
        if not m:
            return None
        try:
            found.append(date(*map(int, m.groups())))
        except ValueError:
            return None
    return found or None


def reward(completion, start, rule, skip, window, **row):
    got = parse(completion)
    if got is None:
        return 0.0
    first, last = (date.fromisoformat(d) for d in window)
    want = occurrences(date.fromisoformat(start), rule,
                       {date.fromisoformat(d) for d in skip}, first, last)
    if got == want:
        return 1.0
    if sorted(got) == want:
        return 0.5
    return 0.0
