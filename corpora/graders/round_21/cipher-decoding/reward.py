"""Reward for deciphering short classical ciphers."""
import re
import unicodedata

LABEL = re.compile(r"^\s*(?:[*_`]{1,3})?plaintext(?:[*_`]{1,3})?\s*:(.*)$", re.IGNORECASE)
EMPHASIS = re.compile(r"[*_`]")


def letters(text):
    """Upper-case letters only; spacing, case, accents and punctuation are of no account."""
    text = unicodedata.normalize("NFKD", text)
    return "".join(ch for ch in text.upper() if "A" <= ch <= "Z")


def stated_plaintexts(completion):
    """What stands behind the label, also if it goes on in the next line."""
    lines = completion.splitlines()
    stated = []
    for i, line in enumerate(lines):
        match = LABEL.match(line)
        if not match:
            continue
        text = EMPHASIS.sub("", match.group(1)).strip()
        if not text and i + 1 < len(lines):
            text = EMPHASIS.sub("", lines[i + 1]).strip()
        if text:
            stated.append(letters(text))
    return stated


def letter_accuracy(guess, target):
    if len(guess) != len(target):
        return 0.0
    return sum(g == t for g, t in zip(guess, target)) / len(target)


def grade(guess, target):
    """Full credit for the text itself, a little for a near miss of the same length."""
    accuracy = letter_accuracy(guess, target)
    if accuracy == 1.0:
        return 1.0
    return 0.2 if accuracy >= 0.9 else 0.0


def reward(completion, plaintext, **row) -> float:
    stated = stated_plaintexts(completion)
    if not stated:
        return 0.0
    target = letters(plaintext)
    return max(grade(guess, target) for guess in stated)
