"""Physics formulas in Python syntax, compared with the reference at sampled points."""
import ast
import math
import operator
import random
import re

FUNCTIONS = {name: getattr(math, name) for name in
             ("sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "exp", "log")}
BINARY = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
          ast.Div: operator.truediv, ast.Pow: operator.pow}


def evaluate(node, env):
    if isinstance(node, ast.Expression):
        return evaluate(node.body, env)
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return float(node.value)
    if isinstance(node, ast.Name) and node.id in env:
        return env[node.id]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        value = evaluate(node.operand, env)
        return -value if isinstance(node.op, ast.USub) else value
    if isinstance(node, ast.BinOp) and type(node.op) in BINARY:
        value = BINARY[type(node.op)](evaluate(node.left, env), evaluate(node.right, env))
        if isinstance(value, complex):
            raise ValueError("complex value")
        return value
    if (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
            and node.func.id in FUNCTIONS and len(node.args) == 1 and not node.keywords):
        return FUNCTIONS[node.func.id](evaluate(node.args[0], env))
    raise ValueError("not allowed in a formula")


def parse(text):
    return ast.parse(text.strip().replace("^", "**"), mode="eval")


def points(variables, count=12):
    rng = random.Random(2024)
    for _ in range(count):
        yield {name: rng.uniform(low, high) for name, (low, high) in variables.items()}


def score(text, symbol, formula, variables):
    lines = [line.strip(" `*") for line in text.strip().splitlines() if line.strip(" `*")]
    m = re.fullmatch(re.escape(symbol) + r"\s*=\s*([^=]{1,200})", lines[-1]) if lines else None
    if not m:
        return 0.0
    reference = parse(formula)
    try:
        tree = parse(m.group(1))
        for env in points(variables):
            env["pi"] = math.pi
            got, want = evaluate(tree, env), evaluate(reference, env)
            if not math.isclose(got, want, rel_tol=1e-6):
                return 0.0
    except (SyntaxError, ValueError, ArithmeticError, RecursionError, MemoryError):
        return 0.0
    return 1.0


def reward(completion, symbol, formula, variables, **_):
    return score(completion, symbol, formula, variables)
