"""Reward for editing a function's signature and docstring, checked on the syntax tree.

Nothing is executed. The edited function must have the asked signature, the
old body (with renamed parameters where the task renames them) and a docstring
of the asked form.
"""
import ast
import inspect
import re

FENCE_RE = re.compile(r"```(?:python|py)?[ \t]*\n(.*?)```", re.DOTALL | re.IGNORECASE)


def parse_function(source):
    """The only top-level statement, if it is a function definition."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if len(tree.body) != 1 or not isinstance(tree.body[0], ast.FunctionDef):
        return None
    return tree.body[0]


def split_docstring(function):
    """(clean docstring or None, dumps of the other statements)."""
    doc = ast.get_docstring(function, clean=False)
    body = function.body[1:] if doc is not None else function.body
    doc = inspect.cleandoc(doc) if doc is not None else None
    return doc, [ast.dump(statement) for statement in body]


def signature(function):
    returns = ast.dump(function.returns) if function.returns is not None else None
    return function.name, ast.dump(function.args), returns


def documented(doc):
    """Names in the Args: section, one line each; None when the docstring has another form."""
    lines = doc.splitlines()
    if len(lines) < 4 or lines[1].strip() or lines[2].strip() != "Args:":
        return None
    names = []
    for line in lines[3:]:
        if not line.strip():
            break  # other sections may follow
        m = re.match(r"\s+(\w+)(?: \([^)]*\))?:\s+\S", line)
        if not m:
            return None
        names.append(m.group(1))
    return names


def reward(completion, target, summary, **row):
    """`target` is the function after the edit, without docstring; `summary` its first docstring line."""
    blocks = FENCE_RE.findall(completion)
    if len(blocks) != 1:
        return 0.0
    got, want = parse_function(blocks[0]), parse_function(target)
    if got is None or got.decorator_list:
        return 0.0
    if signature(got) != signature(want):
        return 0.0
    doc, body = split_docstring(got)
    if body != split_docstring(want)[1]:
        return 0.0
    if not doc or doc.splitlines()[0].strip() != summary:
        return 0.0
    args = want.args
    names = [a.arg for a in args.posonlyargs + args.args + args.kwonlyargs]
    return 1.0 if documented(doc) == names else 0.0
