"""Composition of functions: compare a reply with the composed reference numerically."""
import ast
import math
import re

POINTS = [-7.31, -3.83, -2.19, -1.37, -0.71, -0.23, 0.17, 0.43, 0.89, 1.61, 2.77, 4.19, 6.53, 11.9]
FUNCTIONS = {"sqrt": math.sqrt, "exp": math.exp, "log": math.log, "abs": abs, "sin": math.sin, "cos": math.cos}
CONSTANTS = {"pi": math.pi, "e": math.e}
BINARY = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
    ast.Pow: math.pow,
}


def compile_expr(text):
    """Turn an expression in x into a callable; SyntaxError for anything outside the grammar."""
    if len(text) > 400:
        raise SyntaxError("too long")
    text = text.replace("^", "**").replace("−", "-").replace("·", "*").replace("×", "*")
    return build(ast.parse(text.strip(), mode="eval").body)


def build(node):
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        value = float(node.value)
        return lambda x: value
    if isinstance(node, ast.Name):
        if node.id == "x":
            return lambda x: x
        if node.id in CONSTANTS:
            value = CONSTANTS[node.id]
            return lambda x: value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        inner, sign = build(node.operand), -1.0 if isinstance(node.op, ast.USub) else 1.0
        return lambda x: sign * inner(x)
    if isinstance(node, ast.BinOp) and type(node.op) in BINARY:
        left, right, op = build(node.left), build(node.right), BINARY[type(node.op)]
        return lambda x: op(left(x), right(x))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS:
        if len(node.args) == 1 and not node.keywords:
            fn, inner = FUNCTIONS[node.func.id], build(node.args[0])
            return lambda x: fn(inner(x))
    raise SyntaxError("unsupported expression")


def compose(chain):
    """chain lists the functions from the outermost to the innermost."""
    steps = [compile_expr(text) for text in reversed(chain)]

    def composed(x):
        for step in steps:
            x = step(x)
        return x

    return composed


def equivalent(reference, candidate):
    for x in POINTS:
        try:
            want, have = reference(x), candidate(x)
        except (ValueError, ZeroDivisionError, OverflowError):
            continue
        if not math.isclose(want, have, rel_tol=1e-8, abs_tol=1e-10):
            return False
    return True


def final_expression(completion):
    hits = re.findall(r"^[\s*`$]*h\(x\)\s*=(.*)$", completion, re.MULTILINE)
    return hits[-1].strip().strip("*`$").strip() if hits else None


def reward(completion, chain, **row):
    text = final_expression(completion)
    if not text:
        return 0.0
    try:
        candidate = compile_expr(text)
    except (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError):
        return 0.0
    return 1.0 if equivalent(compose(chain), candidate) else 0.0
