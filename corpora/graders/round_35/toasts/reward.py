"""Short toasts under formal rules: all rules of the row hold, or nothing is paid."""
import re
from collections import Counter

TOAST = re.compile(r"<toast>((?:(?!<toast>).)*?)</toast>", re.S)
WORD = re.compile(r"[A-Za-z]+(?:['-][A-Za-z]+)*")
ALLOWED = re.compile(r"[A-Za-z\s.,;:!?'\-]+")


def read_toast(completion):
    found = TOAST.findall(completion)
    if not found:
        return None
    text = found[-1].replace("\u2019", "'").strip()
    return text if text and ALLOWED.fullmatch(text) else None


def sentences(text):
    """Split at the closing marks; None if the text does not end with one or a sentence is void."""
    if text[-1] not in ".!?":
        return None
    parts = re.split(r"[.!?]", text)[:-1]
    if not all(WORD.search(p) for p in parts):
        return None
    return parts


def words(text):
    return [w.lower() for w in WORD.findall(text)]


def rule_words(text, rule):
    return rule["min"] <= len(words(text)) <= rule["max"]


def rule_sentences(text, rule):
    return len(sentences(text)) == rule["count"]


def rule_include(text, rule):
    return set(rule["list"]) <= set(words(text))


def rule_avoid_letter(text, rule):
    return rule["letter"] not in text.lower()


def rule_initials(text, rule):
    firsts = "".join(words(s)[0][0] for s in sentences(text))
    return firsts == rule["spell"]


def rule_last_word(text, rule):
    return words(text)[-1] == rule["word"]


def rule_max_repeat(text, rule):
    return max(Counter(words(text)).values()) <= rule["times"]


def rule_sentence_length(text, rule):
    return all(len(words(s)) == rule["each"] for s in sentences(text))


CHECKS = {
    "words": rule_words,
    "sentences": rule_sentences,
    "include": rule_include,
    "avoid_letter": rule_avoid_letter,
    "initials": rule_initials,
    "last_word": rule_last_word,
    "max_repeat": rule_max_repeat,
    "sentence_length": rule_sentence_length,
}


def reward(completion, rules, **row) -> float:
    text = read_toast(completion)
    if text is None or sentences(text) is None:
        return 0.0
    return 1.0 if all(CHECKS[r["kind"]](text, r) for r in rules) else 0.0
