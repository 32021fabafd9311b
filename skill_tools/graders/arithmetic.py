"""Functions for the plain form and the value of an answer: numbers and expressions, also in LaTeX."""

from __future__ import annotations

import ast
import operator
import re
import unicodedata
from collections.abc import Callable, Mapping
from fractions import Fraction

DIGITS = 40
"""Maximum digits of a number to compute with."""
POWER = 64
"""Maximum exponent."""
_FRACTION = re.compile(r"\\[dt]?frac\s?\{([^{}]{1,40})\}\s?\{([^{}]{1,40})\}")
_COMMANDS = re.compile(
    r"\\(?:left|right|displaystyle|,|!|;|:|\s)|\\(?:text|mathrm|mathbf|textbf)(?=\{)"
)
_WRAPPED = (
    *(("\\boxed{", "}"), ("\\(", "\\)"), ("\\[", "\\]"), ("**", "**"), ("`", "`"), ('"', '"')),
    *(("'", "'"), ("{", "}")),
)
"""Marks around an answer that do not change it."""

DASHES = str.maketrans(dict.fromkeys("\u2212\u2010\u2011\u2012\u2013\u2014\u2015", "-"))
"""A table for `str.translate` that puts hyphens in place of other dashes and minus signs."""


def without_marks(text: str) -> str:
    """Return a text without the marks of its letters, such as accents."""
    parts = unicodedata.normalize("NFD", text)
    return "".join(each for each in parts if not unicodedata.combining(each))


def plain(text: str) -> str:
    """Return an answer without the marks of formulas, emphasis and quotation; letters keep their case."""
    found = unicodedata.normalize("NFC", _COMMANDS.sub("", text)).replace("\u2212", "-")
    found = found.replace("{,}", ",").replace("\\$", "").replace("$", "").strip()
    changed = True
    while changed:
        changed = False
        for before, after in _WRAPPED:
            inner = found[len(before) : len(found) - len(after)]
            fits = found.startswith(before) and found.endswith(after) and before not in inner
            if fits and len(found) > len(before) + len(after) and after not in inner:
                found, changed = inner.strip(), True
    return " ".join(found.removesuffix(".").split())


_OPERATIONS: Mapping[type, Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Mod: operator.mod,
}


def value_in(text: str) -> Fraction | None:
    """Return the value of a number or of an expression of numbers, also in LaTeX; None for any other text."""
    found = _FRACTION.sub(r"((\1)/(\2))", plain(text))
    found = (
        re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", found).replace("\\times", "*").replace("\\cdot", "*")
    )
    found = re.sub(r"^([-+]?)[€£]", r"\1", found).replace("^", "**").replace("\u00d7", "*")
    found = re.sub(r"\s?%$", "", found).replace("\u00f7", "/")
    if not re.fullmatch(r"[\d\s.+\-*/%()eE]{1,200}", found) or re.search(rf"\d{{{DIGITS}}}", found):
        return None
    try:
        return _compute(ast.parse(found.strip(), mode="eval").body)
    except (SyntaxError, ValueError, ZeroDivisionError, RecursionError, MemoryError):
        return None


def _compute(node: ast.expr) -> Fraction:
    """Return the value of an expression. Raises ValueError for names, calls and large powers."""
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return Fraction(str(node.value))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        inner = _compute(node.operand)
        return -inner if isinstance(node.op, ast.USub) else inner
    if isinstance(node, ast.BinOp):
        one, two = _compute(node.left), _compute(node.right)
        if isinstance(node.op, ast.Pow) and two.denominator == 1 and abs(two) <= POWER:
            return one ** int(two) if abs(one) < 10**DIGITS else _refuse()
        if compute := _OPERATIONS.get(type(node.op)):
            return compute(one, two)
    return _refuse()


def _refuse() -> Fraction:
    raise ValueError
