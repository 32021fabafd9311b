"""Small changes to a program's parts that may make the program wrong, and the names of these changes."""

from __future__ import annotations

import ast
import copy
import math
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple


class Changed(NamedTuple):
    """A part of a program and its replacement; ``operator`` is the kind of change, such as ``comparison``."""

    operator: str
    old: ast.AST
    new: ast.AST


COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
"""Replacements for a comparison: the off-by-one error first, then the opposite."""
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
ONE_WAY = (ast.Sub, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)
"""Operators whose operands cannot be exchanged."""


def _either(*pairs: str) -> dict[str, str]:
    """Return a mapping that maps each name to the other name of its pair."""
    both = [pair.split() for pair in pairs]
    return {**dict(both), **{two: one for one, two in both}}


FUNCTIONS = _either("min max", "any all", "ceil floor")
METHODS = _either(
    *("startswith endswith", "find rfind", "lower upper", "lstrip rstrip", "isdigit isalnum"),
    *("isalpha isalnum", "keys values", "popleft pop", "union intersection"),
)
"""Functions and methods that programmers mistake for each other."""
DROPPED = frozenset({"sorted", "reversed", "set", "abs", "round", "int", "float", "str"})
"""Functions that programmers forget to call on an argument."""
DROPPED_METHODS = frozenset({"lower", "upper", "strip", "lstrip", "rstrip", "copy", "casefold"})
ANY_ORDER = frozenset({"range", "min", "max", "gcd", "lcm", "isinstance", "print", "zip", "set"})
"""Functions whose arguments are not exchanged, because that has no effect, or because another operator does it."""
SHORT_TEXT = 3
"""Maximum characters in a separator, such as a space; a longer text is a message."""


def changes_of(node: ast.AST) -> Iterator[Changed]:
    """Yield the possible changes to this node of a program, but not to the nodes within it."""
    found = _WAYS.get(type(node))
    if found:
        for operator, old, new in found(node):
            yield Changed(operator, old, new)


def _with(node: Any, **more: Any) -> Any:
    """Return a copy of a node with some fields changed."""
    new = copy.copy(node)
    for name, value in more.items():
        setattr(new, name, value)
    return new


def _plus(node: ast.expr, step: int) -> ast.expr:
    """Return an expression for the node plus ``step``."""
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return ast.Constant(node.value + step)
    sign = ast.Add() if step > 0 else ast.Sub()
    return ast.BinOp(node, sign, ast.Constant(abs(step)))


_Ways = Iterator[tuple[str, ast.AST, ast.AST]]


def _compare(node: ast.Compare) -> _Ways:
    for at, operation in enumerate(node.ops):
        for other in COMPARISONS[type(operation)]:
            ops = [*node.ops[:at], other(), *node.ops[at + 1 :]]
            yield "comparison", node, _with(node, ops=ops)


def _boolean(node: ast.BoolOp) -> _Ways:
    other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    yield "boolean", node, _with(node, op=other)
    for at in range(len(node.values)):
        rest = [*node.values[:at], *node.values[at + 1 :]]
        yield "condition", node, rest[0] if len(rest) == 1 else _with(node, values=rest)


def _unary(node: ast.UnaryOp) -> _Ways:
    if isinstance(node.op, ast.Not):
        yield "negation", node, node.operand
    elif isinstance(node.op, ast.USub) and not isinstance(node.operand, ast.Constant):
        yield "arithmetic", node, node.operand


def _binary(node: ast.BinOp) -> _Ways:
    if _is_text(node.left) or _is_text(node.right):
        return
    yield "arithmetic", node, _with(node, op=ARITHMETIC.get(type(node.op), ast.Add)())
    if isinstance(node.op, ast.FloorDiv):
        up = ast.UnaryOp(ast.USub(), _with(node, left=ast.UnaryOp(ast.USub(), node.left)))
        yield "arithmetic", node, up
    if isinstance(node.op, ONE_WAY):
        yield "swapped", node, _with(node, left=node.right, right=node.left)


def _is_text(node: ast.expr) -> bool:
    """Return whether an expression is a text or a list, which can only be added to its own type."""
    plain = isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
    return plain or isinstance(node, ast.JoinedStr | ast.List | ast.Tuple | ast.ListComp)


def _augmented(node: ast.AugAssign) -> _Ways:
    if not _is_text(node.value):
        yield "arithmetic", node, _with(node, op=ARITHMETIC.get(type(node.op), ast.Add)())
    yield "assignment", node, ast.Assign([node.target], node.value, lineno=node.lineno)
    yield "statement", node, ast.Pass()


def _constant(node: ast.Constant) -> _Ways:
    value = node.value
    if isinstance(value, bool):
        yield "constant", node, ast.Constant(not value)
    elif isinstance(value, int):
        yield "constant", node, ast.Constant(value + 1)
        if value > 0:
            yield "constant", node, ast.Constant(value - 1)
    elif isinstance(value, float) and math.isfinite(value):
        yield "constant", node, ast.Constant(value + 1)
    elif isinstance(value, str) and 0 < len(value) <= SHORT_TEXT:
        yield "constant", node, ast.Constant("")


