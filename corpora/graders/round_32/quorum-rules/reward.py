"""Reward for applying the quorum and voting rules of small bodies."""
import re

BOX = "\\boxed{"
OUTCOMES = {
    "carried": "carried",
    "passed": "carried",
    "lost": "lost",
    "defeated": "lost",
    "no quorum": "no quorum",
}


def last_box(completion):
    """Content of the last \\boxed{...}, with balanced braces, or None."""
    at = completion.rfind(BOX)
    if at < 0:
        return None
    depth, start = 1, at + len(BOX)
    for i in range(start, len(completion)):
        if completion[i] == "{":
            depth += 1
        elif completion[i] == "}":
            depth -= 1
            if depth == 0:
                return completion[start:i]
    return None


def plain(text):
    text = re.sub(r"\\(?:text|mathrm|textbf)\{([^{}]*)\}", r"\1", text)
    text = re.sub(r"\\[ ,;]", " ", text).replace("~", " ")
    return re.sub(r"\s+", " ", text).strip().lower()


def read_answer(completion):
    """(number, outcome) or None."""
    box = last_box(completion)
    if box is None:
        return None
    number, comma, outcome = plain(box).partition(",")
    number, outcome = number.strip(), outcome.strip()
    if not comma or not re.fullmatch(r"[0-9]{1,4}", number):
        return None
    if outcome not in OUTCOMES:
        return None
    return int(number), OUTCOMES[outcome]


def reward(completion, quorum, outcome, **row) -> float:
    answer = read_answer(completion)
    if answer is None:
        return 0.0
    return 1.0 if answer == (quorum, outcome) else 0.0
