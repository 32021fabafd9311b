import re
from itertools import combinations

_LINE = re.compile(r"^[ \t*_>]*order[ \t*_]*:(.*)$", re.IGNORECASE | re.MULTILINE)


def _letters(line):
    line = line.strip().strip("*_.").strip()
    if re.fullmatch(r"[A-Za-z]{2,8}", line):                       # CABD
        return list(line.upper())
    parts = re.split(r"\s*(?:,|;|>|<|→|->|-|–|\s)\s*", line)
    if all(re.fullmatch(r"\(?[A-Za-z]\)?", p) for p in parts):
        return [p.strip("()").upper() for p in parts]
    return None


def order_reward(completion, row):
    """Kendall's tau of the stated order, floored at 0. Not a permutation -> 0."""
    lines = _LINE.findall(completion)
    if len(lines) != 1 or len(lines[0]) > 80:
        return 0.0
    got, want = _letters(lines[0]), list(row["chronology"])
    if got is None or sorted(got) != sorted(want):
        return 0.0
    rank = {x: i for i, x in enumerate(got)}
    pairs = list(combinations(want, 2))
    right = sum(rank[a] < rank[b] for a, b in pairs)
    return max(0.0, (2.0 * right - len(pairs)) / len(pairs))
