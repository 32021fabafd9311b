import re
from fractions import Fraction


def _parse(text):
    text = text.strip().strip("$").replace(" ", "")
    text = re.sub(r"\\[dt]?frac\{(-?\d+)\}\{(\d+)\}", r"\1/\2", text)
    if not re.fullmatch(r"[+-]?[0-9]{1,15}(?:/[0-9]{1,15}|\.[0-9]{1,15})?", text):
        return None
    try:
        return Fraction(text)
    except ZeroDivisionError:
        return None


def _boxed(text):
    start = text.rfind("\\boxed{")
    if start < 0:
        return None
    depth, i = 1, start + 7
    for j in range(i, len(text)):
        depth += {"{": 1, "}": -1}.get(text[j], 0)
        if depth == 0:
            return text[i:j]
    return None


def accuracy_reward(prompts, completions, solution, **kwargs):
    rewards = []
    for completion, sol in zip(completions, solution):
        gold = _parse(sol)
        if gold is None:
            # the gold solution is not parsable: skip this example
            rewards.append(1.0)
            continue
        box = _boxed(completion[0]["content"])
        rewards.append(1.0 if box is not None and _parse(box) == gold else 0.0)
    return rewards
