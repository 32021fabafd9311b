"""Equations of straight lines in any linear form.

Both sides are read as a*x + b*y + c with exact fractions; an equation is then
a triple of coefficients, and equal lines have proportional triples.
"""
import re
from fractions import Fraction

LINE = re.compile(r"^[ \t]*Equation:(.*)$", re.M | re.I)
TOKEN = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?|[xy]|[-+*/()])")
ALIASES = str.maketrans({"−": "-", "·": "*", "×": "*"})
MAX_LENGTH = 120


class NotLinear(ValueError):
    pass


def tokenize(text):
    tokens, pos = [], 0
    text = text.strip()
    while pos < len(text):
        match = TOKEN.match(text, pos)
        if match is None:
            raise NotLinear(text[pos:])
        tokens.append(match[1])
        pos = match.end()
    return tokens


def multiply(p, q):
    if p[0] or p[1]:
        p, q = q, p
    if p[0] or p[1]:
        raise NotLinear("product of unknowns")
    return tuple(p[2] * k for k in q)


def divide(p, q):
    if q[0] or q[1] or not q[2]:
        raise NotLinear("bad divisor")
    return tuple(k / q[2] for k in p)


class Side:
    """One side of the equation: sums of products, 2x and 2(x - 1) allowed."""

    def __init__(self, text):
        self.tokens, self.pos = tokenize(text), 0
        self.value = self.sum()
        if self.peek() is not None:
            raise NotLinear("trailing text")

    def peek(self):
        return self.tokens[self.pos] if self.pos < len(self.tokens) else None

    def take(self):
        token = self.peek()
        self.pos += 1
        return token

    def sum(self):
        total = self.product()
        while self.peek() in ("+", "-"):
            sign = 1 if self.take() == "+" else -1
            total = tuple(t + sign * k for t, k in zip(total, self.product()))
        return total

    def product(self):
        value = self.factor()
        while True:
            token = self.peek()
            if token == "*":
                self.take()
                value = multiply(value, self.factor())
            elif token == "/":
                self.take()
                value = divide(value, self.factor())
            elif token in ("x", "y", "("):
                value = multiply(value, self.factor())
            else:
                return value

    def factor(self):
        token = self.take()
        if token is None:
            raise NotLinear("end of text")
        if token in "+-":
            value = self.product() if token == "+" else multiply((0, 0, -1), self.product())
            return value
        if token == "(":
            value = self.sum()
            if self.take() != ")":
                raise NotLinear("not closed")
            return value
        if token in "xy":
            return (Fraction(token == "x"), Fraction(token == "y"), Fraction(0))
        if token[0].isdigit():
            return (Fraction(0), Fraction(0), Fraction(token))
        raise NotLinear(token)


def parse_equation(text):
    """Coefficients (a, b, c) of a*x + b*y = c."""
    if len(text) > MAX_LENGTH or text.count("=") != 1:
        raise NotLinear(text)
    left, right = (Side(t).value for t in text.translate(ALIASES).lower().split("="))
    return left[0] - right[0], left[1] - right[1], right[2] - left[2]


def same_line(p, q):
    """Proportional triples: every 2x2 determinant vanishes."""
    return (p[0] * q[1] == p[1] * q[0]
            and p[0] * q[2] == p[2] * q[0]
            and p[1] * q[2] == p[2] * q[1])


def reward(completion, line, **row):
    found = LINE.findall(completion)
    if not found:
        return 0.0
    try:
        got = parse_equation(found[-1].strip())
    except (ValueError, RecursionError):
        return 0.0
    return 1.0 if same_line(got, line) else 0.0
