"""Postal layout task. Both sides go through the same extractor, as in the GSM8K scorer."""
import re

ADDRESS_RE = re.compile(r"Address:\s*(.+)", re.IGNORECASE)
INVALID = "[invalid]"


def extract_address(text):
    m = ADDRESS_RE.findall(text)
    if len(m) != 1:
        return INVALID
    lines = [re.sub(r"\s+", " ", l).strip().casefold() for l in m[0].splitlines()]
    return "\n".join(l for l in lines if l)


def compute_score(data_source, solution_str, ground_truth, extra_info=None):
    gold = extract_address(ground_truth)
    pred = extract_address(solution_str)
    if pred == INVALID:
        return 0.0
    return 1.0 if pred == gold else 0.0
