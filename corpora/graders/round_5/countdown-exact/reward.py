"""Countdown: reach the target with every number used exactly once.

score 1.0  value is the target
score 0.1  legal expression over exactly the given numbers, other value
score 0.0  everything else
"""
import ast
import re
from fractions import Fraction

SIGNS = str.maketrans({"×": "*", "·": "*", "÷": "/", "−": "-", "–": "-", "\u00a0": " "})


def _walk(node, used):
    if isinstance(node, ast.BinOp):
        a, b = _walk(node.left, used), _walk(node.right, used)
        if isinstance(node.op, ast.Add):
            return a + b
        if isinstance(node.op, ast.Sub):
            return a - b
        if isinstance(node.op, ast.Mult):
            return a * b
        if isinstance(node.op, ast.Div):
            return a / b
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        used.append(node.value)
        return Fraction(node.value)
    raise ValueError("not allowed")


def compute_score(data_source, solution_str, ground_truth, extra_info=None):
    text = solution_str.rsplit("</think>", 1)[-1]
    if text.count("<answer>") != 1 or text.count("</answer>") != 1:
        return 0.0
    found = re.findall(r"<answer>(.*?)</answer>", text, re.DOTALL)
    if not found:
        return 0.0
    expr = " ".join(found[0].translate(SIGNS).split())
    if len(expr) > 120 or not re.fullmatch(r"[0-9+\-*/() ]+", expr):
        return 0.0
    used = []
    try:
        value = _walk(ast.parse(expr, mode="eval").body, used)
    except (SyntaxError, ValueError, ZeroDivisionError, RecursionError, MemoryError):
        return 0.0
    if sorted(used) != sorted(ground_truth["numbers"]):
        return 0.0
    return 1.0 if value == ground_truth["target"] else 0.1
