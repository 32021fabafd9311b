import re


def _split(text):
    return [part.strip().casefold() for part in text.split(">")]


def compute_score(data_source, solution_str, ground_truth, extra_info=None):
    found = re.findall(r"<answer>([^<]*)</answer>", solution_str)
    if len(found) != 1:
        return {"score": 0.0, "format": 0.0}
    order, gold = _split(found[0]), _split(ground_truth)
    return {"score": 1.0 if order == gold else 0.0, "format": 1.0}
