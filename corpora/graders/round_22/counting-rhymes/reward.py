"""Reward for counting-out rhymes: who leaves the circle when, and who is left.

Full reward for the whole order; a quarter if only the child who is left is right.
"""
import re

LINE = re.compile(r"order\s*:\s*(.*)", re.IGNORECASE)
SEPARATOR = re.compile(r"\s*(?:,|;|->|→)\s*")
LAST_ONLY = 0.25


def order_line(completion):
    """Text after the last "Order:" in the reply, or None."""
    found = None
    for raw in completion.split("\n"):
        line = raw.replace("*", "").replace("`", "").strip()
        m = LINE.fullmatch(line)
        if m:
            found = m.group(1)
    return found


def parse_order(text, children):
    """Children in the order given; None if a name is unknown, missing or double."""
    known = {c.lower(): c for c in children}
    parts = SEPARATOR.split(text.strip().rstrip(".").strip())
    names = []
    for part in parts:
        name = known.get(part.strip().lower())
        if name is None or name in names:
            return None
        names.append(name)
    if len(names) != len(children):
        return None
    return names


def reward(completion, children, order, **row):
    text = order_line(completion)
    if text is None:
        return 0.0
    names = parse_order(text, children)
    if names is None:
        return 0.0
    if names == order:
        return 1.0
    if names[-1] == order[-1]:
        return LAST_ONLY
    return 0.0
