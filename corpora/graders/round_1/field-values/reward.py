def reward(answer: str, row: dict) -> float:
    """The field's value exactly as it stands in the record."""
    text = answer.strip()
    if not text:
        return 0.0
    return 1.0 if text == row["value"] else 0.0
