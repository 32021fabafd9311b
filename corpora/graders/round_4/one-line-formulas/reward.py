import ast
import re

_POINTS = list(range(0, 401)) + [10 ** k + d for k in (5, 6, 9, 12, 18, 40, 250) for d in (0, 1, 7, 13, 36, 98)]
_OPS = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)


def _check(node):
    if isinstance(node, ast.BinOp) and isinstance(node.op, _OPS):
        return _check(node.left) and _check(node.right)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        return _check(node.operand)
    if isinstance(node, ast.Constant):
        return type(node.value) is int
    return isinstance(node, ast.Name) and node.id == "x"


def _eval(node, x):
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name):
        return x
    if isinstance(node, ast.UnaryOp):
        v = _eval(node.operand, x)
        return -v if isinstance(node.op, ast.USub) else v
    a, b = _eval(node.left, x), _eval(node.right, x)
    if isinstance(node.op, ast.Add):
        return a + b
    if isinstance(node.op, ast.Sub):
        return a - b
    if isinstance(node.op, ast.Mult):
        return a * b
    return a // b if isinstance(node.op, ast.FloorDiv) else a % b


def formula_reward(answer, row):
    """The expression must agree with the reference at 443 points, some of them huge."""
    text = re.sub(r"^```(?:python|py)?[ \t]*\n", "", answer.strip()).strip("`").strip()
    if not text or len(text) > 200 or "#" in text or "\n" in text:
        return 0.0
    try:
        tree = ast.parse(text, mode="eval").body
        if not _check(tree):
            return 0.0
        ref = ast.parse(row["reference"], mode="eval").body
        return 1.0 if all(_eval(tree, x) == _eval(ref, x) for x in _POINTS) else 0.0
    except (SyntaxError, ValueError, ZeroDivisionError, RecursionError, MemoryError):
        return 0.0
