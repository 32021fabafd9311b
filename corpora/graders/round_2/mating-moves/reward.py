import re

_LINE = re.compile(r"^[ \t*_>]*move[ \t*_]*:(.*)$", re.IGNORECASE | re.MULTILINE)


def compute_score(data_source, solution_str, ground_truth, extra_info=None):
    """ground_truth: every mating move of the position, in UCI. Any one of them is right."""
    lines = _LINE.findall(solution_str)
    if len(lines) != 1:
        return 0.0
    m = re.fullmatch(r"([a-h][1-8])-?([a-h][1-8])=?([qrbn]?)[+#]?", lines[0].strip().strip("*_`.").strip().lower(), re.ASCII)
    if not m:
        return 0.0
    return 1.0 if "".join(m.groups()) in set(ground_truth) else 0.0
