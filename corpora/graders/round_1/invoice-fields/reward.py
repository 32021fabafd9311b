import re

EMPTY = {"", "n/a", "none", "not stated", "null", "-"}


def _norm(value):
    value = " ".join((value or "").strip().lower().split())
    return "" if value in EMPTY else value


def compute_score(data_source, solution_str, ground_truth, extra_info=None):
    m = re.findall(r"<answer>(.*?)</answer>", solution_str, re.S)
    pred = m[-1] if m else None
    return {"score": float(_norm(pred) == _norm(ground_truth)), "has_tag": float(bool(m))}
