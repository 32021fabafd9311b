import re


def reward(completion, row):
    """Both slots must hold the right value."""
    capital = re.escape(row["capital"])
    currency = re.escape(row["currency"])
    pattern = rf"capital\s*:.*\b{capital}\b.*currency\s*:.*\b{currency}\b"
    return 1.0 if re.search(pattern, completion, re.IGNORECASE | re.DOTALL) else 0.0
