"""GSM8K-style rule based score for verl: `#### <amount>` on the last line."""
import re

_AMOUNT = re.compile(r"^####\s*\$?\s*((?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?)\s*(?:dollars)?\.?$", re.I)


def extract_solution(solution_str):
    lines = [ln.strip() for ln in (solution_str or "").splitlines() if ln.strip()]
    if not lines:
        return None
    m = _AMOUNT.match(" ".join(lines[-1].replace("*", "").split()))
    if m is None:
        return None
    return m.group(1).replace(",", "")


def compute_score(data_source, solution_str, ground_truth, extra_info=None,
                  format_score=0.0, score=1.0):
    answer = extract_solution(solution_str)
    if answer is None:
        return 0.0
    if answer == str(ground_truth).replace(",", ""):
        return score
    return format_score
