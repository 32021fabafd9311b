import re


def _clean(s):
    # drop the unit, blanks, degree signs, stars, a final point and the like
    return re.sub(r"[^0-9]", "", str(s))


def reward(answer, row):
    if len(answer) > 40:
        return 0.0
    said = _clean(answer)
    return 1.0 if said and said == _clean(row["celsius"]) else 0.0
