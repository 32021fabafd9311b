"""Numbers round: reach the target with the given tiles under the television rules."""
import ast
import re

LINE = re.compile(r"^[ \t]*Expression:[ \t]*(.*?)[ \t]*$", re.M | re.I)
SIGNS = str.maketrans({"×": "*", "÷": "/", "−": "-", "[": "(", "]": ")"})
MAX_CHARS = 200


class RuleBroken(Exception):
    pass


def last_expression(completion):
    found = LINE.findall(completion)
    if not found:
        return None
    text = found[-1].strip("`$ ").translate(SIGNS)
    if len(text) > MAX_CHARS or not re.fullmatch(r"[0-9+\-*/() ]+", text):
        return None
    return text


def evaluate(node, used):
    """Value of the tree; every step must give a positive whole number."""
    if isinstance(node, ast.Constant):
        if type(node.value) is not int:
            raise RuleBroken
        used.append(node.value)
        return node.value
    if not isinstance(node, ast.BinOp):
        raise RuleBroken
    left = evaluate(node.left, used)
    right = evaluate(node.right, used)
    if isinstance(node.op, ast.Add):
        return left + right
    if isinstance(node.op, ast.Mult):
        return left * right
    if isinstance(node.op, ast.Sub):
        if left <= right:
            raise RuleBroken
        return left - right
    if isinstance(node.op, ast.Div):
        if left % right:
            raise RuleBroken
        return left // right
    raise RuleBroken


def within_tiles(used, tiles):
    pool = list(tiles)
    for value in used:
        if value not in pool:
            return False
        pool.remove(value)
    return True


def points(distance):
    if distance == 0:
        return 1.0
    if distance <= 5:
        return 0.5
    if distance <= 10:
        return 0.25
    return 0.0


def reward(completion, tiles, target, **row) -> float:
    if not isinstance(completion, str):
        return 0.0
    text = last_expression(completion)
    if text is None:
        return 0.0
    used = []
    try:
        value = evaluate(ast.parse(text.strip(), mode="eval").body, used)
    except (SyntaxError, ValueError, RecursionError, MemoryError, RuleBroken):
        return 0.0
    if not within_tiles(used, tiles):
        return 0.0
    return points(abs(value - target))
