"""Complete factorisation of a polynomial in x over the integers."""
import re
from math import gcd, isqrt

TERM = re.compile(r"([+-]?)(\d{0,6})(?:(?:(?<=\d)\*)?(x)(?:\^(\d{1,2}))?)?")


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


def parse_sum(text):
    """'2x^2-3x+1' -> [1, -3, 2] (lowest power first), or None."""
    coeffs, pos = {}, 0
    while pos < len(text):
        m = TERM.match(text, pos)
        if not (m[2] or m[3]) or (pos and not m[1]):
            return None
        power = int(m[4] or 1) if m[3] else 0
        coeffs[power] = coeffs.get(power, 0) + int(m[1] + (m[2] or "1"))
        pos = m.end()
    if not coeffs:
        return None
    out = [coeffs.get(k, 0) for k in range(max(coeffs) + 1)]
    while out and out[-1] == 0:
        out.pop()
    return out or None


def parse_product(text):
    """List of factors with repeats, or None."""
    text = re.sub(r"\s+|\\left|\\right|\$", "", text).replace("\\cdot", "*").replace("−", "-")
    text = re.sub(r"\^\{(\d+)\}", r"^\1", text).replace(")*", ")").replace("*(", "(")
    factors, pos = [], 0
    lead = re.match(r"-(?=\()|[+-]?[\dx^*]+(?=\(|$)", text)
    if lead:
        whole = parse_sum("-1" if lead[0] == "-" else lead[0])
        if whole is None:
            return None
        power = len(whole) - 1
        factors = [[whole[-1]]] + [[0, 1]] * power
        pos = lead.end()
    while pos < len(text):
        m = re.compile(r"\(([^()]*)\)(?:\^(\d))?").match(text, pos)
        inner = parse_sum(m[1]) if m else None
        if inner is None:
            return None
        factors += [inner] * int(m[2] or 1)
        pos = m.end()
    return factors or None


def expand(factors):
    total = [1]
    for f in factors:
        out = [0] * (len(total) + len(f) - 1)
        for i, a in enumerate(total):
            for j, b in enumerate(f):
                out[i + j] += a * b
        total = out
    return total


def divisors(n):
    n = abs(n)
    small = [d for d in range(1, isqrt(n) + 1) if n % d == 0]
    return {d for s in small for d in (s, n // s)}


def has_rational_root(f):
    if f[0] == 0:
        return True
    for p in divisors(f[0]):
        for q in divisors(f[-1]):
            for s in (p, -p):
                if sum(c * s ** k * q ** (len(f) - 1 - k) for k, c in enumerate(f)) == 0:
                    return True
    return False


def irreducible(f):
    if gcd(*f) != 1:
        return False
    return len(f) == 2 or not has_rational_root(f)


def reward(completion, coeffs, **row) -> float:
    if not isinstance(completion, str):
        return 0.0
    box = last_box(completion)
    if box is None or len(box) > 300:
        return 0.0
    factors = parse_product(box)
    if factors is None or sum(len(f) - 1 for f in factors) != len(coeffs) - 1:
        return 0.0
    if expand(factors) != list(coeffs):
        return 0.0
    constants = [f for f in factors if len(f) == 1]
    proper = [f for f in factors if len(f) > 1]
    if len(constants) > 1:
        return 0.0
    return 1.0 if all(irreducible(f) for f in proper) else 0.0
