"""Circuits from truth tables: a nested gate expression, checked on every specified input."""
import re
from itertools import product

GATES = {
    "NOT": (1, lambda a: not a),
    "AND": (2, lambda a, b: a and b),
    "OR": (2, lambda a, b: a or b),
    "XOR": (2, lambda a, b: a != b),
    "NAND": (2, lambda a, b: not (a and b)),
    "NOR": (2, lambda a, b: not (a or b)),
}
TOKEN = re.compile(r"\s*([A-Za-z]+|[(),])")
ANSWER = re.compile(r"^[ \t]*F[ \t]*=(.*)$", re.M)


class BadCircuit(ValueError):
    pass


def tokenize(text):
    tokens, pos = [], 0
    text = text.rstrip()
    while pos < len(text):
        match = TOKEN.match(text, pos)
        if match is None:
            raise BadCircuit(f"unexpected text at {pos}")
        tokens.append(match.group(1).upper())
        pos = match.end()
    return tokens


class Parser:
    def __init__(self, tokens, inputs, allowed, max_gates):
        self.tokens, self.pos = tokens, 0
        self.inputs, self.allowed = inputs, allowed
        self.budget = max_gates

    def take(self, expected=None):
        if self.pos >= len(self.tokens):
            raise BadCircuit("expression ends early")
        token = self.tokens[self.pos]
        if expected is not None and token != expected:
            raise BadCircuit(f"expected {expected}")
        self.pos += 1
        return token

    def expression(self):
        token = self.take()
        if token in self.inputs:
            return token
        if token not in self.allowed:
            raise BadCircuit(f"{token} is not available")
        self.budget -= 1
        if self.budget < 0:
            raise BadCircuit("too many gates")
        arity, _ = GATES[token]
        self.take("(")
        args = [self.expression()]
        for _ in range(arity - 1):
            self.take(",")
            args.append(self.expression())
        self.take(")")
        return (token, *args)

    def whole(self):
        tree = self.expression()
        if self.pos != len(self.tokens):
            raise BadCircuit("text after the expression")
        return tree


def evaluate(tree, values):
    if isinstance(tree, str):
        return values[tree]
    return GATES[tree[0]][1](*(evaluate(arg, values) for arg in tree[1:]))


def reward(completion, inputs, outputs, allowed, max_gates, **row) -> float:
    """outputs: one of '0', '1', '-' per input combination, counting up with the last input fastest."""
    lines = ANSWER.findall(completion)
    if not lines:
        return 0.0
    try:
        tree = Parser(tokenize(lines[-1]), inputs, allowed, max_gates).whole()
    except BadCircuit:
        return 0.0
    for bits, want in zip(product((False, True), repeat=len(inputs)), outputs):
        if want == "-":
            continue
        if evaluate(tree, dict(zip(inputs, bits))) != (want == "1"):
            return 0.0
    return 1.0