def _subscript(node: ast.Subscript) -> _Ways:
    if not isinstance(node.ctx, ast.Load):
        return
    index = node.slice
    if isinstance(index, ast.Slice):
        for name in ("lower", "upper"):
            bound = getattr(index, name)
            if bound is not None:
                yield "bound", node, _with(node, slice=_with(index, **{name: None}))
                if not isinstance(bound, ast.Constant):
                    yield "bound", node, _with(node, slice=_with(index, **{name: _plus(bound, 1)}))
                    yield "bound", node, _with(node, slice=_with(index, **{name: _plus(bound, -1)}))
        if index.step is not None:
            yield "order", node, _with(node, slice=_with(index, step=None))
    elif not isinstance(index, ast.Constant | ast.Tuple):
        yield "index", node, _with(node, slice=_plus(index, -1))


def _call(node: ast.Call) -> _Ways:
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    known = name or method
    if name == "range" and node.args and not node.keywords:
        yield from _range(node)
    if name in FUNCTIONS and node.args:
        yield "function", node, _with(node, func=ast.Name(FUNCTIONS[name], ast.Load()))
    elif other := {**FUNCTIONS, **METHODS}.get(method):
        yield "function", node, _with(node, func=_with(node.func, attr=other))
    if known in ("sorted", "sort") and not any(each.arg == "reverse" for each in node.keywords):
        turned = ast.keyword("reverse", ast.Constant(True))
        yield "order", node, _with(node, keywords=[*node.keywords, turned])
    if name in DROPPED and node.args and not isinstance(node.args[0], ast.Starred):
        inner = node.args[0]
        bare = name not in ("sorted", "reversed", "set")
        call = inner if bare else ast.Call(ast.Name("list", ast.Load()), [inner], [])
        yield "call", node, call
    elif method in DROPPED_METHODS and isinstance(node.func, ast.Attribute) and not node.args:
        yield "call", node, node.func.value
    if len(node.args) > 1 and known not in ANY_ORDER:
        first, second, *rest = node.args
        yield "swapped", node, _with(node, args=[second, first, *rest])
    for at, keyword in enumerate(node.keywords):
        if keyword.arg in ("key", "default", "reverse", "start"):
            rest_of = [*node.keywords[:at], *node.keywords[at + 1 :]]
            yield "argument", node, _with(node, keywords=rest_of)


def _range(node: ast.Call) -> _Ways:
    at = 0 if len(node.args) == 1 else 1
    for step in (-1, 1):
        args = [*node.args[:at], _plus(node.args[at], step), *node.args[at + 1 :]]
        yield "bound", node, _with(node, args=args)
    first = ast.Constant(1) if at == 0 else _plus(node.args[0], 1)
    yield "bound", node, _with(node, args=[first, node.args[at], *node.args[2:]])


def _tested(node: Any) -> _Ways:
    """Yield changes that make a condition constant, and further changes for a loop."""
    if not isinstance(node.test, ast.Constant):
        yield "branch", node.test, ast.Constant(False)
        if not isinstance(node, ast.While):
            yield "branch", node.test, ast.Constant(True)
    if isinstance(node, ast.While):
        yield from _loop(node)


def _loop(node: Any) -> _Ways:
    last = node.body[-1]
    if not isinstance(last, ast.Break | ast.Return | ast.Raise | ast.Continue):
        yield "loop", node, _with(node, body=[*node.body, ast.Break()])


def _comprehension(node: Any) -> _Ways:
    for at, each in enumerate(node.generators):
        for which in range(len(each.ifs)):
            rest = [*each.ifs[:which], *each.ifs[which + 1 :]]
            several = [*node.generators[:at], _with(each, ifs=rest), *node.generators[at + 1 :]]
            yield "condition", node, _with(node, generators=several)


def _return(node: ast.Return) -> _Ways:
    value = node.value
    if value is None or (isinstance(value, ast.Constant) and value.value is None):
        return
    if isinstance(value, ast.Compare | ast.BoolOp) or _is_not(value):
        for each in (True, False):
            yield "returned", value, ast.Constant(each)
    elif isinstance(value, ast.Tuple) and len(value.elts) > 1:
        yield "returned", value, _with(value, elts=value.elts[::-1])
    elif isinstance(value, ast.BinOp):
        yield "returned", value, value.left
    yield "returned", node, ast.Return(ast.Constant(None))


def _is_not(node: ast.expr) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)


def _statement(node: ast.stmt) -> _Ways:
    yield "statement", node, ast.Pass()


def _expression(node: ast.Expr) -> _Ways:
    if isinstance(node.value, ast.Call):
        yield "statement", node, ast.Pass()


def _assign(node: ast.Assign) -> _Ways:
    # A name that is never assigned raises at once, which every test notices.
    if all(isinstance(each, ast.Subscript | ast.Attribute) for each in node.targets):
        yield "statement", node, ast.Pass()


_WAYS: dict[type[ast.AST], Callable[[Any], _Ways]] = {
    ast.Compare: _compare,
    ast.BoolOp: _boolean,
    ast.UnaryOp: _unary,
    ast.BinOp: _binary,
    ast.AugAssign: _augmented,
    ast.Constant: _constant,
    ast.Subscript: _subscript,
    ast.Call: _call,
    ast.If: _tested,
    ast.IfExp: _tested,
    ast.While: _tested,
    ast.For: _loop,
    ast.ListComp: _comprehension,
    ast.SetComp: _comprehension,
    ast.DictComp: _comprehension,
    ast.GeneratorExp: _comprehension,
    ast.Return: _return,
    ast.Continue: _statement,
    ast.Break: _statement,
    ast.Delete: _statement,
    ast.Expr: _expression,
    ast.Assign: _assign,
}
