"""Reward for propositional formulas that have to reproduce a given truth table."""
import itertools
import re

TOKEN = re.compile(r"\s*(<->|->|[A-Za-z]+|[~!¬&∧|∨^⊕→↔()\[\]])")
SYMBOLS = {
    "~": "not", "!": "not", "¬": "not",
    "&": "and", "∧": "and",
    "|": "or", "∨": "or",
    "^": "xor", "⊕": "xor",
    "->": "implies", "→": "implies",
    "<->": "iff", "↔": "iff",
}
BINARY = {"iff": 1, "implies": 2, "or": 3, "xor": 4, "and": 5}
APPLY = {
    "and": lambda a, b: a and b,
    "or": lambda a, b: a or b,
    "xor": lambda a, b: a != b,
    "implies": lambda a, b: (not a) or b,
    "iff": lambda a, b: a == b,
}
CLOSING = {"(": ")", "[": "]"}
MAX_CHARS = 200
TOO_LONG_CREDIT = 0.4


def tokenize(text):
    tokens, pos = [], 0
    text = text.rstrip()
    while pos < len(text):
        match = TOKEN.match(text, pos)
        if not match:
            raise ValueError(f"unexpected character at {pos}")
        raw = match.group(1)
        if raw.lower() in BINARY or raw.lower() == "not":
            raw = raw.lower()
        tokens.append(SYMBOLS.get(raw, raw))
        pos = match.end()
    return tokens


class Parser:
    def __init__(self, tokens, variables):
        self.tokens = tokens
        self.variables = variables
        self.pos = 0
        self.used = []

    def peek(self):
        return self.tokens[self.pos] if self.pos < len(self.tokens) else None

    def take(self):
        token = self.peek()
        self.pos += 1
        return token

    def unary(self):
        token = self.take()
        if token == "not":
            self.used.append("not")
            inner = self.unary()
            return lambda env: not inner(env)
        if token in CLOSING:
            inner = self.binary(1)
            if self.take() != CLOSING[token]:
                raise ValueError("unbalanced brackets")
            return inner
        if token in self.variables:
            return lambda env: env[token]
        raise ValueError(f"operand expected, got {token!r}")

    def binary(self, floor):
        left = self.unary()
        while BINARY.get(self.peek(), 0) >= floor:
            op = self.take()
            self.used.append(op)
            # implication groups to the right, everything else to the left
            right = self.binary(BINARY[op] + (op != "implies"))
            left = self.join(APPLY[op], left, right)
        return left

    @staticmethod
    def join(fn, left, right):
        return lambda env: fn(left(env), right(env))

    def parse(self):
        tree = self.binary(1)
        if self.pos != len(self.tokens):
            raise ValueError("trailing input")
        return tree


def final_formula(completion):
    lines = re.findall(r"^[ \t]*Formula:[ \t]*(.*?)[ \t]*$", completion, re.M)
    if not lines:
        return None
    text = lines[-1]
    if len(text) > 1 and text[0] == text[-1] == "`":
        text = text[1:-1].strip()
    return text


def reward(completion, variables, table, allowed, limit, **row) -> float:
    text = final_formula(completion)
    if not text or len(text) > MAX_CHARS:
        return 0.0
    try:
        parser = Parser(tokenize(text), variables)
        formula = parser.parse()
    except ValueError:
        return 0.0
    if not set(parser.used) <= set(allowed):
        return 0.0
    worlds = itertools.product([False, True], repeat=len(variables))
    column = "".join("1" if formula(dict(zip(variables, w))) else "0" for w in worlds)
    if column != table:
        return 0.0
    return 1.0 if len(parser.used) <= limit else TOO_LONG_CREDIT
