import ast
import math
import re

FUNCS = {"sin": math.sin, "cos": math.cos, "tan": math.tan, "exp": math.exp, "log": math.log, "ln": math.log, "sqrt": math.sqrt}


def _value(node, x):
    if isinstance(node, ast.Expression):
        return _value(node.body, x)
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return float(node.value)
    if isinstance(node, ast.Name):
        return {"x": x, "e": math.e, "pi": math.pi}[node.id]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        v = _value(node.operand, x)
        return -v if isinstance(node.op, ast.USub) else v
    if isinstance(node, ast.BinOp):
        a, b = _value(node.left, x), _value(node.right, x)
        if isinstance(node.op, ast.Add):
            return a + b
        if isinstance(node.op, ast.Sub):
            return a - b
        if isinstance(node.op, ast.Mult):
            return a * b
        if isinstance(node.op, ast.Div):
            return a / b
        if isinstance(node.op, ast.Pow):
            return a ** b
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 1:
        return FUNCS[node.func.id](_value(node.args[0], x))
    raise ValueError("not allowed")


def _parse(text):
    text = text.strip().strip("`$ .")
    text = re.sub(r"^(f'\(x\)|y'|dy/dx)\s*=\s*", "", text)
    text = text.replace("^", "**").replace("\u00b7", "*")
    text = re.sub(r"(\d)\s*(?=[a-zA-Z(])", r"\1*", text)
    return ast.parse(text, mode="eval")


def derivative_reward(answer, row):
    """Compare the two expressions numerically, so any equivalent form is fine."""
    try:
        x = 1.0
        got = _value(_parse(answer), x)
        want = _value(_parse(row["derivative"]), x)
        return 1.0 if abs(got - want) <= 1e-6 * max(1.0, abs(want)) else 0.0
    except Exception:
        return 0.0
