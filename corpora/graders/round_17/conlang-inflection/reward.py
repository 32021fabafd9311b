"""Reward for inflecting words of Tavri, a constructed language."""
import re
import unicodedata

TAGGED = re.compile(r"^[\s>*_#-]*form[\s*_]*:(.*)$", re.I | re.M)
QUOTES = "\"'“”‘’«»`"
EDGES = QUOTES + "*_ ."


def canonical(text):
    """One spelling for each word, whether typed composed or with combining signs."""
    text = unicodedata.normalize("NFD", text.casefold())
    text = re.sub(r"[^\w\s]|_", "", text)
    return " ".join(text.split())


def final_answer(completion):
    lines = TAGGED.findall(completion)
    if not lines:
        return None
    return lines[-1].strip().strip(EDGES)


def split_gloss(answer):
    """Drop a gloss in round brackets after the word."""
    m = re.fullmatch(r"([^()]+?)\s*\([^()]*\)", answer)
    return m.group(1) if m else answer


def reward(completion, forms, **row):
    answer = final_answer(completion)
    if not answer:
        return 0.0
    word = canonical(split_gloss(answer))
    if not word:
        return 0.0
    if " " in word:
        return 0.0
    accepted = {canonical(form) for form in forms}
    return 1.0 if word in accepted else 0.0
