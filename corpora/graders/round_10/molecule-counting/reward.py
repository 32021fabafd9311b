"""Atom counts in chemical formulas; integer answers in \\boxed{}."""
import re

WORDS = {"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6,
         "seven": 7, "eight": 8, "nine": 9, "ten": 10}


def last_boxed(text):
    """Content of the last \\boxed{...}, braces balanced."""
    start = text.rfind("\\boxed{")
    if start < 0:
        return None
    depth, i = 1, start + len("\\boxed{")
    begin = i
    while i < len(text):
        depth += (text[i] == "{") - (text[i] == "}")
        if depth == 0:
            return text[begin:i]
        i += 1
    return None


def to_int(content):
    content = re.sub(r"\\(?:text|mathrm)\{([^{}]*)\}", r" \1", content)
    content = re.sub(r"\\[,;!]", " ", content).replace("$", " ")
    content = re.sub(r"\batoms?\b", " ", content).strip().rstrip(".").lower()
    if content in WORDS:
        return WORDS[content]
    return int(content) if re.fullmatch(r"\d{1,6}", content) else None


def reward(completion, answer, **_):
    content = last_boxed(completion)
    if content is None:
        return 0.0
    value = to_int(content)
    if value is None:
        return 0.0
    return 1.0 if value == answer else 0.0
