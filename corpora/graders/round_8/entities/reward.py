"""Reward for entity extraction as a set: F1 against the gold names (TRL style)."""
import json
import re

LINE = re.compile(r"^\W*entities\W*?:\s*(\[.*\])\W*$", re.I | re.M)
TITLE = re.compile(r"^(?:dr|prof|professor|mr|mrs|ms|sir|captain)\.?\s+")
QUOTES = str.maketrans({"\u2019": "'", "\u2018": "'", "\u201c": '"', "\u201d": '"'})


def _norm(name):
    """Case, spacing, the sort of apostrophe and titles before a name do not matter."""
    name = re.sub(r"\s+", " ", name.translate(QUOTES)).strip().lower()
    return TITLE.sub("", name)


def _predicted(text):
    """The set of names on the last 'Entities: [...]' line, or None if it is not valid."""
    found = LINE.findall(text)
    if not found:
        return None
    try:
        names = json.loads(found[-1])
    except (ValueError, RecursionError):
        return None
    if not isinstance(names, list) or not all(isinstance(n, str) for n in names):
        return None
    return {_norm(n) for n in names}


def _f1(got, gold):
    if not got and not gold:
        return 1.0  # the text has none, and the reply says so
    hits = len(got & gold)
    if hits == 0:
        return 0.0
    precision, recall = hits / len(got), hits / len(gold)
    return 2 * precision * recall / (precision + recall)


def reward(completions, gold, **_):
    """F1 of the set of names; a missing or malformed list scores 0.0."""
    scores = []
    for completion, names in zip(completions, gold):
        text = completion if isinstance(completion, str) else completion[-1]["content"]
        got = _predicted(text)
        if got is None:
            scores.append(0.0)
        else:
            scores.append(_f1(got, {_norm(n) for n in names}))
    return scores
