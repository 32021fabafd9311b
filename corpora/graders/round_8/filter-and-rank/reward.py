"""Reward for filter-and-rank questions: a JSON list of names in the right order."""
import json
import re

PREFIX = re.compile(r"^ranking:\s*(\[.*\])\s*$", re.IGNORECASE)


def last_ranking(text):
    """The list on the last 'Ranking: [...]' line, or None if there is none."""
    for line in reversed(text.strip().splitlines()):
        match = PREFIX.match(line.strip())
        if match is None:
            continue
        try:
            value = json.loads(match.group(1))
        except json.JSONDecodeError:
            return None
        return value if isinstance(value, list) else None
    return None


def clean(name):
    """Case and repeated spaces do not matter."""
    return " ".join(str(name).split()).casefold()


def same_order(predicted, expected):
    return all(clean(p) == clean(e) for p, e in zip(predicted, expected))


def reward(completion, ranking, **row):
    """1.0 for the full ranking in the right order, else 0.0."""
    predicted = last_ranking(completion)
    if not predicted:
        return 0.0
    if len(set(map(clean, predicted))) != len(predicted):
        return 0.0  # the same name twice
    return 1.0 if same_order(predicted, ranking) else 0.0
