import ast
import collections
import re
from fractions import Fraction

ANSWER = re.compile(r"<answer>(.*?)</answer>", re.S | re.I)
SIGNS = str.maketrans({"\u00d7": "*", "\u00f7": "/", "\u2212": "-", "\u00b7": "*", "[": "(", "]": ")"})


def _text(completion):
    if isinstance(completion, str):
        return completion
    return (completion[-1].get("content") or "") if completion else ""


def _evaluate(node, used):
    if isinstance(node, ast.Expression):
        return _evaluate(node.body, used)
    if isinstance(node, ast.Constant) and type(node.value) is int:
        used.append(node.value)
        return Fraction(node.value)
    if isinstance(node, ast.BinOp):
        left = _evaluate(node.left, used)
        right = _evaluate(node.right, used)
        if isinstance(node.op, ast.Add):
            return left + right
        if isinstance(node.op, ast.Sub):
            return left - right
        if isinstance(node.op, ast.Mult):
            return left * right
        if isinstance(node.op, ast.Div):
            return left / right
    raise ValueError("not allowed")


def _solves(expression, numbers, target):
    expression = expression.translate(SIGNS).strip()
    head, equals, tail = expression.partition("=")
    if equals and tail.strip() != str(target):
        return False
    if not 0 < len(head) <= 120 or not re.fullmatch(r"[0-9+\-*/() \t]+", head):
        return False
    used = []
    try:
        value = _evaluate(ast.parse(head.strip(), mode="eval"), used)
    except (SyntaxError, ValueError, ZeroDivisionError, RecursionError, MemoryError):
        return False
    return collections.Counter(used) == collections.Counter(numbers) and value == target


def target_reward(prompts, completions, numbers, target, **kwargs):
    """1.0 for an expression that uses every number once and gives the target."""
    rewards = []
    for completion, given, goal in zip(completions, numbers, target):
        found = ANSWER.findall(_text(completion))
        good = bool(found) and _solves(found[-1], given, goal)
        rewards.append(1.0 if good else 0.0)
    return rewards
