"""Overdue fines: half of the reward for the single items, half for the total."""
import re
from datetime import date, timedelta

BLOCK = re.compile(r"<fines>(.*?)</fines>", re.S | re.I)
ENTRY = re.compile(r"^\s*(?:-\s*)?(.+?)\s*:\s*\$?\s*(\d+(?:\.\d{1,2})?)\s*$")
DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]


def chargeable_days(due, returned, closed_weekdays, holidays):
    """Open days after the due date, up to and including the day of return."""
    closed = {DAYS.index(d) for d in closed_weekdays}
    off = {date.fromisoformat(h) for h in holidays}
    day = date.fromisoformat(due)
    end = date.fromisoformat(returned)
    count = 0
    while day < end:
        day += timedelta(days=1)
        if day.weekday() not in closed and day not in off:
            count += 1
    return count


def item_fine(item, rules, junior):
    days = chargeable_days(item["due"], item["returned"], rules["closed"], rules["holidays"])
    if days <= rules["grace"]:
        return 0
    fine = min(days * rules["rate"][item["kind"]], rules["cap"][item["kind"]])
    return fine // 2 if junior else fine


def cents(text):
    whole, _, frac = text.partition(".")
    return int(whole) * 100 + int((frac or "0").ljust(2, "0"))


def squash(name):
    return " ".join(name.split()).casefold()


def parse(completion):
    """Mapping name -> list of amounts in cents, from the last <fines> block."""
    blocks = BLOCK.findall(completion)
    if not blocks:
        return None
    amounts = {}
    for line in blocks[-1].splitlines():
        m = ENTRY.match(line)
        if m:
            amounts.setdefault(squash(m.group(1)), []).append(cents(m.group(2)))
        elif line.strip():
            return None
    return amounts


def reward(completion, items, rules, junior, **row):
    amounts = parse(completion)
    if not amounts:
        return 0.0
    fines = {squash(i["title"]): item_fine(i, rules, junior) for i in items}
    if set(amounts) - set(fines) - {"total"}:
        return 0.0
    right = sum(amounts.get(title) == [fine] for title, fine in fines.items())
    score = 0.5 * right / len(fines)
    total = min(sum(fines.values()), rules["visit_cap"])
    if amounts.get("total") == [total]:
        score += 0.5
    return score
