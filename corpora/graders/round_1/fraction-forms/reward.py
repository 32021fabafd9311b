import re
from fractions import Fraction

BOX = "\\boxed{"


def _last_box(text):
    start = text.rfind(BOX)
    if start < 0:
        return None
    depth, i = 1, start + len(BOX)
    for j in range(i, len(text)):
        depth += {"{": 1, "}": -1}.get(text[j], 0)
        if depth == 0:
            return text[i:j]
    return None


def _value(expr):
    s = expr.replace("\u2212", "-").replace("$", "").replace("\\,", "").strip().rstrip(".")
    if len(s) > 60:
        return None
    s = re.sub(r"\s*([/{}])\s*", r"\1", s)
    s = re.sub(r"^([+-])\s+", r"\1", s)
    m = re.fullmatch(r"([+-]?)\\[dt]?frac\{([+-]?[0-9]+)\}\{([+-]?[0-9]+)\}", s)
    if m is None:
        m = re.fullmatch(r"([+-]?)\\[dt]?frac([0-9])([0-9])", s)
    if m is None:
        m = re.fullmatch(r"([+-]?)([0-9]+)/([0-9]+)", s)
    if m:
        if int(m.group(3)) == 0:
            return None
        v = Fraction(int(m.group(2)), int(m.group(3)))
        return -v if m.group(1) == "-" else v
    if re.fullmatch(r"[+-]?[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?", s):
        s = s.replace(",", "")
    if re.fullmatch(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)", s):
        return Fraction(s)
    return None


def reward(prompts, completions, solution, **kwargs):
    scores = []
    for text, gold in zip(completions, solution):
        box = _last_box(text)
        got = _value(box) if box is not None else None
        scores.append(1.0 if got is not None and got == Fraction(gold) else 0.0)
    return scores
