"""Number puzzles: an expression that uses every given number once and hits the target."""
import ast
import re
from fractions import Fraction

LINE = re.compile(r"^\W*expression\W*?:[ \t*]*(.+)$", re.I | re.M)
SIGNS = str.maketrans({"×": "*", "·": "*", "÷": "/", "−": "-", "–": "-"})
MAX_LENGTH = 200


def parse_expression(completion):
    """Text of the last `Expression:` line with typographic signs made plain."""
    lines = LINE.findall(completion)
    if not lines:
        return None
    text = lines[-1].translate(SIGNS).strip("*`$ \t\r")
    return text if 0 < len(text) <= MAX_LENGTH else None


def numbers_in(text):
    return sorted(int(n) for n in re.findall(r"\b[0-9]+\b", text))


def evaluate(node):
    """Exact value; only whole numbers and the four binary operations are understood."""
    if isinstance(node, ast.Expression):
        return evaluate(node.body)
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return Fraction(node.value)
    if isinstance(node, ast.BinOp):
        left, right = evaluate(node.left), evaluate(node.right)
        if isinstance(node.op, ast.Add):
            return left + right
        if isinstance(node.op, ast.Sub):
            return left - right
        if isinstance(node.op, ast.Mult):
            return left * right
        if isinstance(node.op, ast.Div):
            return left / right
    raise ValueError("not allowed in an expression")


def reward(completion, numbers, target, **row):
    text = parse_expression(completion)
    if text is None:
        return 0.0
    if numbers_in(text) != sorted(numbers):
        return 0.0
    try:
        value = evaluate(ast.parse(text, mode="eval"))
    except (SyntaxError, ValueError, ZeroDivisionError, RecursionError, MemoryError):
        return 0.0
    return 1.0 if value == target else 0.0
