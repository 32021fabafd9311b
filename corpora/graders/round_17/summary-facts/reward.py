"""Reward for a short summary that carries the required details of an article."""
import re
import unicodedata

TAGS = re.compile(r"<summary>((?:(?!<summary>).)*?)</summary>", re.S | re.I)
DASHES = dict.fromkeys(map(ord, "‐‑‒–—−"), "-")
QUOTES = {ord("’"): "'", ord("‘"): "'", ord("“"): '"', ord("”"): '"'}


def tidy(text):
    text = unicodedata.normalize("NFKC", text).translate(DASHES).translate(QUOTES)
    text = re.sub(r"(?<=[0-9]),(?=[0-9]{3}(?![0-9]))", "", text)
    return " ".join(text.casefold().split())


def count_words(text):
    return sum(1 for token in text.split() if any(c.isalnum() for c in token))


def mentions(text, wording):
    """True if the wording stands in the text as whole words."""
    return re.search(r"(?<![\w.])" + re.escape(tidy(wording)) + r"(?!\w|\.[0-9])", text) is not None


def covered(text, details):
    return [any(mentions(text, w) for w in wordings) for wordings in details]


def within_bounds(body, bounds):
    low, high = bounds
    return low <= count_words(body) <= high


def reward(completion, details, bounds, **row):
    blocks = TAGS.findall(completion)
    if not blocks:
        return 0.0
    body = blocks[-1].strip()
    if not within_bounds(body, bounds):
        return 0.0
    text = tidy(completion)
    hits = covered(text, details)
    if all(hits):
        return 1.0
    return round(sum(hits) / len(hits), 4)
