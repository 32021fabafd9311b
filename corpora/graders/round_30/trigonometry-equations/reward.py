"""All solutions of a * f(k x) = c with 0 <= x < 360, in degrees."""
import math
import re

LABEL = re.compile(r"\s*solutions\s*:\s*(.*?)\s*", re.IGNORECASE)
VALUE = re.compile(r"(?:x\s*=\s*)?(\d+(?:\.\d+)?)\s*(?:\u00b0|degrees)?", re.IGNORECASE)
TOLERANCE = 0.1
EPS = 1e-9


def base_angles(f, q):
    """Angles u with f(u) = q and the period after which they return."""
    if f == "sin":
        u = math.degrees(math.asin(q))
        return {round(u % 360, 9), round((180 - u) % 360, 9)}, 360
    if f == "cos":
        u = math.degrees(math.acos(q))
        return {round(u % 360, 9), round(-u % 360, 9)}, 360
    if f == "tan":
        return {round(math.degrees(math.atan(q)) % 180, 9)}, 180
    raise ValueError(f)


def solutions(f, a, k, c):
    q = c / a
    if f != "tan" and abs(q) > 1:
        return []
    angles, period = base_angles(f, q)
    found = []
    for u in angles:
        while u < 360 * k - EPS:
            found.append(u / k)
            u += period
    return sorted(found)


def parse_values(completion):
    lines = [ln for ln in completion.replace("**", "").splitlines() if ln.strip()]
    found = LABEL.fullmatch(lines[-1]) if lines else None
    if not found:
        return None
    text = found.group(1).rstrip(".").strip()
    if text.lower() == "none":
        return []
    values = []
    for piece in re.split(r"[,;]", text):
        match = VALUE.fullmatch(piece.strip())
        if not match:
            return None
        values.append(float(match.group(1)))
    return values


def reward(completion, f, a, k, c, **row):
    values = parse_values(completion)
    if values is None:
        return 0.0
    roots = solutions(f, a, k, c)
    if len(values) != len(roots):
        return 0.0
    for value in values:
        if not 0 <= value < 360:
            return 0.0
        if min(abs(value - root) for root in roots) > TOLERANCE + EPS:
            return 0.0
    return 1.0
