"""Reward for calendar questions: one ISO date between <date> tags."""
import re
from datetime import date

TAG = re.compile(r"<date>(.*?)</date>", re.DOTALL | re.IGNORECASE)
ISO = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def as_text(completion):
    """Plain string, or the last message of a chat."""
    if isinstance(completion, str):
        return completion
    return completion[-1]["content"]


def parse_date(text):
    """The date in the last pair of tags, or None."""
    found = TAG.findall(text)
    if not found:
        return None
    body = found[-1].strip()
    if not ISO.fullmatch(body):
        return None
    try:
        return date.fromisoformat(body)
    except ValueError:  # 2025-02-30
        return None


def reward(completions, answer, **kwargs):
    scores = []
    for completion, expected in zip(completions, answer):
        predicted = parse_date(as_text(completion))
        scores.append(1.0 if predicted == date.fromisoformat(expected) else 0.0)
    return scores
