def _number(answer):
    tail = answer.rsplit("Mean:", 1)[-1].strip().rstrip(".")
    try:
        return float(tail)
    except ValueError:
        return None


def reward(answer: str, row: dict) -> float:
    value = _number(answer)
    if value is None:
        return 0.0
    error = abs(value - row["target"]) / max(abs(row["target"]), 1e-9)
    if error > row["tolerance"]:
        return 0.0
    return 1.0
