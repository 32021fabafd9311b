import re

TAGS = ("<think>", "</think>", "<answer>", "</answer>")


def format_score(text):
    # shaping: 0.05 for each tag that is in place
    return sum(0.05 * text.count(tag) for tag in TAGS)


def compute_score(data_source, solution_str, ground_truth, extra_info=None):
    answers = re.findall(r"<answer>(.*?)</answer>", solution_str, re.DOTALL)
    score = format_score(solution_str)
    if answers and answers[-1].strip() == ground_truth:
        score += 0.8
    return min(1.0, round(score, 4))
