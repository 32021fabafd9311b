"""Exact values of definite integrals, written as closed expressions.

The grammar is small on purpose: integers, pi, e, four operations, powers
and four functions. Values are compared numerically.
"""
import math
import re

LINE = re.compile(r"^[ \t]*Result:(.*)$", re.M)
TOKEN = re.compile(r"\s*([0-9]+|[a-z]+|\*\*|[-+*/^()])")
ALIASES = str.maketrans({"π": "pi", "×": "*", "·": "*", "−": "-"})
CONSTANTS = {"pi": math.pi, "e": math.e}
FUNCTIONS = {"sqrt": math.sqrt, "ln": math.log, "exp": math.exp, "atan": math.atan}
MAX_LENGTH = 80
MAX_DIGITS = 4
TOL = 1e-10


class Bad(ValueError):
    pass


def tokenize(text):
    text = text.strip()
    if len(text) > MAX_LENGTH:
        raise Bad("too long")
    text = text.translate(ALIASES)
    tokens, pos = [], 0
    while pos < len(text):
        match = TOKEN.match(text, pos)
        if match is None:
            raise Bad(f"cannot read {text[pos:]!r}")
        tokens.append("^" if match[1] == "**" else match[1])
        pos = match.end()
    return tokens


class Parser:
    """sum := product (('+'|'-') product)*; powers bind tighter than a sign."""

    def __init__(self, tokens):
        self.tokens, self.pos = tokens, 0

    def peek(self):
        return self.tokens[self.pos] if self.pos < len(self.tokens) else None

    def take(self, *wanted):
        token = self.peek()
        if token is None or (wanted and token not in wanted):
            raise Bad(f"unexpected {token!r}")
        self.pos += 1
        return token

    def sum(self):
        value = self.product()
        while self.peek() in ("+", "-"):
            sign = self.take()
            right = self.product()
            value = value + right if sign == "+" else value - right
        return value

    def product(self):
        value = self.signed()
        while self.peek() in ("*", "/"):
            operator = self.take()
            right = self.signed()
            value = value * right if operator == "*" else value / right
        return value

    def signed(self):
        if self.peek() in ("+", "-"):
            return -self.signed() if self.take() == "-" else self.signed()
        return self.power()

    def power(self):
        base = self.atom()
        if self.peek() == "^":
            self.take()
            return math.pow(base, self.signed())
        return base

    def atom(self):
        token = self.take()
        if token.isdigit():
            if len(token) > MAX_DIGITS:
                raise Bad("integer too long")
            return float(token)
        if token in CONSTANTS:
            return CONSTANTS[token]
        if token in FUNCTIONS:
            self.take("(")
            value = FUNCTIONS[token](self.sum())
            self.take(")")
            return value
        if token == "(":
            value = self.sum()
            self.take(")")
            return value
        raise Bad(f"unexpected {token!r}")


def evaluate(text):
    parser = Parser(tokenize(text))
    value = parser.sum()
    if parser.peek() is not None:
        raise Bad("trailing text")
    return value


def reward(completion, value, **row):
    lines = LINE.findall(completion)
    if not lines:
        return 0.0
    try:
        got = evaluate(lines[-1])
    except (ValueError, ArithmeticError):
        return 0.0
    return 1.0 if abs(got - value) <= TOL * max(1.0, abs(value)) else 0.0
