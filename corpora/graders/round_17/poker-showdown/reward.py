"""Reward for naming the winner of a poker showdown and the winning category."""
import re

CATEGORIES = ["high card", "pair", "two pair", "three of a kind", "straight", "flush",
              "full house", "four of a kind", "straight flush"]
ALIASES = {"one pair": "pair", "a pair": "pair", "two pairs": "two pair", "trips": "three of a kind",
           "set": "three of a kind", "quads": "four of a kind", "boat": "full house",
           "royal flush": "straight flush"}


def last_field(completion, label):
    value = None
    for line in completion.splitlines():
        line = line.replace("*", "").replace("`", "").strip()
        if line.lower().startswith(label + ":"):
            value = line[len(label) + 1:].strip().rstrip(".")
    return value


def read_winners(text, players):
    """The named players as a set, or None when a name is unknown or repeated."""
    known = {p.lower(): p for p in players}
    names = [n.strip().lower() for n in re.split(r",|&|\band\b", text) if n.strip()]
    if not names or len(set(names)) != len(names):
        return None
    if any(n not in known for n in names):
        return None
    return {known[n] for n in names}


def read_category(text):
    """The announced spelling of a category, or None."""
    if not text:
        return None
    text = " ".join(text.lower().replace("-", " ").split())
    text = ALIASES.get(text, text)
    return text if text in CATEGORIES else None


def reward(completion, hands, winners, category, **row):
    named = last_field(completion, "winner")
    kind = last_field(completion, "category")
    if not named:
        return 0.0
    got = read_winners(named, hands)
    if got != set(winners):
        return 0.0
    return 1.0 if read_category(kind) == category else 0.5
