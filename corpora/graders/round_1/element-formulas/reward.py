def reward(answer: str, row: dict) -> float:
    return float(answer.strip() == row["formula"])
