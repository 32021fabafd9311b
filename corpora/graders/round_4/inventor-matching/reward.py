import re

_PAIR = r"([1-4])\s*(?:[-–—:.)=]|->|→)?\s*([A-Da-d])"
_ALL = re.compile(_PAIR + (r"\s*[,;\s]\s*" + _PAIR) * 3 + r"\.?")


def compute_score(data_source, solution_str, ground_truth, extra_info=None):
    """A quarter per right pair; each number and each letter exactly once, else nothing."""
    m = _ALL.fullmatch(solution_str.strip().strip("*`").strip()) if len(solution_str) < 200 else None
    pairs, hits = {}, 0
    if m:
        g = m.groups()
        pairs = {n: letter.upper() for n, letter in zip(g[0::2], g[1::2])}
        if len(pairs) == 4 and len(set(pairs.values())) == 4:
            hits = sum(pairs[n] == ground_truth[int(n) - 1] for n in pairs)
    return {"score": hits / 4, "hits": hits, "parsed": bool(m)}
