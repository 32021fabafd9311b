"""Reward for short descriptions under lexical constraints (taboo words, fixed length)."""
import re
from collections import Counter

WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
DIGIT = re.compile(r"\d")
REPEATABLE_LENGTH = 3


def words_of(text):
    """Lower-case words; hyphens and apostrophes inside a word keep it together."""
    return [w.lower().replace("’", "'") for w in WORD.findall(text)]


def sentences(text):
    parts = re.split(r"(?<=[.!?])\s+", text.strip())
    return [p for p in parts if p]


def check_length(words, count):
    return len(words) == count


def check_required(words, include):
    present = set(words)
    return all(term.lower() in present for term in include)


def check_taboo(words, avoid):
    return not any(term in words for term in avoid)


def check_repeats(words):
    """Words of four letters or more may occur only once."""
    counts = Counter(w for w in words if len(w) > REPEATABLE_LENGTH)
    return all(n == 1 for n in counts.values())


def check_sentences(text, number):
    parts = sentences(text)
    return len(parts) == number and all(p[-1] in ".!?" for p in parts)


def reward(completion, count, include, avoid, n_sentences, **row) -> float:
    text = completion.strip()
    if not text or DIGIT.search(text):
        return 0.0
    words = words_of(text)
    checks = (
        check_length(words, count),
        check_required(words, include),
        check_taboo(words, avoid),
        check_repeats(words),
        check_sentences(text, n_sentences),
    )
    return 1.0 if all(checks) else 0.0
