"""Reward for reading a block of e-mail headers into JSON.

Four fields, a quarter of the reward each: sender, recipients, subject, sent.
"""
import json
import re
from datetime import datetime, timezone

FENCE = re.compile(r"```(?:json)?[ \t]*\n(.*?)```", re.DOTALL | re.IGNORECASE)
SPACES = re.compile(r"\s+")
FIELDS = ("sender", "recipients", "subject", "sent")


def load_object(completion):
    """The JSON object of the last code block, or of the whole reply."""
    blocks = FENCE.findall(completion)
    text = blocks[-1] if blocks else completion
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def address(text):
    if not isinstance(text, str):
        raise ValueError("address is not a string")
    return text.strip().lower()


def address_set(value):
    if not isinstance(value, list):
        raise ValueError("recipients are not a list")
    return {address(v) for v in value}


def subject_line(text):
    if not isinstance(text, str):
        raise ValueError("subject is not a string")
    return SPACES.sub(" ", text).strip()


def moment(text):
    """Time stamp, to the second, in a form that can be compared."""
    if not isinstance(text, str):
        raise ValueError("sent is not a string")
    stamp = datetime.fromisoformat(text.strip())
    if stamp.tzinfo is None:
        raise ValueError("offset is missing")
    return stamp.replace(tzinfo=timezone.utc, microsecond=0)


NORMAL = {
    "sender": address,
    "recipients": address_set,
    "subject": subject_line,
    "sent": moment,
}


def same(field, got, want):
    normal = NORMAL[field]
    try:
        return normal(got) == normal(want)
    except ValueError:
        return False


def reward(completion, sender, recipients, subject, sent, **row):
    data = load_object(completion)
    if data is None or set(data) != set(FIELDS):
        return 0.0
    want = {"sender": sender, "recipients": recipients, "subject": subject, "sent": sent}
    right = sum(same(f, data[f], want[f]) for f in FIELDS)
    return right / len(FIELDS)
