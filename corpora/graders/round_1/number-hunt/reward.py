import json
import re

TAG = re.compile(r"<answer>\s*([1-9][0-9]{0,8})\s*</answer>")


def _holds(n, rule):
    if not rule["low"] <= n <= rule["high"]:
        return False
    if n % rule["divisor"]:
        return False
    return sum(int(d) for d in str(n)) == rule["digit_sum"]


def compute_score(data_source, solution_str, ground_truth, extra_info=None):
    if solution_str.count("<answer>") != 1:
        return 0.0
    m = TAG.search(solution_str)
    if m is None:
        return 0.0
    return float(_holds(int(m.group(1)), json.loads(ground_truth)))
