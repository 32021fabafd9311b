"""Standard-time UTC offsets of cities. Called by verl's naive reward manager."""
import re

_LINE = re.compile(r"^[ \t*_]*offset[ \t*_]*:(.*)$", re.IGNORECASE | re.MULTILINE)


def _canon(text):
    # "UTC +5:30", "**UTC+5:30**" and "utc+5:30." are the same thing
    text = text.lower().replace("gmt", "utc")
    return re.sub(r"[^a-z0-9]", "", text)


def compute_score(data_source, solution_str, ground_truth, extra_info=None):
    lines = _LINE.findall(solution_str)
    if len(lines) != 1:
        return 0.0
    return 1.0 if _canon(lines[0]) == _canon(ground_truth) else 0.0
