import re

LINE = re.compile(r"^[*_\s]*label[*_\s]*:[*_\s]*`?([a-z_ -]+?)`?[*_\s.]*$", re.IGNORECASE)


def extract_label(solution_str):
    lines = [l for l in solution_str.strip().splitlines() if l.strip()]
    if not lines or len(lines[-1]) > 80:
        return None
    m = LINE.match(lines[-1])
    return m.group(1).strip().lower() if m else None


def compute_score(data_source, solution_str, ground_truth, extra_info=None):
    """Triage of GitHub issues. Only the last line (`Label: ...`) counts."""
    pred = extract_label(solution_str)
    if pred is None:
        return {"score": 0.0, "pred": "", "format": 0.0}
    correct = pred == ground_truth.strip().lower()
    return {"score": float(correct), "pred": pred, "format": 1.0}
