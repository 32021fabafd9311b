"""Reward for converting between modern dates and the Roman calendar."""
import re

ENGLISH = ["january", "february", "march", "april", "may", "june", "july",
           "august", "september", "october", "november", "december"]
LATIN = ["ian", "feb", "mar", "apr", "mai", "iun", "iul", "aug", "sep", "oct", "nov", "dec"]
LENGTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
LATE = {3, 5, 7, 10}

ROMAN = re.compile(
    r"(?:(?P<ad>a\.? ?d\.?|ante diem) (?P<n>[ivx]+)\.? |(?P<prid>prid\.?|pridie) )?"
    r"(?P<anchor>kal\.?|kalendas|non\.?|nonas|id\.?|idus) (?P<month>[a-z]+)\.?"
)
MODERN = re.compile(r"(?:(\d{1,2})(?:st|nd|rd|th)? ([a-z]+)|([a-z]+) (\d{1,2})(?:st|nd|rd|th)?)", re.ASCII)
NUMERAL = re.compile(r"(x?)(ix|iv|(v?)(i{0,4}))")


def last_line(completion):
    lines = [ln.strip() for ln in completion.splitlines() if ln.strip()]
    if not lines:
        return ""
    text = re.sub(r"[*`_]", "", lines[-1]).strip().rstrip(".").rstrip()
    return re.sub(r"\s+", " ", text).lower()


def numeral(text):
    m = NUMERAL.fullmatch(text)
    if not m:
        return None
    tens = 10 if m.group(1) else 0
    tail = {"ix": 9, "iv": 4}.get(m.group(2))
    if tail is None:
        tail = (5 if m.group(3) else 0) + len(m.group(4))
    return tens + tail


def to_roman(month, day):
    """(inclusive count back, anchor, month of the anchor)."""
    nones = 7 if month in LATE else 5
    ides = nones + 8
    for anchor, at in (("kal", 1), ("non", nones), ("id", ides)):
        if day <= at:
            return at - day + 1, anchor, month
    return LENGTH[month - 1] - day + 2, "kal", month % 12 + 1


def read_roman(text):
    m = ROMAN.fullmatch(text.replace("j", "i"))
    if not m:
        return None
    name = "sep" if m["month"] == "sept" else m["month"]
    if name not in LATIN:
        return None
    count = 1
    if m["prid"]:
        count = 2
    elif m["ad"]:
        count = numeral(m["n"])
        if count is None or count < 3:
            return None
    anchor = {"k": "kal", "n": "non", "i": "id"}[m["anchor"][0]]
    return count, anchor, LATIN.index(name) + 1


def read_modern(text):
    m = MODERN.fullmatch(text)
    if not m:
        return None
    day, name = (m[1], m[2]) if m[1] else (m[4], m[3])
    return (ENGLISH.index(name) + 1, int(day)) if name in ENGLISH else None


def reward(completion, month, day, direction, **row) -> float:
    text = last_line(completion)
    if direction == "to_roman":
        return float(read_roman(text) == to_roman(month, day))
    return float(read_modern(text) == (month, day))
