"""Spanish -> English glosses."""
import re


def _tidy(s):
    s = s.lower().strip().strip("\"'.!*")
    return re.sub(r"\s+", " ", s)


def reward(completion, row):
    m = re.findall(r"<gloss>(.*?)</gloss>", completion, re.S)
    if len(m) != 1:
        return 0.0
    said, want = _tidy(m[0]), _tidy(row["english"])
    if not said:
        return 0.0
    # "eat" is fine for "to eat", "car" for "the car"
    return 1.0 if said in want else 0.0
