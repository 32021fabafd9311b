import re

FINAL = re.compile(r"Final: ([ABCD]|PASS)")


def compute_score(data_source, solution_str, ground_truth, extra_info=None):
    """Marks of one question: +1 right, -0.5 wrong, 0 for PASS, -1 without a final line."""
    lines = [line.strip() for line in solution_str.splitlines() if line.strip()]
    match = FINAL.fullmatch(lines[-1]) if lines else None
    if match is None:
        return -1.0
    if match.group(1) == "PASS":
        return 0.0
    return 1.0 if match.group(1) == ground_truth else -0.5
