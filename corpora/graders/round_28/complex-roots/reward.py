"""All complex solutions of an equation, in rectangular form and any order."""
import re
from fractions import Fraction

TOLERANCE = Fraction(2, 1000)
NUMBER = r"(?:\d{1,12}(?:\.\d{0,20})?|\.\d{1,20})(?:/[1-9]\d{0,11})?"
REAL = re.compile(rf"(?P<sign>[+-]?)(?P<num>{NUMBER})(?![\di./])")
IMAG = re.compile(rf"(?P<sign>[+-]?)(?P<num>{NUMBER})?i")


def last_box(completion):
    start = completion.rfind("\\boxed{")
    if start < 0:
        return None
    depth, begin = 0, start + len("\\boxed{")
    for pos in range(begin, len(completion)):
        if completion[pos] == "{":
            depth += 1
        elif completion[pos] == "}":
            if depth == 0:
                return completion[begin:pos]
            depth -= 1
    return None


def to_fraction(sign, digits):
    top, _, bottom = digits.partition("/")
    value = Fraction(top) / int(bottom or 1)
    return -value if sign == "-" else value


def parse_complex(text):
    """'1/2-1.5i' -> (1/2, -3/2); None unless it is a, bi, a+bi or bi+a."""
    text = re.sub(r"\s+", "", text).replace("−", "-").replace("j", "i")
    re_part = im_part = None
    pos = 0
    while pos < len(text):
        if pos and text[pos] not in "+-":
            return None
        m = IMAG.match(text, pos)
        if m:
            if im_part is not None:
                return None
            im_part = to_fraction(m["sign"], m["num"] or "1")
        else:
            m = REAL.match(text, pos)
            if not m or re_part is not None:
                return None
            re_part = to_fraction(m["sign"], m["num"])
        pos = m.end()
    if re_part is None and im_part is None:
        return None
    return (re_part or Fraction(0), im_part or Fraction(0))


def close(z, w):
    return abs(z[0] - w[0]) <= TOLERANCE and abs(z[1] - w[1]) <= TOLERANCE


def reward(completion, solutions, **row) -> float:
    if not isinstance(completion, str):
        return 0.0
    box = last_box(completion)
    if box is None:
        return 0.0
    given = [parse_complex(part) for part in box.split(";")]
    if None in given or len(given) != len(solutions):
        return 0.0
    left = [(Fraction(a), Fraction(b)) for a, b in solutions]
    for z in given:
        hit = next((w for w in left if close(z, w)), None)
        if hit is None:
            return 0.0
        left.remove(hit)
    return 1.0
