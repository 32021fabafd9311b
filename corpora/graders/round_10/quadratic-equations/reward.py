"""Roots of a*x^2 + b*x + c, exact, over the reals or the complex numbers."""
import re

from sympy import I, Rational, simplify, sqrt
from sympy.parsing.sympy_parser import (implicit_multiplication, parse_expr, rationalize,
                                        standard_transformations)

RULES = standard_transformations + (implicit_multiplication, rationalize)
SAFE = re.compile(r"(?:sqrt(?=\s*\()|i|\d{1,9}(?:\.\d{1,9})?|[-+*/() ])+")
LINE = re.compile(r"^[\s*#>]*roots\**\s*:\**(.*)$", re.I | re.M)


def split_roots(body):
    body = body.strip().strip("*`$. ").replace("−", "-").replace("·", "*")
    body = re.sub(r"√\s*(\d+)", r"sqrt(\1)", body).replace("√", "sqrt")
    body = re.sub(r"\bi(?=sqrt)", "i*", re.sub(r"(\d)(?=i)", r"\1*", body))
    parts = []
    for part in re.split(r",|;|\band\b|\bor\b", body):
        part = re.sub(r"^\s*x(?:_?\d)?\s*=\s*", "", part).strip()
        if not part:
            continue
        if part.count("±") == 1:
            parts += [part.replace("±", "+"), part.replace("±", "-")]
        else:
            parts.append(part)
    return parts


def to_number(text):
    if len(text) > 80 or "**" in text or "//" in text or not SAFE.fullmatch(text):
        raise ValueError(text)
    return parse_expr(text, local_dict={"i": I, "sqrt": sqrt}, transformations=RULES)


def true_roots(a, b, c, domain):
    disc = b * b - 4 * a * c
    if disc < 0 and domain == "real":
        return []
    r = sqrt(disc)
    return list({(Rational(-b) + r) / (2 * a), (Rational(-b) - r) / (2 * a)})


def same(x, y):
    return simplify(x - y) == 0


def reward(completion, a, b, c, domain, **_):
    lines = LINE.findall(completion)
    if not lines:
        return 0.0
    gold = true_roots(a, b, c, domain)
    body = lines[-1]
    if body.strip().strip("*`. ").lower() == "none":
        return 1.0 if not gold else 0.0
    try:
        given = [to_number(p) for p in split_roots(body)]
        if not given or len(given) > 2:
            return 0.0
        sound = all(any(same(p, g) for g in gold) for p in given)
        complete = all(any(same(p, g) for p in given) for g in gold)
    except Exception:
        return 0.0
    return 1.0 if sound and complete else 0.0
