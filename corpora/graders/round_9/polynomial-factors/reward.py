"""Reward for complete factorisation of an integer polynomial in x."""
import re

ANSWER_RE = re.compile(r"^[\s*$`]*factors[\s*$`]*:(.*)$", re.IGNORECASE | re.MULTILINE)
FACTOR_RE = re.compile(r"(?:\(([^()]+)\)|(x))(?:\^(\d{1,2}))?")
TERM_RE = re.compile(r"([+-]?)(\d{0,6})(\*?x(?:\^(\d{1,2}))?)?")
MAX_DEGREE = 12


def multiply(a, b):
    """Product of two coefficient lists (constant term first)."""
    out = [0] * (len(a) + len(b) - 1)
    for i, p in enumerate(a):
        for j, q in enumerate(b):
            out[i + j] += p * q
    return out


def parse_poly(text):
    """'2x^2 - x + 1' -> [1, -1, 2], or None. Each term is a number, x^k or number*x^k."""
    result, pos = [0] * (MAX_DEGREE + 1), 0
    while pos < len(text):
        m = TERM_RE.match(text, pos)
        sign, digits, var, power = m.groups()
        if not (digits or var) or not (sign or pos == 0):
            return None
        if var and var.startswith("*") and not digits:
            return None
        degree = (int(power) if power else 1) if var else 0
        if degree > MAX_DEGREE:
            return None
        result[degree] += (-1 if sign == "-" else 1) * (int(digits) if digits else 1)
        pos = m.end()
    while len(result) > 1 and result[-1] == 0:
        result.pop()
    return result


def parse_product(text):
    """'-2*(x - 1)^2*(x + 3)' -> (constant, [(coefficients, exponent), ...]) or None."""
    text = text.strip().strip("*$`. ").replace("−", "-").replace("**", "^").replace("·", "*")
    text = re.sub(r"\s+", "", text)
    m = re.match(r"([+-]?)(\d{0,6})", text)
    constant = int(m.group(2) or 1) * (-1 if m.group(1) == "-" else 1)
    had_number, pos, factors = bool(m.group(2)), m.end(), []
    while pos < len(text):
        if text[pos] == "*":
            if not (had_number or factors):
                return None
            pos += 1
        m = FACTOR_RE.match(text, pos)
        if not m:
            return None
        poly = parse_poly(m.group(1) or m.group(2))
        if poly is None:
            return None
        factors.append((poly, int(m.group(3) or 1)))
        pos = m.end()
    return (constant, factors) if factors else None


def reward(completion, coefficients, irreducible, **row):
    """1.0 for a product equal to the polynomial with irreducible, primitive factors.

    Coefficient lists run from the constant term up. `irreducible` lists the
    different irreducible factors; over the integers they are unique up to sign,
    so any other factor is either reducible, not primitive or wrong.
    """
    lines = ANSWER_RE.findall(completion)
    parsed = parse_product(lines[-1]) if lines else None
    if parsed is None:
        return 0.0
    constant, factors = parsed
    product = [constant]
    for poly, power in factors:
        if poly not in irreducible and [-c for c in poly] not in irreducible:
            return 0.0
        if power < 1 or (len(poly) - 1) * power + len(product) - 1 > MAX_DEGREE:
            return 0.0
        for _ in range(power):
            product = multiply(product, poly)
    return 1.0 if product == coefficients else 0.0
