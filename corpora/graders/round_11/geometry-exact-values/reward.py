"""Exact-value geometry reward: the answer must equal the gold value exactly (sympy)."""
import ast
import re

import sympy

BINARY = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
}


def to_python(text):
    """Rewrite LaTeX or plain notation as a Python expression over sqrt(), pi and integers."""
    text = text.strip().strip("*`").strip().rstrip(".").strip().strip("$").strip()
    text = re.sub(r"^\\boxed\s*\{(.*)\}$", r"\1", text)
    text = text.replace("−", "-").replace("·", "*").replace("×", "*").replace("π", " pi ").replace("^", "**")
    text = re.sub(r"\\(left|right|[,;! ])", "", text)
    text = re.sub(r"\\[dt]?frac\s*(\d)\s*(\d)(?!\d)", r"((\1)/(\2))", text)
    text = re.sub(r"\\(cdot|times)", "*", text).replace("\\pi", " pi ").replace("\\sqrt", "sqrt")
    text = re.sub(r"√\s*(\d+|pi)", r"sqrt(\1)", text).replace("√", "sqrt")
    text = re.sub(r"sqrt\s*(\d(?!\d)|pi)", r"sqrt(\1)", text)
    while True:  # innermost fractions first
        new = re.sub(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}", r"((\1)/(\2))", text)
        new = re.sub(r"sqrt\s*\{([^{}]*)\}", r"sqrt(\1)", new)
        if new == text:
            break
        text = new
    text = re.sub(r"(?<=[\d)])\s*(?=sqrt|pi|\()|(?<=pi)\s+(?=sqrt|\d|\()|(?<=\))\s*(?=\d)", "*", text)
    return text.strip()


def evaluate(node):
    if isinstance(node, ast.Expression):
        return evaluate(node.body)
    if isinstance(node, ast.Constant) and type(node.value) is int and abs(node.value) < 100_000:
        return sympy.Integer(node.value)
    if isinstance(node, ast.Name) and node.id == "pi":
        return sympy.pi
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        value = evaluate(node.operand)
        return -value if isinstance(node.op, ast.USub) else value
    if isinstance(node, ast.BinOp) and type(node.op) in BINARY:
        return BINARY[type(node.op)](evaluate(node.left), evaluate(node.right))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        power = evaluate(node.right)
        if power in (2, 3, sympy.Rational(1, 2)):
            return evaluate(node.left) ** power
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "sqrt" and len(node.args) == 1 and not node.keywords:
        return sympy.sqrt(evaluate(node.args[0]))
    raise ValueError("not an exact value")


def reward(completion, answer, **row):
    found = re.findall(r"^[\s*]*answer[\s*]*:(.+)$", completion, re.IGNORECASE | re.MULTILINE)
    if not found or len(found[-1]) > 100:
        return 0.0
    try:
        given = evaluate(ast.parse(to_python(found[-1]), mode="eval"))
        gold = evaluate(ast.parse(answer, mode="eval"))
        return 1.0 if sympy.simplify(given - gold) == 0 else 0.0
    except (ValueError, SyntaxError, TypeError, RecursionError, AttributeError, MemoryError):
        return 0.0
