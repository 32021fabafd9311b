"""Chains of operations on colours, answered as one hex code."""
import re
from fractions import Fraction

LINE = re.compile(r"^[ \t]*colou?r:(.*)$", re.IGNORECASE | re.MULTILINE)
CODE = re.compile(r"^#(?:[0-9a-f]{6}|[0-9a-f]{3})$", re.IGNORECASE)
GREY = (Fraction(30, 100), Fraction(59, 100), Fraction(11, 100))


def channels(code):
    digits = code[1:]
    if len(digits) == 3:
        digits = "".join(d * 2 for d in digits)
    return [int(digits[i:i + 2], 16) for i in (0, 2, 4)]


def apply(step, rgb):
    op = step["op"]
    if op == "invert":
        return [255 - v for v in rgb]
    if op == "swap":
        order = ["red", "green", "blue"]
        i, j = order.index(step["first"]), order.index(step["second"])
        rgb = list(rgb)
        rgb[i], rgb[j] = rgb[j], rgb[i]
        return rgb
    if op == "grey":
        level = sum(w * v for w, v in zip(GREY, rgb))
        return [level] * 3
    if op == "scale":
        factor = Fraction(step["percent"], 100)
        return [min(Fraction(255), factor * v) for v in rgb]
    if op == "mix":
        share = Fraction(step["percent"], 100)
        other = channels(step["with"])
        return [(1 - share) * v + share * o for v, o in zip(rgb, other)]
    raise ValueError(f"unknown operation {op!r}")


def exact_colour(start, steps):
    rgb = [Fraction(v) for v in channels(start)]
    for step in steps:
        rgb = apply(step, rgb)
    return rgb


def answer(completion):
    found = LINE.findall(completion.replace("*", "").replace("`", ""))
    if not found:
        return None
    code = found[-1].strip()
    if code.endswith("."):
        code = code[:-1]
    return channels(code) if CODE.match(code) else None


def reward(completion, start, steps, **row):
    given = answer(completion)
    if given is None:
        return 0.0
    truth = exact_colour(start, steps)
    close = sum(abs(g - t) <= 1 for g, t in zip(given, truth))
    return {3: 1.0, 2: 0.25}.get(close, 0.0)
