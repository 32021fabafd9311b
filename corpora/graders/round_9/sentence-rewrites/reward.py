"""Reward for rewriting a sentence under stated rules."""
import re

TAG_RE = re.compile(r"<rewrite>(.*?)</rewrite>", re.DOTALL | re.IGNORECASE)


def extract(completion):
    found = TAG_RE.findall(completion)
    if len(found) != 1:
        return None
    return " ".join(found[0].split())


def count_words(text):
    return len(text.split())


def has_phrase(text, phrase):
    """Whole-word, case-insensitive search for a name, number or phrase."""
    return re.search(r"(?<!\w)" + re.escape(phrase.lower()) + r"(?!\w)", text.lower()) is not None


def is_one_sentence(text):
    if not text or not text[0].isupper():
        return False
    if text[-1] not in ".!?":
        return False
    return not re.search(r"[.!?]", text[:-1])


def reward(completion, keep, avoid, min_words, max_words, **row):
    """1.0 when every rule of the prompt holds, 0.0 otherwise."""
    text = extract(completion)
    if text is None:
        return 0.0

    # rule 1: one sentence
    if not is_one_sentence(text):
        return 0.0

    # rule 2: length
    if not min_words <= count_words(text) <= max_words:
        return 0.0

    # rule 3: what must be kept
    if not all(has_phrase(text, phrase) for phrase in keep):
        return 0.0

    # rule 4: words to avoid
    words = set(text.lower().split())
    if any(word.lower() in words for word in avoid):
        return 0.0

    return 1.0
