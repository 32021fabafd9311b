"""Reward for writing star positions in sexagesimal form."""
import re
from decimal import Decimal

LINE = re.compile(r"\s*(ra|dec)\s*:\s*(.*?)\s*", re.IGNORECASE)
RA = re.compile(r"(\d{1,2})(?:\s*h\s*|\s*:\s*|\s+)(\d{1,2})(?:\s*m\s*|\s*:\s*|\s+)"
                r"(\d{1,2}(?:\.\d{1,3})?)(?:\s*s)?", re.ASCII)
DEC = re.compile(r"([+-]?\d{1,2})(?:\s*[d\u00b0]\s*|\s*:\s*|\s+)"
                 r"(\d{1,2})(?:\s*['m\u2032\u2019]\s*|\s*:\s*|\s+)"
                 r"(\d{1,2}(?:\.\d{1,3})?)(?:\s*(?:[\"s\u2033\u201d]|''))?", re.ASCII)

RA_SLACK = Decimal("0.1")   # seconds of time
DEC_SLACK = Decimal("1")    # arcseconds


def read_lines(completion):
    """Last `RA:` and `Dec:` values of the reply."""
    got = {}
    for line in completion.splitlines():
        m = LINE.fullmatch(re.sub(r"[*`$]", "", line))
        if m:
            got[m.group(1).lower()] = m.group(2).rstrip(".").replace("\u2212", "-")
    return got


def sexagesimal(pattern, text):
    """Total in seconds (of time or of arc), or None if malformed."""
    m = pattern.fullmatch(text)
    if not m:
        return None
    units, minutes, seconds = int(m.group(1)), int(m.group(2)), Decimal(m.group(3))
    if minutes >= 60 or seconds >= 60:
        return None
    fraction = minutes * 60 + seconds
    if units < 0:
        return units * 3600 - fraction
    return units * 3600 + fraction


def reward(completion, ra_deg, dec_deg, **row) -> float:
    got = read_lines(completion)
    score = 0.0

    hours = sexagesimal(RA, got.get("ra", ""))
    if hours is not None and 0 <= hours < 86400:
        if abs(hours - Decimal(ra_deg) * 240) <= RA_SLACK:
            score += 0.5

    arc = sexagesimal(DEC, got.get("dec", ""))
    if arc is not None and abs(arc) <= 90 * 3600:
        if abs(arc - Decimal(dec_deg) * 3600) <= DEC_SLACK:
            score += 0.5
    return score
