import re

MARK = re.compile(r"####\s*\$?(-?[0-9][0-9,]*(?:\.[0-9]+)?)")
NUMBER = re.compile(r"-?[0-9][0-9,]*(?:\.[0-9]+)?")


def _same(a, b):
    return float(a.replace(",", "")) == float(b.replace(",", ""))


def extract_candidates(solution_str, method):
    marked = MARK.findall(solution_str)
    if marked:
        return [marked[-1]]
    if method == "strict":
        return []
    return NUMBER.findall(solution_str)


def compute_score(data_source, solution_str, ground_truth, extra_info=None, method="flexible"):
    for cand in extract_candidates(solution_str, method):
        if _same(cand, ground_truth):
            return 1.0
    return 0.0
