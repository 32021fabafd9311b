"""Reward for writing the typed Python signature that a text describes.

Both signatures are parsed with ast and brought to a canonical form, in which
the old and the new spellings of a type are the same.
"""
import ast
import re

FENCE = re.compile(r"```[^\n`]*\n(.*?)```", re.DOTALL)
BUILTIN = {
    "List": "list", "Dict": "dict", "Set": "set", "FrozenSet": "frozenset",
    "Tuple": "tuple", "Type": "type",
}
MODULES = {"typing", "collections.abc"}


def canon_name(node):
    """Dotted name of a Name or Attribute without typing's prefixes."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        raise ValueError("not a name")
    parts.append(node.id)
    parts.reverse()
    if len(parts) > 1 and ".".join(parts[:-1]) in MODULES:
        parts = parts[-1:]
    name = ".".join(parts)
    return BUILTIN.get(name, name)


def union(members):
    flat = set()
    for m in members:
        if isinstance(m, tuple) and m[0] == "union":
            flat |= m[1]
        else:
            flat.add(m)
    return flat.pop() if len(flat) == 1 else ("union", frozenset(flat))


def canon_type(node):
    if node is None:
        return None
    if isinstance(node, ast.Constant):
        if isinstance(node.value, str):
            return canon_type(ast.parse(node.value.strip(), mode="eval").body)
        if node.value is None or node.value is Ellipsis:
            return ("const", repr(node.value))
        raise ValueError("constant in a type")
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return union([canon_type(node.left), canon_type(node.right)])
    if isinstance(node, ast.List):
        return ("list-of", tuple(canon_type(e) for e in node.elts))
    if isinstance(node, ast.Subscript):
        base = canon_name(node.value)
        inner = node.slice
        args = list(inner.elts) if isinstance(inner, ast.Tuple) else [inner]
        if base == "Literal":
            return (base, frozenset(repr(ast.literal_eval(a)) for a in args))
        kinds = [canon_type(a) for a in args]
        if base == "Optional":
            if len(kinds) != 1:
                raise ValueError("Optional takes one type")
            return union(kinds + [("const", "None")])
        if base == "Union":
            return union(kinds)
        return (base, tuple(kinds))
    return ("name", canon_name(node))


def canon_default(node):
    return None if node is None else repr(ast.literal_eval(node))


def canon_signature(source):
    tree = ast.parse(source)
    functions = [s for s in tree.body if isinstance(s, (ast.FunctionDef, ast.AsyncFunctionDef))]
    others = [s for s in tree.body if s not in functions]
    if len(functions) != 1:
        raise ValueError("exactly one function is wanted")
    if any(not isinstance(s, (ast.Import, ast.ImportFrom)) for s in others):
        raise ValueError("only imports may stand beside the function")
    f = functions[0]
    if f.decorator_list:
        raise ValueError("decorators")
    a = f.args
    positional = a.posonlyargs + a.args
    defaults = [None] * (len(positional) - len(a.defaults)) + list(a.defaults)
    params = []
    for i, (arg, default) in enumerate(zip(positional, defaults)):
        kind = "pos" if i < len(a.posonlyargs) else "any"
        params.append((kind, arg.arg, canon_type(arg.annotation), canon_default(default)))
    if a.vararg:
        params.append(("*", a.vararg.arg, canon_type(a.vararg.annotation), None))
    named = []
    for arg, default in zip(a.kwonlyargs, a.kw_defaults):
        named.append((arg.arg, canon_type(arg.annotation), canon_default(default)))
    if a.kwarg:
        params.append(("**", a.kwarg.arg, canon_type(a.kwarg.annotation), None))
    return (isinstance(f, ast.AsyncFunctionDef), f.name, tuple(params),
            frozenset(named), canon_type(f.returns))


def reward(completion, signature, **row):
    blocks = FENCE.findall(completion)
    if not blocks:
        return 0.0
    try:
        got = canon_signature(blocks[-1])
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        return 0.0
    return 1.0 if got == canon_signature(signature) else 0.0
