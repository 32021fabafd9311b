"""Reward for "factor completely" tasks, with sympy doing the algebra."""
import re

from sympy import Add, Mul, Pow, Symbol, expand
from sympy.parsing.sympy_parser import (
    convert_xor,
    implicit_multiplication_application,
    parse_expr,
    standard_transformations,
)

TRANSFORMATIONS = standard_transformations + (implicit_multiplication_application, convert_xor)
NAMES = {name: Symbol(name) for name in "xyab"}
ALLOWED = re.compile(r"[0-9xyab+\-*^() ]+")


def parse(text):
    """Parse a polynomial written by the model; None when it is not one."""
    text = text.strip().strip("$`*. ").replace("·", "*").replace("−", "-")
    text = text.replace("\\cdot", "*").replace("**", "^")
    text = re.sub(r"\^\{(\d)\}", r"^\1", text)
    if not text or len(text) > 200 or not ALLOWED.fullmatch(text):
        return None
    if re.search(r"\^\s*\(|\^\s*\d{2}|\^\s*\d\s*\^|\d{5}|\)\s*\^\s*[7-9]", text):
        return None  # keeps expand() cheap
    try:
        return parse_expr(text, local_dict=dict(NAMES), transformations=TRANSFORMATIONS)
    except Exception:
        return None


def final_answer(completion):
    lines = [line for line in completion.strip().splitlines() if line.strip()]
    if not lines:
        return None
    match = re.match(r"[*\s]*answer[*\s]*:(.*)", lines[-1], re.IGNORECASE)
    if match is None:
        return None
    answer = match.group(1)
    return answer.split("=")[-1]


def is_factored(expr):
    """The answer has to be a product (or a power), not a sum."""
    return isinstance(expr, (Mul, Pow)) and not isinstance(expr, Add)


def reward(completion, polynomial, **row):
    answer = final_answer(completion)
    if answer is None:
        return 0.0
    given = parse(answer)
    if given is None or not is_factored(given):
        return 0.0
    return 1.0 if expand(given - parse(polynomial)) == 0 else 0.0
