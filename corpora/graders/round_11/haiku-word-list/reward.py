"""Haiku from a fixed word list (syllables are given, so nothing is guessed).

1.0 if every rule holds; 0.5 if the only rule broken is that the required word
is missing (the prompt says so); 0.0 otherwise.
"""
import re

TAG = re.compile(r"<haiku>(.*?)</haiku>", re.S | re.I)
PATTERN = (5, 7, 5)
PUNCTUATION = ".,;:!?—–…\"“”"


def split_lines(completion):
    """Non-empty lines of the only haiku, each as a list of words, or None."""
    found = TAG.findall(completion)
    if len(found) != 1:
        return None
    table = str.maketrans({c: " " for c in PUNCTUATION})
    lines = [line.translate(table).lower().split() for line in found[0].splitlines()]
    return [line for line in lines if line]


def shape_ok(lines, syllables):
    if len(lines) != 3:
        return False
    if any(word not in syllables for line in lines for word in line):
        return False
    return tuple(sum(syllables[w] for w in line) for line in lines) == PATTERN


def extra_ok(lines, rule):
    words = [w for line in lines for w in line]
    kind, value = rule["kind"], rule.get("value")
    if kind == "no_repeat":
        return len(set(words)) == len(words)
    if kind == "first_letter":
        return lines[0][0].startswith(value)
    if kind == "word_count":
        return len(words) == value
    if kind == "last_word":
        return lines[-1][-1] == value
    raise KeyError(kind)


def reward(completion, syllables, required, rule, **kwargs):
    lines = split_lines(completion)
    if not lines or not shape_ok(lines, syllables) or not extra_ok(lines, rule):
        return 0.0
    present = any(required in line for line in lines)
    return 1.0 if present else 0.5
