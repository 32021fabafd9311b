import re


def reward(answer: str, row: dict) -> float:
    m = re.fullmatch(r"[A-Z]{5}", answer.strip())
    return 1.0 if m and answer.strip() == row["code"] else 0.0
