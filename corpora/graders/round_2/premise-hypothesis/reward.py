import re

LABELS = ("entailment", "neutral", "contradiction")
_TAG = re.compile(r"<label>([^<>]*)</label>", re.IGNORECASE)


def compute_score(data_source, solution_str, ground_truth, extra_info=None):
    tags = _TAG.findall(solution_str)
    n_marks = len(re.findall(r"</?label>", solution_str, re.IGNORECASE))
    pred = None
    if len(tags) == 1 and n_marks == 2:
        word = tags[0].strip().strip("*.\"'`").strip().lower()
        if word in LABELS:
            pred = word
    return {"score": float(pred is not None and pred == ground_truth), "pred": pred or "", "well_formed": pred is not None}
