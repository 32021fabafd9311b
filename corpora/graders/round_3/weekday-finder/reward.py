import re

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAY = re.compile(r"\b(" + "|".join(DAYS) + r")\b", re.IGNORECASE)


def compute_score(data_source, solution_str, ground_truth, extra_info=None):
    """The last sentence that names a day has to name just one, the right one."""
    sentences = [s for s in re.split(r"(?<=[.!?])\s+|\n+", solution_str.strip()) if _DAY.search(s)]
    if not sentences:
        return 0.0
    named = {d.lower() for d in _DAY.findall(sentences[-1])}
    return 1.0 if named == {ground_truth.lower()} else 0.0
