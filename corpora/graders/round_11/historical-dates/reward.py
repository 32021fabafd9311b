"""Reward for Julian -> Gregorian date conversion.

The reply must end with a line `Answer: YYYY-MM-DD`.  The last such line counts,
and it has to be the last non-empty line of the reply.  1.0 for the right day, else 0.0.
"""
import datetime
import re

ANSWER_LINE = re.compile(r"^[*_`\s]*answer[*_`\s]*:[*_`\s]*(\d{4})-(\d{2})-(\d{2})[*_`\s]*\.?[*_`\s]*$", re.IGNORECASE)


def _strip_think(text):
    """Drop a leading reasoning block if the policy emits one."""
    if "</think>" in text:
        return text.rsplit("</think>", 1)[1]
    return text


def _parse(text):
    lines = [line for line in text.strip().splitlines() if line.strip()]
    if not lines:
        return None
    match = ANSWER_LINE.match(lines[-1].strip())
    if match is None:
        return None
    try:
        return datetime.date(*(int(part) for part in match.groups()))
    except ValueError:
        # e.g. 1700-02-30: not a date at all
        return None


def reward(completion, answer, **row):
    given = _parse(_strip_think(completion))
    if given is None:
        return 0.0
    return 1.0 if given == datetime.date.fromisoformat(answer) else 0.0
