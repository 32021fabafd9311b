"""IFEval-like checker: every condition must hold."""
import json
import re

WORD = re.compile(r"\w+(?:['\u2019-]\w+)*")


def has_word(text, word):
    return re.search(r"(?<![\w-])" + re.escape(word) + r"(?![\w-])", text) is not None


def check_include(text, words):
    lowered = text.lower()
    return all(has_word(lowered, w) for w in words)


def check_avoid(text, words):
    lowered = text.lower()
    return not any(has_word(lowered, w) for w in words)


def check_sentences(text, n):
    return len(re.findall(r"[.!?]+(?=\s|$)", text)) == n


def check_paragraphs(text, n):
    return len([p for p in re.split(r"\n\s*\n", text) if p.strip()]) == n


def check_bullets(text, n):
    return sum(line.startswith("- ") for line in text.splitlines()) == n


def first_word(text):
    words = WORD.findall(text)
    return words[0].lower() if words else ""


CHECKS = {
    "include": check_include,
    "avoid": check_avoid,
    "sentences": check_sentences,
    "paragraphs": check_paragraphs,
    "bullets": check_bullets,
    "max_words": lambda text, n: len(WORD.findall(text)) <= n,
    "min_words": lambda text, n: len(WORD.findall(text)) >= n,
    "no_comma": lambda text, _: "," not in text,
    "starts_with": lambda text, w: first_word(text) == w.lower(),
    "ends_with": lambda text, w: text.lower().endswith(w.lower()),
}


def reward(completion, constraints, **row):
    text = (completion or "").strip()
    if not text:
        return 0.0
    rules = json.loads(constraints)
    met = [CHECKS[name](text, value) for name, value in rules.items()]
    return 1.0 if all(met) else 0.0
