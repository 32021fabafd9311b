"""Reward for setting plain typescript in proper typography."""
import re
import unicodedata

TAG = re.compile(r"<text>(.*?)</text>", re.DOTALL)


def extract(completion):
    """Content of the last <text> element, or None."""
    found = TAG.findall(completion)
    return found[-1] if found else None


def canonical(text):
    """Same letters, same string: unify accents and ordinary white space."""
    text = unicodedata.normalize("NFKC", text)
    return re.sub(r"[ \t\r\n]+", " ", text).strip(" ")


def first_difference(a, b):
    """Index of the first differing character, or None if equal."""
    for i, (x, y) in enumerate(zip(a, b)):
        if x != y:
            return i
    return None if len(a) == len(b) else min(len(a), len(b))


def judge(completion, target):
    """(score, diagnosis) for the training log."""
    text = extract(completion)
    if text is None:
        return 0.0, "no <text> element"
    got, want = canonical(text), canonical(target)
    at = first_difference(got, want)
    if at is None:
        return 1.0, "ok"
    return 0.0, f"at {at}: {got[at:at + 12]!r} instead of {want[at:at + 12]!r}"


def reward(completion, target, **row) -> float:
    score, _ = judge(completion, target)
    return score
