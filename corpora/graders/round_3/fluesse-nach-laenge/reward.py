import re

_HEAD = re.compile(r"reihenfolge[ \t*_]*:", re.IGNORECASE)
_LINE = re.compile(r"[ \t*_#>-]*reihenfolge[ \t*_]*:[ \t*_]*(.*)", re.IGNORECASE)


def _name(s):
    s = " ".join(s.casefold().split())
    return re.sub(r"^(?:der|die) ", "", s)


def compute_score(data_source, solution_str, ground_truth, extra_info=None):
    """The order counts: all names, the longest river first, on the single closing line."""
    lines = solution_str.strip().split("\n")
    m = _LINE.fullmatch(lines[-1].strip())
    if not m or len(_HEAD.findall(solution_str)) != 1:
        return 0.0
    got = [_name(p) for p in m.group(1).strip(" .*_").split(",")]
    return 1.0 if got == [_name(p) for p in ground_truth.split("|")] else 0.0
