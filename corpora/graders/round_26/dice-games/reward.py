"""Reach a target with the dice thrown, each used once, four operations."""
import ast
import re
from fractions import Fraction

LABEL = re.compile(r"^[\s*_`>-]*EXPR[*_`\s]*:(.*)$", re.IGNORECASE)
ALLOWED = re.compile(r"[1-6+\-*/() ]+")
MAX_LENGTH = 100


class Illegal(Exception):
    pass


def answer_text(completion):
    text = None
    for line in completion.splitlines():
        match = LABEL.match(line)
        if match:
            text = match.group(1)
    if text is None:
        return None
    text = text.strip(" \t*_`$")
    for old, new in (("×", "*"), ("·", "*"), ("÷", "/"), ("−", "-"), ("–", "-")):
        text = text.replace(old, new)
    return text


def split_target(text, target):
    """Drops an '= target' at the end; any other equals sign is illegal."""
    left, sep, right = text.partition("=")
    if sep and right.strip() != str(target):
        raise Illegal("wrong right-hand side")
    return left.strip()


def evaluate(node, used):
    """Exact value of the expression; notes the numbers it uses."""
    if isinstance(node, ast.Constant) and type(node.value) is int:
        used.append(node.value)
        return Fraction(node.value)
    if isinstance(node, ast.BinOp):
        a, b = evaluate(node.left, used), evaluate(node.right, used)
        if isinstance(node.op, ast.Add):
            return a + b
        if isinstance(node.op, ast.Sub):
            return a - b
        if isinstance(node.op, ast.Mult):
            return a * b
        if isinstance(node.op, ast.Div):
            if b == 0:
                raise Illegal("division by zero")
            return a / b
    raise Illegal("not allowed here")


def check(text, dice, target):
    text = split_target(text, target)
    if len(text) > MAX_LENGTH or not ALLOWED.fullmatch(text):
        return False
    used = []
    value = evaluate(ast.parse(text, mode="eval").body, used)
    return value == target and sorted(used) == sorted(dice)


def reward(completion, dice, target, possible, **row):
    text = answer_text(completion or "")
    if text is None:
        return 0.0
    if text.strip("*_ .").lower() == "impossible":
        return 0.0 if possible else 1.0
    try:
        return 1.0 if check(text, dice, target) else 0.0
    except (Illegal, SyntaxError, ValueError, RecursionError, MemoryError):
        return 0.0
