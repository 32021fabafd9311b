"""Scores lists of request ids picked out of a service log."""
import re

LINE = re.compile(r"^[\s>*_`-]*IDS[*_`]*\s*:(.*)$", re.IGNORECASE)
REQUEST_ID = re.compile(r"(?<![\w-])req-[0-9a-f]{4}(?![\w-])", re.IGNORECASE)


def answer_line(completion):
    """Text after the last line that starts with IDS:, or None."""
    for raw in reversed(completion.splitlines()):
        match = LINE.match(raw)
        if match:
            return match.group(1).strip()
    return None


def request_ids(text):
    return [m.group(0).lower() for m in REQUEST_ID.finditer(text)]


def says_none(text):
    return text.strip(" *_`.").lower() == "none"


def f1(found, wanted):
    """F1 of the ids found against the ids wanted (both non-empty)."""
    wanted = {w.lower() for w in wanted}
    hits = [rid for rid in found if rid in wanted]
    if not hits:
        return 0.0
    precision = len(hits) / len(found)
    recall = min(1.0, len(hits) / len(wanted))
    return 2 * precision * recall / (precision + recall)


def reward(completion, wanted, **row):
    text = answer_line(completion or "")
    if text is None:
        return 0.0
    found = request_ids(text)
    if not wanted:
        return 1.0 if says_none(text) else 0.0
    if not found:
        return 0.0
    return round(f1(found, wanted), 4)
