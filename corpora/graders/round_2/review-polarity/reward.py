import re

MAX_WORDS = 60
RIGHT, WRONG = 1.0, -1.0


def compute_score(data_source, solution_str, ground_truth, extra_info=None):
    """+1 / -1 for the polarity, with a penalty for rambling."""
    labels = re.findall(r"<sentiment>\s*(\w+)\s*</sentiment>", solution_str, re.I)
    ok = len(labels) == 1 and labels[0].lower() == ground_truth
    score = RIGHT if ok else WRONG

    n_words = len(solution_str.split())
    if n_words > MAX_WORDS:
        score *= MAX_WORDS / n_words          # longer -> smaller
    return {"score": score, "correct": ok, "n_words": n_words}
