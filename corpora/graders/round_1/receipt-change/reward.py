import re

AMOUNT = re.compile(r"(?:0|[1-9][0-9]*)\.[0-9]{2}")


def reward(answer: str, row: dict) -> float:
    text = answer.strip()
    if not AMOUNT.fullmatch(text):
        return 0.0
    return 1.0 if text == row["target"] else 0.0
