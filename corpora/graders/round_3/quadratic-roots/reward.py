import re
from fractions import Fraction

_HEAD = re.compile(r"\broots[ \t]*[*_]*[ \t]*:", re.IGNORECASE)
_LINE = re.compile(r"[ \t*_#>-]*roots[ \t*_]*:[ \t*_]*(.*)", re.IGNORECASE)
_VALUE = re.compile(r"[+-]?(?:[0-9]{1,12}/[0-9]{1,12}|[0-9]{1,12}\.?[0-9]{0,12}|\.[0-9]{1,12})")


def _root(s):
    s = s.strip().replace("\u2212", "-")
    s = re.sub(r"\\[dt]?frac\{([0-9]{1,12})\}\{([0-9]{1,12})\}", r"\1/\2", s)
    if not _VALUE.fullmatch(s):
        return None
    try:
        return Fraction(s.rstrip("."))
    except (ValueError, ZeroDivisionError):
        return None


def roots_reward(prompts, completions, roots, **kwargs):
    """Exact, order free, each root once; one "Roots:" line, and it is the last."""
    out = []
    for completion, want in zip(completions, roots):
        lines = completion.strip().split("\n")
        m = _LINE.fullmatch(lines[-1].strip())
        score = 0.0
        if m and len(_HEAD.findall(completion)) == 1:
            got = [_root(p) for p in m.group(1).strip(" $*_").split(",")]
            if None not in got and len(got) == len(set(got)) and set(got) == {Fraction(w) for w in want}:
                score = 1.0
        out.append(score)
    return out
