import re


def _num(text):
    text = text.replace(",", "").replace("\\", "").strip().rstrip(".")
    m = re.fullmatch(r"([-+]?\d+(?:\.\d+)?)\s*%?", text)
    return float(m.group(1)) if m else None


def _boxed(text):
    hits = re.findall(r"\\boxed\{([^{}]*)\}", text)
    return hits[-1] if hits else None


def compute_score(data_source, solution_str, ground_truth, extra_info=None):
    """Boxed number against the key; percentages may be given either way."""
    inner = _boxed(solution_str)
    pred = _num(inner) if inner is not None else None
    if pred is None:
        return 0.0
    gold = _num(ground_truth)
    for ref in (gold / 100, gold, gold * 100):
        if abs(pred - ref) <= 1e-4 * max(abs(ref), 1e-9):
            return 1.0
    return 0.0
