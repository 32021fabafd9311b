"""Changes to the code of a grader that undo the usual mistakes of its author, such as a missing argument."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from itertools import permutations
from typing import Any

from skill_tools.graders.programs.mutations import Changed, changes_of

SCALES = (0.01, 0.1, 10, 100, 1000, 0.001)
"""Factors by which a tolerance may be wrong: it was meant for another unit."""
EXACT = ("search", "match", "findall")
"""Methods of patterns that also match a part of a text."""
RAISES = "strict"
"""The kind of edits that make the code raise an exception on purpose."""
STRIPS = {"lstrip": "removeprefix", "rstrip": "removesuffix"}
"""Methods that remove any of some letters, and those that remove a text."""
LARGEST = 40
"""Maximum different names in a function to exchange: each costs as many edits as there are other names."""


def edits_of(tree: ast.Module) -> Callable[[ast.AST], Iterator[Changed]]:
    """Return a function that yields the edits of a node: first those that undo usual mistakes, then any others."""
    names = dict(_names_by_node(tree))
    # A name that would be compared with itself.
    tautologies = {
        (id(one), other.id)
        for node in ast.walk(tree)
        if isinstance(node, ast.Compare)
        for one, other in permutations((node.left, node.comparators[0]))
        if isinstance(one, ast.Name) and isinstance(other, ast.Name)
    }

    def edits(node: ast.AST) -> Iterator[Changed]:
        for find in _EDITS.get(type(node), ()):
            for new in find(node):
                yield Changed("usual", node, new)
        if isinstance(node, ast.Call):
            for new in _strict(node):
                yield Changed(RAISES, node, new)
        for name in names.get(id(node), ()):
            if (id(node), name) not in tautologies:
                yield Changed("name", node, ast.Name(name, ast.Load()))
        yield from changes_of(node)

    return edits


def _names_by_node(tree: ast.Module) -> Iterator[tuple[int, list[str]]]:
    """Yield each name that a function reads, with the function's other variables."""
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        inner = list(ast.walk(function))
        own = {each.arg for each in inner if isinstance(each, ast.arg)}
        own |= {e.id for e in inner if isinstance(e, ast.Name) and isinstance(e.ctx, ast.Store)}
        if len(own) > LARGEST:
            continue
        called = {id(each.func) for each in inner if isinstance(each, ast.Call)}
        read = [e for e in inner if isinstance(e, ast.Name) and isinstance(e.ctx, ast.Load)]
        for each in read:
            if each.id in own and id(each) not in called:
                yield id(each), sorted(own - {each.id})


def _call(name: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])


def _with(node: Any, **more: Any) -> Any:
    new = copy.copy(node)
    for name, value in more.items():
        setattr(new, name, value)
    return new


def _calls(node: ast.Call) -> Iterator[ast.AST]:
    """Yield calls that round half up, keep all of a text or a pair, strip a text, or leave out an argument."""
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    named = {each.arg for each in node.keywords}
    if method == "quantize" and "rounding" not in named and len(node.args) == 1:
        half_up = ast.keyword("rounding", ast.Constant("ROUND_HALF_UP"))
        yield _with(node, keywords=[*node.keywords, half_up])
    if name == "round" and not node.keywords:
        yield _call("half_up", *node.args)
    if name in ("sorted", "min", "max") and "key" not in named:
        by_value = ast.keyword("key", ast.Name("by_value", ast.Load()))
        yield _with(node, keywords=[*node.keywords, by_value])
    if method in EXACT:
        yield _with(node, func=_with(node.func, attr="fullmatch"))
    if method in STRIPS and len(node.args) == 1 and isinstance(node.args[0], ast.Constant):
        yield _with(node, func=_with(node.func, attr=STRIPS[method]))
    if method == "replace" and "tzinfo" in named:
        yield _converted(node)
    for at in range(len(node.keywords)):
        yield _with(node, keywords=[*node.keywords[:at], *node.keywords[at + 1 :]])
    for at, each in enumerate(node.args):
        if isinstance(each, ast.Name):
            several = [*node.args[:at], _call("without_repeats", each), *node.args[at + 1 :]]
            yield _with(node, args=several)


def _strict(node: ast.Call) -> Iterator[ast.AST]:
    """Yield a `zip` that refuses lists of different lengths."""
    if isinstance(node.func, ast.Name) and node.func.id == "zip" and not node.keywords:
        yield _with(node, keywords=[ast.keyword("strict", ast.Constant(True))])


