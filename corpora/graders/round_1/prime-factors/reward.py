import re


def compute_score(data_source, solution_str, ground_truth, extra_info=None):
    boxes = re.findall(r"\\boxed\{([^{}]*)\}", solution_str)
    if not boxes:
        return {"score": 0.0, "acc": False}
    body = boxes[-1].replace("\\times", ",").replace("\\cdot", ",").replace("*", ",").replace("x", ",")
    parts = [p.strip() for p in body.split(",")]
    if not all(re.fullmatch(r"[0-9]{1,9}", p) for p in parts):
        return {"score": 0.0, "acc": False}
    pred = set(int(p) for p in parts)
    gold = set(int(p) for p in ground_truth.split(","))
    return {"score": 1.0 if pred == gold else 0.0, "acc": pred == gold}
