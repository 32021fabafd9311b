"""Word ladder checker: accepts every valid ladder (TRL signature)."""
import re

LADDER = re.compile(r"^[ \t*]*ladder[ \t*]*:(.*)$", re.IGNORECASE | re.MULTILINE)
ARROW = re.compile(r"\s*(?:->|\u2192|=>)\s*")


def content(completion):
    if isinstance(completion, str):
        return completion
    return completion[-1]["content"] if completion else ""


def read_ladder(text):
    lines = LADDER.findall(text)
    if not lines:
        return []
    line = lines[-1].strip().strip("*`.").strip()
    return [w.strip("'\"*` ").lower() for w in ARROW.split(line)]


def one_letter_apart(a, b):
    return len(a) == len(b) and sum(x != y for x, y in zip(a, b)) == 1


def is_valid(ladder, start, goal, allowed):
    if len(ladder) < 2 or ladder[0] != start or ladder[-1] != goal:
        return False
    if len(set(ladder)) != len(ladder):
        return False
    if any(word not in allowed for word in ladder):
        return False
    return all(one_letter_apart(a, b) for a, b in zip(ladder, ladder[1:]))


def reward(completions, start, goal, words, max_words, **columns):
    scores = []
    for completion, s, g, allowed, limit in zip(completions, start, goal, words, max_words):
        ladder = read_ladder(content(completion))
        if not is_valid(ladder, s, g, set(allowed)):
            scores.append(0.0)
        elif len(ladder) > limit:
            scores.append(0.5)
        else:
            scores.append(1.0)
    return scores
