"""Tongue twisters under countable limits; a limit of None in a row is no limit."""
import re
from collections import Counter

LABEL = re.compile(r"\s*twister\s*:\s*(.*?)\s*", re.IGNORECASE)
WORD = re.compile(r"[a-z]+(?:'[a-z]+)*")


def twister(completion):
    """Text on the last non-blank line, which has to carry the label."""
    lines = [ln for ln in completion.replace("**", "").splitlines() if ln.strip()]
    match = LABEL.fullmatch(lines[-1]) if lines else None
    return match.group(1).replace("\u2019", "'") if match else ""


def words_of(text):
    return WORD.findall(text.lower())


def starting(words, letter):
    return sum(word.startswith(letter) for word in words)


def repeated(words):
    """How many different words occur more than once."""
    return sum(count > 1 for count in Counter(words).values())


CHECKS = {
    "min_words": lambda text, words, letter, n: len(words) >= n,
    "max_words": lambda text, words, letter, n: len(words) <= n,
    "min_starts": lambda text, words, letter, n: starting(words, letter) >= n,
    "max_commas": lambda text, words, letter, n: text.count(",") <= n,
    "max_repeats": lambda text, words, letter, n: repeated(words) <= n,
    "ending": lambda text, words, letter, mark: text.endswith(mark),
}


def reward(completion, letter, limits, **row):
    text = twister(completion)
    words = words_of(text)
    if not words:
        return 0.0
    for name, limit in limits.items():
        if limit and not CHECKS[name](text, words, letter, limit):
            return 0.0
    return 1.0
