"""Reward for programs of a small stack machine.

A program is run on many inputs and must leave exactly the wanted value.  A
right program within the length limit earns 1, a right one that is longer (up to
three times the limit) earns half.
"""
import random
import re

FENCE = re.compile(r"```[^\n`]*\n(.*?)```", re.DOTALL)
LITERAL = re.compile(r"[+-]?[0-9]{1,6}")
BINARY = {
    "ADD": lambda a, b: a + b,
    "SUB": lambda a, b: a - b,
    "MUL": lambda a, b: a * b,
    "MAX": max,
    "MIN": min,
}
NEEDS = {"NEG": 1, "DUP": 1, "DROP": 1, "SWAP": 2, "OVER": 2, "ROT": 3}
BOUND = 10 ** 30
FUNCTIONS = {"abs": abs, "min": min, "max": max, "sorted": sorted}


class Fault(Exception):
    pass


def tokens(source):
    words = []
    for line in source.split("\n"):
        words += line.split("#", 1)[0].upper().split()
    return words


def step(op, stack):
    if LITERAL.fullmatch(op):
        stack.append(int(op))
        return
    need = 2 if op in BINARY else NEEDS.get(op)
    if need is None or len(stack) < need:
        raise Fault(op)
    if op in BINARY:
        b, a = stack.pop(), stack.pop()
        stack.append(BINARY[op](a, b))
    elif op == "NEG":
        stack.append(-stack.pop())
    elif op == "DUP":
        stack.append(stack[-1])
    elif op == "DROP":
        stack.pop()
    elif op == "SWAP":
        stack[-1], stack[-2] = stack[-2], stack[-1]
    elif op == "OVER":
        stack.append(stack[-2])
    elif op == "ROT":
        stack.append(stack.pop(-3))
    if stack and abs(stack[-1]) > BOUND:
        raise Fault("overflow")


def run(program, inputs):
    stack = list(inputs)
    for op in program:
        step(op, stack)
    return stack


def cases(arity, seed):
    rng = random.Random(seed)
    out = [[0] * arity, [1] * arity, [-1] * arity]
    out += [[rng.randint(-4, 4) for _ in range(arity)] for _ in range(30)]
    out += [[rng.randint(-99, 99) for _ in range(arity)] for _ in range(40)]
    return out


def reward(completion, inputs, formula, limit, banned, **row):
    blocks = FENCE.findall(completion)
    if not blocks:
        return 0.0
    program = tokens(blocks[-1])
    if len(program) > 3 * limit:
        return 0.0
    if any(op in banned for op in program):
        return 0.0
    expr = compile(formula, "formula", "eval")
    for values in cases(len(inputs), formula):
        want = eval(expr, {"__builtins__": {}, **FUNCTIONS}, dict(zip(inputs, values)))
        try:
            if run(program, values) != [want]:
                return 0.0
        except Fault:
            return 0.0
    return 1.0 if len(program) <= limit else 0.5
