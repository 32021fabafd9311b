def _key(word):
    return "".join(sorted(word.lower()))


def reward(answer: str, row: dict) -> float:
    """Paid for any word of the list that uses exactly the letters of the source word."""
    word = answer.strip().lower()
    if word == row["source"].lower():
        return 0.0
    allowed = {w.lower() for w in row["choices"]}
    if word in allowed and _key(word) == _key(row["source"]):
        return 1.0
    return 0.0
