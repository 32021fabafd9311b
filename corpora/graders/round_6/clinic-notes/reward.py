import re

ANSWER = re.compile(r"<answer>(.*?)</answer>", re.S | re.I)


def _names(text):
    parts = re.split(r"[,;\n]", text)
    parts = [re.sub(r"^[\s\-*\u2022]+|[\s.]+$", "", p).lower() for p in parts]
    return {p for p in parts if p}


def compute_score(data_source, solution_str, ground_truth, extra_info=None):
    """Agreement between the listed medicines and the annotated ones, from 0 to 1."""
    spans = ANSWER.findall(solution_str)
    if not spans:
        return 0.0
    listed = _names(spans[-1])
    annotated = _names(ground_truth)
    if not listed:
        return 0.0
    shared = len(listed & annotated)
    other = len(listed - annotated)
    return shared / (shared + other)
