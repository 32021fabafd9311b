"""Reward for the string length tasks: four ways of measuring one Unicode string."""
import json
import re
import unicodedata

FIELDS = ("code_points", "utf8_bytes", "utf16_units", "clusters")
OBJECT = re.compile(r"\{[^{}]*\}")
ZWJ = "\u200d"


def is_regional(ch):
    return "\U0001F1E6" <= ch <= "\U0001F1FF"


def extends(ch):
    """Code points that never start a cluster of their own."""
    if unicodedata.category(ch) in ("Mn", "Mc", "Me"):
        return True
    return (ch == ZWJ
            or "\U0001F3FB" <= ch <= "\U0001F3FF"
            or "\U000E0020" <= ch <= "\U000E007F")


def count_clusters(text):
    clusters = 0
    previous = ""
    regional_run = 0
    for ch in text:
        regional_run = regional_run + 1 if is_regional(ch) else 0
        joined = (extends(ch)
                  or previous == ZWJ
                  or (regional_run and regional_run % 2 == 0))
        if not previous or not joined:
            clusters += 1
        previous = ch
    return clusters


def measure(text):
    return {
        "code_points": len(text),
        "utf8_bytes": len(text.encode("utf-8")),
        "utf16_units": len(text.encode("utf-16-le")) // 2,
        "clusters": count_clusters(text),
    }


def read_object(completion):
    """The last {...} of the reply as a dict, or None."""
    found = OBJECT.findall(completion)
    if not found:
        return None
    try:
        value = json.loads(found[-1])
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def reward(completion, text, **row):
    answer = read_object(completion)
    if answer is None:
        return 0.0
    truth = measure(text)
    right = 0
    for field in FIELDS:
        value = answer.get(field)
        if type(value) is int and value == truth[field]:
            right += 1
    return right / len(FIELDS)
