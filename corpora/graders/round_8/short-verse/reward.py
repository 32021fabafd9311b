"""Reward for short texts under exact, checkable rules.

The prompt lists the rules and says how they count: a text with the wrong number of
lines, or with a line repeated, scores 0; otherwise the score is the share of rules kept.
"""
import re

TEXT = re.compile(r"<text>(.*?)</text>", re.S | re.I)
WORD = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")


def words(line):
    return [w.lower().replace("\u2019", "'") for w in WORD.findall(line)]


def keeps(rule, value, lines):
    """Whether the lines keep one rule."""
    if rule == "words":  # number of words in each line
        return [len(words(line)) for line in lines] == value
    if rule == "acrostic":  # first letters of the lines
        initials = [words(line)[0][0] if words(line) else "" for line in lines]
        return "".join(initials) == value.lower()
    if rule == "include":  # these words, each at least once
        used = {w for line in lines for w in words(line)}
        return all(w.lower() in used for w in value)
    if rule == "avoid":  # letters that occur nowhere
        text = "".join(lines).lower()
        return not any(letter in text for letter in value.lower())
    if rule == "last_word":  # last word of each line
        return [words(line)[-1:] for line in lines] == [[w.lower()] for w in value]
    if rule == "distinct":  # no word twice
        used = [w for line in lines for w in words(line)]
        return len(used) == len(set(used))
    if rule == "end":  # last sign of the text
        return lines[-1].endswith(value)
    raise ValueError(f"unknown rule {rule!r}")


def reward(completion, num_lines, rules, **_):
    """Share of rules kept, after the gate on the number of lines.

    rules: list of {"rule": name, "value": …} (value is a list, text or null).
    """
    blocks = TEXT.findall(completion)
    if not blocks:
        return 0.0
    lines = [line.strip() for line in blocks[-1].splitlines() if line.strip()]
    if len(lines) != num_lines:
        return 0.0
    if len({tuple(words(line)) for line in lines}) != len(lines) or not all(map(words, lines)):
        return 0.0
    kept = sum(keeps(r["rule"], r["value"], lines) for r in rules)
    return kept / len(rules)
