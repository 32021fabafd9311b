"""A formula for a truth table: any formula that agrees with the table and is short enough."""
import ast
import re

LINE = re.compile(r"^\s*\**formula:\**\s*(.+?)\s*$", re.I)


def _formula(text):
    lines = [l for l in text.strip().splitlines() if l.strip()]
    m = LINE.match(lines[-1]) if lines else None
    return m.group(1).strip("`*. ") if m else None


def _value(node, env):
    if isinstance(node, ast.Name):
        return env[node.id]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return not _value(node.operand, env)
    if isinstance(node, ast.BoolOp):
        values = [_value(v, env) for v in node.values]
        return all(values) if isinstance(node.op, ast.And) else any(values)
    raise ValueError("only names, and, or, not")


def _operators(node):
    """How many and / or / not the formula has."""
    if isinstance(node, ast.BoolOp):
        return len(node.values) - 1 + sum(map(_operators, node.values))
    if isinstance(node, ast.UnaryOp):
        return 1 + _operators(node.operand)
    return 0


def reward(completion, variables, table, max_operators, **_):
    """`table`: rows [inputs, output] with 0/1 inputs; output "-" means either value will do."""
    source = _formula(completion)
    if source is None:
        return 0.0
    try:
        tree = ast.parse(source, mode="eval").body
        if _operators(tree) > max_operators:
            return 0.0
        for inputs, output in table:
            got = _value(tree, dict(zip(variables, map(bool, inputs))))
            if output != "-" and got != bool(output):
                return 0.0
    except (SyntaxError, ValueError, KeyError, RecursionError, MemoryError):
        return 0.0
    return 1.0
