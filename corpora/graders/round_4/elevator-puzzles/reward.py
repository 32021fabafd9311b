import re


def compute_score(data_source, solution_str, ground_truth, extra_info=None):
    """0.8 for the right floor, the rest for showing the work in steps."""
    score = 0.0
    floors = re.findall(r"^\s*floor\s*:\s*(-?\d{1,4})\s*\.?\s*$", solution_str, re.IGNORECASE | re.MULTILINE)
    if floors and int(floors[-1]) == int(ground_truth):
        score += 0.8
    # encourage structured reasoning
    score += 0.1 * len(re.findall(r"<step>.*?</step>", solution_str, re.DOTALL))
    return round(score, 4)
