"""The model writes pipeline(rows) in Python; its output is compared with the described steps."""
import ast
import re
import sys

FENCE = re.compile(r"```[\w+-]*[ \t]*\r?\n(.*?)```", re.S)
BUILTINS = {
    f.__name__: f
    for f in (len, sorted, min, max, sum, list, dict, set, tuple, str, int, float, bool,
              round, abs, any, all, enumerate, zip, reversed)
}
METHODS = {
    name
    for kind in (list, dict, set, tuple, str, int, float)
    for name in dir(kind)
    if not name.startswith("_")
} - {"format", "format_map"}
BANNED = (
    ast.Import, ast.ImportFrom, ast.ClassDef, ast.Try, ast.While, ast.With, ast.Global,
    ast.Nonlocal, ast.AsyncFunctionDef, ast.Await, ast.Yield, ast.YieldFrom, ast.Pow,
)
MAX_LINES = 50_000


def last_code(completion):
    blocks = FENCE.findall(completion)
    return blocks[-1] if blocks else None


def allowed(tree):
    for node in ast.walk(tree):
        if isinstance(node, BANNED):
            return False
        if isinstance(node, ast.Attribute) and node.attr not in METHODS:
            return False
        if isinstance(node, ast.Name) and node.id.startswith("__"):
            return False
        if isinstance(node, ast.FunctionDef) and node.decorator_list:
            return False
    return True


def with_budget(call):
    """Run call(), giving up after MAX_LINES executed lines."""
    seen = 0

    def trace(frame, event, arg):
        nonlocal seen
        seen += 1
        if seen > MAX_LINES:
            raise RuntimeError("too many steps")
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        return call()
    finally:
        sys.settrace(before)


def compare(left, op, right):
    return {
        "==": left == right,
        "!=": left != right,
        ">": op == ">" and left > right,
        ">=": op == ">=" and left >= right,
        "<": op == "<" and left < right,
        "<=": op == "<=" and left <= right,
    }[op]


def apply_steps(steps, rows):
    out = [dict(r) for r in rows]
    for step in steps:
        name, args = step[0], step[1:]
        if name == "where":
            field, op, value = args
            out = [r for r in out if compare(r[field], op, value)]
        elif name == "sort":
            field, down = args
            out = sorted(out, key=lambda r: r[field], reverse=down)
        elif name == "take":
            out = out[: args[0]]
        elif name == "add":
            field, amount = args
            out = [{**r, field: r[field] + amount} for r in out]
        elif name == "unique":
            first = {}
            for r in out:
                first.setdefault(r[args[0]], r)
            out = list(first.values())
        elif name == "pluck":
            out = [r[args[0]] for r in out]
    return out


def strict_equal(a, b):
    """Equality that keeps 1, 1.0 and True apart."""
    if type(a) is not type(b):
        return False
    if isinstance(a, list):
        return len(a) == len(b) and all(map(strict_equal, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(strict_equal(a[k], b[k]) for k in a)
    return a == b


def reward(completion, steps, cases, **row) -> float:
    if not isinstance(completion, str):
        return 0.0
    code = last_code(completion)
    if code is None:
        return 0.0
    try:
        tree = ast.parse(code)
        if not allowed(tree):
            return 0.0
        space = {"__builtins__": dict(BUILTINS)}
        with_budget(lambda: exec(compile(tree, "<reply>", "exec"), space))
        pipeline = space["pipeline"]
        for rows in cases:
            got = with_budget(lambda: pipeline(rows))
            if not strict_equal(got, apply_steps(steps, rows)):
                return 0.0
    except Exception:
        return 0.0
    return 1.0
