r"""Grade solution sets of inequalities written in interval notation.

A set is kept as a sorted list of disjoint (start, stop) cuts. The cut (v, 0) lies just before
the number v and (v, 1) just after it, so [1, 2) becomes ((1, 0), (2, 0)) and {5} ((5, 0), (5, 1)).
"""
import re
from fractions import Fraction

INF = float("inf")
LINE = re.compile(r"^[\s*#>]*solution\s*(?:set)?[\s*]*:(.*)$", re.IGNORECASE | re.MULTILINE)
NUMBER = re.compile(r"([+-]?)(?:([0-9]+)/([0-9]+)|([0-9]+(?:\.[0-9]+)?|\.[0-9]+))")
INTERVAL = re.compile(r"([(\[])([^,;()\[\]{}]+)[,;]([^,;()\[\]{}]+)([)\]])")
EMPTY = {"empty", "emptyset", "theemptyset", "∅", "{}"}


def tidy(text):
    text = text.replace("−", "-").replace("–", "-").replace("$", "").replace("*", "").replace("`", "")
    text = re.sub(r"\\(?:left|right|big|Big|,|;|!)(?![a-z])", "", text)
    text = re.sub(r"\\[dt]?frac\s*\{\s*(-?[0-9]+)\s*\}\s*\{\s*([0-9]+)\s*\}", r"\1/\2", text)
    text = text.replace(r"\{", "{").replace(r"\}", "}")
    text = text.replace(r"\infty", "inf").replace("∞", "inf")
    text = text.replace(r"\cup", "U").replace("∪", "U")
    text = text.replace(r"\emptyset", "∅").replace(r"\varnothing", "∅").replace(r"\in", "∈")
    text = re.sub(r"^\s*x\s*(?:∈|in\b)", "", text)
    return re.sub(r"\s+", "", text).rstrip(".")


def endpoint(text):
    low = text.lower()
    if low in ("inf", "+inf", "oo", "+oo", "infinity", "+infinity"):
        return INF
    if low in ("-inf", "-oo", "-infinity"):
        return -INF
    m = NUMBER.fullmatch(text)
    if m is None or (m[3] and int(m[3]) == 0):
        raise ValueError(text)
    value = Fraction(int(m[2]), int(m[3])) if m[2] else Fraction(m[4])
    return -value if m[1] == "-" else value


def piece(text):
    if text.startswith("{") and text.endswith("}"):
        points = [endpoint(p) for p in text[1:-1].split(",")]
        if any(abs(p) == INF for p in points):
            raise ValueError(text)
        return [((p, 0), (p, 1)) for p in points]
    m = INTERVAL.fullmatch(text)
    if m is None:
        raise ValueError(text)
    lo, hi = endpoint(m[2]), endpoint(m[3])
    if lo > hi or lo == INF or hi == -INF:
        raise ValueError(text)
    if (lo == -INF and m[1] == "[") or (hi == INF and m[4] == "]"):
        raise ValueError(text)
    return [((lo, 0 if m[1] == "[" else 1), (hi, 1 if m[4] == "]" else 0))]


def union(pieces):
    merged = []
    for start, stop in sorted(p for p in pieces if p[0] < p[1]):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(stop, merged[-1][1]))
        else:
            merged.append((start, stop))
    return merged


def parse_set(text):
    text = tidy(text)
    if text.lower() in EMPTY:
        return []
    pieces = []
    for part in re.split(r"(?<=[)\]}])[Uu](?=[(\[{])", text):
        pieces += piece(part)
    return union(pieces)


def reward(completion, solution, **row):
    lines = LINE.findall(completion)
    if not lines or len(lines[-1]) > 500:
        return 0.0
    try:
        got = parse_set(lines[-1])
    except ValueError:
        return 0.0
    return float(got == parse_set(solution))
