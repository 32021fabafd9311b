import math
import re

_ANS = re.compile(r"([-+]?\d+(?:\.\d+)?)\s*([A-Za-zΩ]+)")


def compute_score(data_source, solution_str, ground_truth, extra_info=None):
    """Number and unit symbol after the last 'Result:' must agree with the key."""
    if "Result:" not in solution_str:
        return 0.0
    tail = solution_str.rsplit("Result:", 1)[1].strip().rstrip(".").strip("*` ")
    got = _ANS.fullmatch(tail)
    want = _ANS.fullmatch(ground_truth)
    if not got or not want:
        return 0.0
    # people write hz, KW, ... so be lenient about case
    if got.group(2).lower() != want.group(2).lower():
        return 0.0
    a, b = float(got.group(1)), float(want.group(1))
    return 1.0 if math.isclose(a, b, rel_tol=1e-3) else 0.0
