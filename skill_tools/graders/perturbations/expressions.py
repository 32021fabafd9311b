"""Wrong expressions that equal the right expression at some points, at which a grader may compare them."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from skill_tools.graders.perturbations.operators import Guess
from skill_tools.graders.templates.answer_templates import Template
from skill_tools.graders.templates.question import Question

KNOWN = frozenset(
    re.findall(
        r"\w+",
        "sin cos tan exp log ln sqrt abs asin acos atan sinh cosh tanh pi e E I i oo inf min max floor ceil",
    )
)
"""Names that are not variables."""
MARK = re.compile(r"(?<=\d)(?=[A-Za-z(])|(?<=\))(?=[A-Za-z0-9(])")
"""Matches a product without a multiplication sign."""


def variables_of(gold: str) -> list[str]:
    """Return the variables in an expression of letters and numbers; an empty list for other texts."""
    text = MARK.sub("*", gold.replace("^", "**").replace("\u00b7", "*").strip("$ "))
    if not re.fullmatch(r"[\w\s+\-*/().,]{1,300}", text) or not re.search(r"[\d(+\-*/]", text):
        return []
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    called = {
        n.func.id
        for n in ast.walk(tree)
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)
    }
    names = [n.id for n in ast.walk(tree) if isinstance(n, ast.Name)]
    if any(len(name) > 2 for name in names if name not in KNOWN | called):
        return []
    usual = (ast.BinOp, ast.UnaryOp, ast.Call)
    if not isinstance(tree.body, usual) or any(isinstance(n, ast.Tuple) for n in ast.walk(tree)):
        return []
    return sorted({name for name in names if name not in KNOWN | called})


SUM = re.compile(r"[\d\s().]{1,40}(?:[-+*/^][\d\s().]{1,40}){1,20}(?<=[\d)])")
"""Matches a right answer that can be computed: numbers with signs between them."""
ENDLESS = "endless"
"""Prefix of the ways of answering whose evaluation never ends."""
TOWERS = {"power": "9**9**9**9", "latex": "9^{9^{9^{9}}}"}
"""A number too large to write out, for programs and in LaTeX."""


def endless_expressions(question: Question, frame: Template) -> Iterator[Guess]:
    """Yield expressions that no grader can evaluate in time, if a prompt allows expressions."""
    asked = question.says & {"computed", "expression"}
    computed = question.kind == "text" and SUM.fullmatch(question.gold)
    if not (asked or computed or variables_of(question.gold)):
        return
    for way, text in TOWERS.items():
        how = "an expression that never finishes evaluating"
        yield Guess(f"{ENDLESS}.{way}", "wrong", how, frame.hold(text))


# fmt: off
WHOLE = "*".join(f"({{x}} - {n})" for n in range(1, 11))
EXPRESSIONS = (
    ("one", "an expression that agrees if the variable is 1", "({x} - 1)"),
    ("small", "an expression that is almost the same", "0.000001"),
    ("whole", "an expression that agrees if the variable is a small whole number", f"{{x}}*{WHOLE}"),
)
"""Terms to add to an expression, in its first variable."""
# fmt: on
UNDEFINED = {"root": "sqrt(-1 - {x}^2)", "zero": "1/({x} - {x})"}
"""Expressions without a value anywhere, in the first variable."""


REWRITTEN = re.compile(r"(?i)\b(?:factor(?:i[sz]e)?|simplify|expand|multiply out)\b")
"""Matches a prompt that asks for another form of an expression."""


def _asked(question: Question) -> str:
    """Return a line of the prompt that is an expression in the variables of the right answer, in brackets."""
    plain: Callable[[str], str] = lambda text: re.sub(r"[\s*()]", "", text)
    lines = [line.strip(" :.$") for line in question.prompt.splitlines()]
    same = (e for e in lines if variables_of(e) and variables_of(e) == variables_of(question.gold))
    return next((f"({e})" for e in same if plain(e) != plain(question.gold)), "")


def wrong_expressions(question: Question, frame: Template) -> Iterator[Guess]:
    """Yield wrong expressions, if the question's right answer has variables, or an identity for an equation."""
    names = variables_of(question.gold)
    sides = question.gold.split("=")
    if len(sides) == 2 and (inner := variables_of(sides[0]) or variables_of(sides[1])):
        how = "an equation that always holds"
        reply = frame.hold(f"{inner[0]} = {inner[0]}")
        yield Guess("expression.identity", "wrong", how, reply)
    for name, how, more in EXPRESSIONS if names and not question.is_open else ():
        reply = frame.hold(f"{question.gold} + {more.format(x=names[0])}")
        yield Guess(f"expression.{name}", "wrong", how, reply)
    if names and REWRITTEN.search(question.prompt) and (asked := _asked(question)):
        yield Guess("expression.asked", "wrong", "the prompt's expression", frame.hold(asked))
    for name, text in UNDEFINED.items() if names else ():
        written = text if "**" not in question.gold else text.replace("^", "**")
        how = "an expression that has no value"
        reply = frame.hold(written.format(x=names[0]))
        yield Guess(f"expression.{name}", "wrong", how, reply)
