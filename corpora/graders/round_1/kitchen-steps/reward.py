import json
import re


def compute_score(data_source, solution_str, ground_truth, extra_info=None):
    m = re.findall(r"<answer>(.*?)</answer>", solution_str, re.S)
    if len(m) != 1:
        return 0.0
    items = [x.strip().lower() for x in m[0].split(",")]
    return 1.0 if sorted(items) == sorted(json.loads(ground_truth)) else 0.0
