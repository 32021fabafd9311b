"""Reward for word ladders over a given word bank."""
import re

LINE = re.compile(r"\s*ladder\s*:(.*)", re.IGNORECASE)
SEPARATOR = re.compile(r"\s*(?:->|\u2192|>|,)\s*")


def split_words(text):
    return text.lower().split(",")


def read_ladder(completion):
    """Words of the last `Ladder:` line in lower case, or an empty list."""
    found = ""
    for line in completion.splitlines():
        m = LINE.fullmatch(line.replace("*", "").replace("`", ""))
        if m:
            found = m.group(1).strip().rstrip(".")
    words = [w.lower() for w in SEPARATOR.split(found)]
    if not all(re.fullmatch(r"[a-z]+", w) for w in words):
        return []
    return words


def one_letter_apart(a, b):
    return len(a) == len(b) and sum(x != y for x, y in zip(a, b)) == 1


def reward(completion, start, goal, bank, avoid, max_words, **row) -> float:
    words = read_ladder(completion)
    if len(words) < 2 or len(words) > max_words:
        return 0.0
    if words[0] != start.lower() or words[-1] != goal.lower():
        return 0.0
    if len(set(words)) != len(words):
        return 0.0
    known = {w.lower() for w in bank}
    closed = set(split_words(avoid))
    for word in words:
        if word not in known or word in closed:
            return 0.0
    if not all(one_letter_apart(a, b) for a, b in zip(words, words[1:])):
        return 0.0
    return 1.0
