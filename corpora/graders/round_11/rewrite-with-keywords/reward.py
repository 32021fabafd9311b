"""Reward for constrained rewriting: length limits and mandatory keywords.

Fidelity to the source is left to a separate judge; this function scores the hard constraints:
0 if there is no tagged text or its length is off, otherwise the share of keywords present.
"""
import re

REWRITE = re.compile(r"<rewrite>(.*?)</rewrite>", re.DOTALL | re.IGNORECASE)


def extract_rewrite(completion):
    """The text between the last pair of rewrite tags, or None."""
    found = REWRITE.findall(completion)
    return found[-1].strip() if found else None


def count_words(text):
    return len(text.split())


def has_keyword(text, keyword):
    """Whole-word match, case-insensitive ('May' is not found in 'mayor')."""
    pattern = r"(?<!\w)" + re.escape(keyword) + r"(?!\w)"
    return re.search(pattern, text, re.IGNORECASE) is not None


def length_ok(text, min_words, max_words):
    return min_words <= count_words(text) <= max_words


def keyword_score(completion, keywords):
    hits = sum(has_keyword(completion, keyword) for keyword in keywords)
    return hits / len(keywords)


def reward(completion, keywords, min_words, max_words, **row):
    rewrite = extract_rewrite(completion)
    if rewrite is None:
        return 0.0
    if not length_ok(rewrite, min_words, max_words):
        return 0.0
    return keyword_score(completion, keywords)
