import re


def compute_score(data_source, solution_str, ground_truth, extra_info=None):
    m = re.findall(r"\\boxed\{(-?[0-9]{1,12})\}", solution_str)
    return 1.0 if m and int(m[-1]) == int(ground_truth) else 0.0
