"""A grader's code in which operations that may hold a slip are watched (see `slip_records`).

Runs in the venv of an audit: standard library only.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import CodeType
from typing import Any

LONGEST = 90
"""Maximum characters of a shown operation."""
SIGNS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.In: "in",
    ast.NotIn: "not in",
}
LAZY = {"map", "filter", "zip", "reversed"}
"""Functions whose results can be read once."""
READ_ONCE = {
    *("list", "tuple", "set", "frozenset", "dict", "sorted", "sum", "min", "max", "any", "all"),
    *("next", "join", "Counter", "enumerate", "fmean", "mean", "prod"),
}
"""Functions that read an argument once, so that nothing else reads it."""


def watched_code(text: str, file: str) -> CodeType:
    """Compile a grader's text with watched operations.

    Raises:
        SyntaxError: The text is not a Python program.
    """
    tree = ast.parse(text)
    watch = _Watch(tree)
    return compile(ast.fix_missing_locations(watch.visit(tree)), file, "exec")


class _Watch(ast.NodeTransformer):
    """Puts watched operations in place of a program's own ones."""

    def __init__(self, tree: ast.Module) -> None:
        self.read_once = {
            id(each)
            for node in ast.walk(tree)
            for each in (
                [*node.args, *(item.value for item in node.keywords)]
                if isinstance(node, ast.Call) and _name(node.func) in READ_ONCE
                else [node.iter]
                if isinstance(node, ast.For | ast.comprehension)
                else ()
            )
        }

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        source = _shown(node)
        self.generic_visit(node)
        index = node.slice
        literal = isinstance(index, ast.UnaryOp) and isinstance(index.operand, ast.Constant)
        if literal or isinstance(index, ast.Slice | ast.Constant | ast.Tuple):
            return node
        if not isinstance(node.ctx, ast.Load):
            return node
        return _call("watched_item", node, source, node.value, index)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        source, once = _shown(node), id(node) in self.read_once
        self.generic_visit(node)
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        plain = not node.keywords and not any(isinstance(e, ast.Starred) for e in node.args)
        if isinstance(node.func, ast.Attribute) and node.func.attr == "get" and plain and node.args:
            more = [ast.keyword("line", ast.Constant(node.lineno))]
            more.append(ast.keyword("source", ast.Constant(source)))
            called = ast.Name("watched_get", ast.Load())
            return ast.copy_location(ast.Call(called, [node.func.value, *node.args], more), node)
        made: ast.expr = node
        if name == "zip" and plain and len(node.args) > 1:
            texts = [ast.Constant(node.lineno), ast.Constant(source)]
            called = ast.Name("watched_zip", ast.Load())
            made = ast.copy_location(ast.Call(called, [*texts, *node.args], []), node)
        return _iterator(made, source) if name in LAZY and not once else made

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.AST:
        source, once = _shown(node), id(node) in self.read_once
        self.generic_visit(node)
        return node if once else _iterator(node, source)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        source = _shown(node)
        self.generic_visit(node)
        if not isinstance(node.op, ast.Div):
            return node
        return _call("watched_division", node, source, node.left, node.right)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        source = _shown(node)
        self.generic_visit(node)
        sign = SIGNS.get(type(node.ops[0])) if len(node.ops) == 1 else None
        if not sign:
            return node
        values = (node.left, node.comparators[0], ast.Constant(sign))
        return _call("watched_comparison", node, source, *values)

    def visit_If(self, node: ast.If) -> ast.AST:
        return self._with_test(node)

    def visit_While(self, node: ast.While) -> ast.AST:
        return self._with_test(node)

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        return self._with_test(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        watches = [_test_of(each) for each in node.values[:-1]]
        if isinstance(node.op, ast.Or):  # `x or default` replaces any empty value on purpose
            watches = []
        self.generic_visit(node)
        for at, watch in enumerate(watches):
            node.values[at] = watch(node.values[at])
        return node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        self.generic_visit(node)
        types = "except" if node.type is None else f"except {ast.unparse(node.type)}"
        noted = ast.Expr(_call("watched_exception", node, types))
        node.body.insert(0, ast.copy_location(noted, node))
        return node

    def _with_test(self, node: Any) -> ast.AST:
        watch = _test_of(node.test)
        self.generic_visit(node)
        node.test = watch(node.test)
        return node  # type: ignore[no-any-return]


def _test_of(test: ast.expr) -> Callable[[ast.expr], ast.expr]:
    """Return a function that watches a test, if the test is a value and no condition."""
    source = _shown(test)
    got = isinstance(test, ast.Call) and isinstance(test.func, ast.Attribute)
    got = got and _name(test.func) == "get"  # type: ignore[attr-defined]
    if got or isinstance(test, ast.Name | ast.Attribute | ast.Subscript):
        return lambda each: _call("watched_test", each, source, each)
    return lambda each: each


def _name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _shown(node: ast.AST) -> str:
    text = ast.unparse(node)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _call(name: str, old: Any, source: str, *values: ast.expr) -> ast.expr:
    more = [ast.Constant(old.lineno), ast.Constant(source)]
    return ast.copy_location(ast.Call(ast.Name(name, ast.Load()), [*values, *more], []), old)


def _iterator(node: ast.expr, source: str) -> ast.expr:
    called = ast.Name("WatchedIterator", ast.Load())
    return ast.copy_location(ast.Call(called, [node, ast.Constant(source)], []), node)
