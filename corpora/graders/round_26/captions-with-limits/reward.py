"""Checks picture captions: length, words that must appear, words that must not."""
import re
import unicodedata

BLOCK = re.compile(r"<caption>(.*?)</caption>", re.DOTALL | re.IGNORECASE)
WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


def extract_caption(completion):
    """The text of the only caption block; None when there are none or several."""
    blocks = BLOCK.findall(completion)
    if len(blocks) != 1:
        return None
    text = unicodedata.normalize("NFC", blocks[0])
    return re.sub(r"\s+", " ", text).strip()


def word_list(text):
    """Words of the caption, possessive endings removed."""
    words = []
    for word in WORD.findall(text.lower()):
        word = re.sub(r"['’]s?$", "", word)
        words.append(word)
    return words


def is_single_sentence(caption):
    """Ends with a full stop and has no other sentence end before it."""
    return caption.endswith(".") and not re.search(r"[.!?]", caption[:-1])


def within_limits(caption, max_chars, min_words, words):
    return len(caption) <= max_chars and len(words) >= min_words


def reward(completion, must, avoid, max_chars, min_words, **row):
    caption = extract_caption(completion or "")
    if not caption:
        return 0.0
    words = word_list(caption)
    if not within_limits(caption, max_chars, min_words, words):
        return 0.0
    if not is_single_sentence(caption):
        return 0.0
    vocabulary = set(words)
    if any(word in vocabulary for word in avoid):
        return 0.0
    present = sum(word in vocabulary for word in must)
    if present == len(must):
        return 1.0
    return 0.5 if present == len(must) - 1 else 0.0
