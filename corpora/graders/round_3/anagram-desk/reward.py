_scores = {}


def reward(answer, row):
    """Exact match with one of the accepted anagrams (scored once per task)."""
    key = row["id"]
    if key not in _scores:
        word = answer.strip().strip("\"'.*` ").lower()
        _scores[key] = 1.0 if word in row["accepted"] else 0.0
    return _scores[key]
