import re
from datetime import date

DATE_LINE = re.compile(r"^\s*\**Date:\**\s*\**([0-9]{4})-([0-9]{2})-([0-9]{2})\.?\**\s*$", re.I)


def date_reward(reply: str, row: dict) -> float:
    """1.0 for the right day, 0.25 for one day off, otherwise 0.0."""
    lines = [ln for ln in (reply or "").splitlines() if ln.strip()]
    if not lines:
        return 0.0
    m = DATE_LINE.match(lines[-1])
    if m is None:
        return 0.0
    got = date(int(m.group(1)), int(m.group(2)), int(m.group(3)))
    want = date.fromisoformat(row["answer"])
    off = abs((got - want).days)
    if off == 0:
        return 1.0
    if off == 1:
        return 0.25
    return 0.0
