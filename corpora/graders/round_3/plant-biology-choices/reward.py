import re


def compute_score(data_source, solution_str, ground_truth, extra_info=None):
    """Multiple choice with options A-D."""
    match = re.search(r"\b([A-D])\b", solution_str)
    if match is None:
        return 0.0
    return 1.0 if match.group(1) == ground_truth else 0.0
