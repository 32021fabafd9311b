import re

LINE = re.compile(
    r"^\W*arrival\W*:\W*(\d{1,2}):(\d{2})\s*(?:([ap])\.?\s?m\.?)?\W*$", re.I | re.M
)


def _minutes(hours, minutes, half):
    hours, minutes = int(hours), int(minutes)
    if minutes > 59:
        return None
    if half:
        if not 1 <= hours <= 12:
            return None
        if half.lower() == "p":
            hours += 12
    elif hours > 23:
        return None
    return (hours % 24) * 60 + minutes


def score(completion: str, answer: str) -> float:
    """Compare the stated arrival time with the answer (HH:MM, 24-hour clock)."""
    found = LINE.findall(completion)
    if not found:
        return 0.0
    hours, minutes = answer.split(":")
    return 1.0 if _minutes(*found[-1]) == _minutes(hours, minutes, "") else 0.0
