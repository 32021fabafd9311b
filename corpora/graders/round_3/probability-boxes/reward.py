import re


def _normalize(s):
    s = s.strip().strip("$").replace(" ", "")
    s = s.replace("\\dfrac", "\\frac").replace("\\tfrac", "\\frac")
    s = re.sub(r"\\frac\{(\d+)\}\{(\d+)\}", r"\1/\2", s)
    return s


def compute_score(data_source, solution_str, ground_truth, extra_info=None):
    boxes = re.findall(r"\\boxed\{([^}]*)\}", solution_str)
    if not boxes:
        return 0.0
    return 1.0 if _normalize(boxes[-1]) == _normalize(ground_truth) else 0.0