def _converted(node: ast.Call) -> ast.Call:
    """Return a conversion to a time zone in place of a replaced time zone; other replaced parts stay."""
    (zone,) = [each.value for each in node.keywords if each.arg == "tzinfo"]
    rest = [each for each in node.keywords if each.arg != "tzinfo"]
    moved = ast.Call(_with(node.func, attr="astimezone"), [zone], [])
    if not rest:
        return moved
    return ast.Call(ast.Attribute(moved, "replace", ast.Load()), [], rest)


def _comparisons(node: ast.Compare) -> Iterator[ast.AST]:
    """Yield comparisons of other forms of the two sides, and equality in place of containment."""
    if len(node.ops) != 1:
        return
    (operation,), (right,) = node.ops, node.comparators
    if isinstance(operation, ast.In | ast.LtE | ast.GtE):
        yield _with(node, ops=[ast.Eq()])
    if isinstance(operation, ast.Lt | ast.LtE | ast.Gt | ast.GtE):
        yield _sides(node, "by_value", right)
        yield _with(node, left=_call("abs", node.left))
    if isinstance(operation, ast.Eq | ast.NotEq | ast.In | ast.NotIn):
        yield _sides(node, "casefolded", right)
    if isinstance(operation, ast.Eq):
        yield _call("nearly_equal", node.left, right)


def _sides(node: ast.Compare, function: str, right: ast.expr) -> ast.Compare:
    changed: ast.Compare = _with(
        node, left=_call(function, node.left), comparators=[_call(function, right)]
    )
    return changed


def _arithmetic(node: ast.BinOp) -> Iterator[ast.AST]:
    """Yield exact products, divisions that round towards 0, and absolute differences."""
    text = isinstance(node.left, ast.Constant | ast.JoinedStr)
    if isinstance(node.op, ast.Mod) and not text:
        yield _call("truncated_rest", node.left, node.right)
    if isinstance(node.op, ast.Mult):
        yield _call("exact_product", node.left, node.right)
    if isinstance(node.op, ast.FloorDiv):
        yield _call("truncated_quotient", node.left, node.right)
    if isinstance(node.op, ast.Sub):
        yield _call("abs", node)


def _attributes(node: ast.Attribute) -> Iterator[ast.AST]:
    if node.attr == "seconds" and isinstance(node.ctx, ast.Load):
        yield ast.Call(_with(node, attr="total_seconds"), [], [])


def _constants(node: ast.Constant) -> Iterator[ast.AST]:
    """Yield other magnitudes of a number."""
    if isinstance(node.value, float) or (type(node.value) is int and abs(node.value) > 1):
        for scale in SCALES:
            value = node.value * scale
            whole = isinstance(node.value, int) and value == int(value)
            yield ast.Constant(int(value) if whole else float(f"{value:.12g}"))


def _indices(node: ast.Subscript) -> Iterator[ast.AST]:
    """Yield the last item in place of the first, and the first in place of the last."""
    index = node.slice
    last = isinstance(index, ast.UnaryOp) and isinstance(index.operand, ast.Constant)
    if isinstance(node.ctx, ast.Load) and isinstance(index, ast.Constant) and index.value == 0:
        yield _with(node, slice=ast.Constant(-1))
    elif isinstance(node.ctx, ast.Load) and last:
        yield _with(node, slice=ast.Constant(0))


def _returns(node: ast.Return) -> Iterator[ast.AST]:
    value = node.value
    if isinstance(value, ast.Constant) and isinstance(value.value, float):
        yield ast.Return(ast.Constant(0.0 if value.value else 1.0))


def _assignments(node: ast.Assign) -> Iterator[ast.AST]:
    """Yield an assignment of a list without its repeated items."""
    if isinstance(node.targets[0], ast.Name) and not isinstance(node.value, ast.Constant):
        yield _with(node, value=_call("without_repeats", node.value))


def _conditions(node: ast.If) -> Iterator[ast.AST]:
    """Yield a loop in place of a condition without an alternative."""
    if not node.orelse and not isinstance(
        node.body[-1], ast.Return | ast.Continue | ast.Raise | ast.Break
    ):
        yield ast.While(node.test, node.body, [])


def _steps(_: ast.stmt) -> Iterator[ast.AST]:
    """Yield the end of the whole calculation in place of a step that leaves something out."""
    yield ast.Return(ast.Constant(0.0))


_EDITS: dict[type[ast.AST], tuple[Callable[[Any], Iterator[ast.AST]], ...]] = {
    ast.Call: (_calls,),
    ast.Compare: (_comparisons,),
    ast.BinOp: (_arithmetic,),
    ast.Attribute: (_attributes,),
    ast.Constant: (_constants,),
    ast.Subscript: (_indices,),
    ast.Return: (_returns,),
    ast.If: (_conditions,),
    ast.Assign: (_assignments,),
    ast.Continue: (_steps,),
    ast.Pass: (_steps,),
}
