import re

TOTAL = re.compile(r"^\W*total\W*?:\W*?\$?\s?(\d+(?:\.\d+)?)[*.\s]*$", re.IGNORECASE | re.MULTILINE)


def compute_score(data_source, solution_str, ground_truth, extra_info=None):
    found = TOTAL.findall(solution_str)
    if len(found) != 1 or len(found[0]) > 30:
        return {"score": 0.0, "pred": None}
    pred = float(found[0])
    return {"score": 1.0 if abs(pred - float(ground_truth)) < 0.005 else 0.0, "pred": found[0]}
