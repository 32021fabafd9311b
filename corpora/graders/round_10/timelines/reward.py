"""Put events in chronological order; the score is the share of pairs in the right order."""
import re
from itertools import combinations

LINE = re.compile(r"order\W*?:\W*(.+)", re.I)


def parse_order(completion, events):
    """Letters on the last 'Order:' line, or None when it is missing or malformed."""
    lines = LINE.findall(completion)
    if not lines:
        return None
    body = lines[-1].upper()
    letters = re.findall(r"\b[A-Z]\b", body)
    if not letters:
        return None
    if len(set(letters)) != len(letters):
        return None                      # an event listed twice
    if any(x not in events for x in letters):
        return None                      # no such event
    return letters


def pair_score(order, rank):
    pairs = list(combinations(order, 2))
    if not pairs:
        return 0.0
    right = sum(rank[a] < rank[b] for a, b in pairs)
    return right / len(pairs)


def reward(completion, order, **_):
    """order: the letters of all events, earliest first."""
    rank = {letter: i for i, letter in enumerate(order)}
    given = parse_order(completion, rank)
    if given is None:
        return 0.0
    return pair_score(given, rank)
