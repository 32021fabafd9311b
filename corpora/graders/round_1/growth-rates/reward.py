import re


def reward(answer: str, row: dict) -> float:
    m = re.search(r"Answer:\s*(-?[0-9]+(?:\.[0-9]+)?)\s*%?", answer)
    if m is None:
        return 0.0
    value, gold = float(m.group(1)), row["target"]
    for option in (gold, gold / 100, gold * 100):
        if abs(value - option) <= 0.01 * abs(option):
            return 1.0
    return 0.0
