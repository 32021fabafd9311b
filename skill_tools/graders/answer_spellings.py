"""Other spellings of a right answer, which should be rewarded unless the prompt requires one form."""

from __future__ import annotations

import ast
import json
import re
import unicodedata
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from skill_tools.graders.perturbations.lists import LINE_LABEL
from skill_tools.graders.templates.dates import WRITTEN, read_date, shown_dates, written_date
from skill_tools.graders.templates.question import (
    ARROWS,
    FRACTION,
    MEASURED,
    Question,
    is_number,
    items_of,
)

SEPARATED = 1000
"""Smallest number that people write with separators."""
FEW_DIGITS = 6
"""Maximum decimals in a fraction that people would write out."""
MONTHS = 12
"""Number of months: a larger number in a date is its day."""
CUT = re.compile(r"^[^(\[]{0,200}[)\]]|[(\[][^)\]]{0,200}$")
"""Matches an item that contains one of two brackets."""
ENDS = ("()", "[]", "(]", "[)")
"""Brackets around the two ends of an interval."""
ORDERS = ("in another order", "with its first item last")
"""Other orders of a list, in words."""
Spelling = tuple[str, str, str]
"""The name of a spelling, its description, and the answer in that spelling."""


def equivalents(question: Question) -> Iterator[Spelling]:
    """Yield other spellings of the right answer, except spellings that the prompt rules out."""
    gold, says = question.gold, question.says
    if "exact" in says and question.kind not in ("code", "json"):
        return
    ways = {
        "number": _numbers,
        "choice": _choices,
        "boolean": _booleans,
        "date": _dates,
        "list": _lists,
        "json": _objects,
        "code": _programs,
        "text": _texts,
    }
    seen = {gold}
    for way, how, text in ways[question.kind](question):
        if text not in seen:
            seen.add(text)
            yield f"{question.kind}.{way}", how, text


def _numbers(question: Question) -> Iterator[Spelling]:
    gold, says = question.gold, question.says
    if (fraction := FRACTION.fullmatch(gold)) and "fraction" not in says:
        yield from _as_decimals(Fraction(int(fraction[1]), int(fraction[2]) or 1))
        return
    if (found := MEASURED.fullmatch(gold)) and not is_number(gold):
        if "form" not in says and "alone" not in says:
            blank = "" if " " in gold else " "
            spaced = f"{found['number']}{blank}{found['unit']}"
            yield "unit-spacing", "with different spacing before its unit", spaced
        return
    if not is_number(gold) or "form" in says:
        return
    digits = gold.lstrip("+-\u2212$€£").rstrip("% ")
    sign = "-" if gold[:1] in "-\u2212" else ""
    whole, _, rest = digits.replace(",", "").partition(".")
    copied = re.search(rf"(?<![\w.,]){re.escape(gold)}(?![\w,]|\.\d)", question.prompt)
    plain = "plain" not in says and not (copied or _is_name(whole, question.prompt))
    if plain and whole.isdigit() and int(whole) >= SEPARATED and "," not in digits:
        other = f"{int(whole):,}"
        yield (
            "separators",
            "with separators",
            gold.replace(digits, f"{other}.{rest}" if rest else other),
        )
    elif "," in digits:
        yield "no-separators", "without separators", gold.replace(",", "")
    if (
        plain
        and "$" in question.prompt
        and not gold.startswith("$")
        and not sign
        and "alone" not in says
    ):
        yield "currency", "with the question's currency sign", f"${gold}"
    if plain and sign and gold[0] == "-":
        yield "minus", "with the Unicode minus sign", f"\u2212{gold[1:]}"
    if plain and "decimals" not in says and not rest and "whole" not in says and "%" not in gold:
        yield "decimals", "with a decimal", f"{gold}.0"
    sign_asked = says & {"plain", "alone", "exact"} or "number" in question.prompt.casefold()
    if "percent" in says and "%" not in gold and not sign_asked and _asks_percent(question.prompt):
        yield "percent", "with the question's percent sign", f"{gold}%"
    if rest and "decimals" not in says:
        yield "zeros", "with a zero at its end", gold.replace(digits, f"{digits}0")
        if 0 < len(rest) <= FEW_DIGITS and "whole" not in says and "fraction" in says:
            value = Fraction(f"{whole or 0}.{rest}")
            yield "fraction", "as a fraction", f"{sign}{value.numerator}/{value.denominator}"
    if plain and "decimals" not in says and "alone" not in says:
        yield "point", "with a full stop after it", f"{gold}."


def _is_name(digits: str, prompt: str) -> bool:
    """Return whether digits are a year, a code or a number in another base, rather than an amount."""
    if re.search(
        r"(?i)\b(?:binary|hex(?:adecimal)?|octal|base[- ]?\d+|codes?|PIN|ID|zip|ISBN)\b", prompt
    ):
        return True
    year = len(digits) == 4 and "10" <= digits[:2] <= "20"
    return year and bool(re.search(r"(?i)\byears?\b|\bwhen\b", prompt))


def _asks_percent(prompt: str) -> bool:
    """Return whether a prompt asks for a percentage, rather than only containing a percentage."""
    asks = r"(?i)\b(?:what|which|how many|the|as an?|in|give) (?:\w+ ){0,2}(?:percent\b|percentage\b|per cent\b)"
    return bool(re.search(asks, prompt))


def _as_decimals(value: Fraction) -> Iterator[Spelling]:
    digits = f"{float(value):.{FEW_DIGITS}f}".rstrip("0").rstrip(".")
    if Fraction(digits) == value:
        yield "decimal", "as a decimal", digits
    yield "latex", "as a fraction in LaTeX", _in_latex(value)


def as_latex(gold: str) -> str:
    """Return a fraction in LaTeX; "" if the answer is not a fraction."""
    found = FRACTION.fullmatch(gold)
    return _in_latex(Fraction(int(found[1]), int(found[2]) or 1)) if found else ""


def _in_latex(value: Fraction) -> str:
    latex = f"\\frac{{{abs(value.numerator)}}}{{{value.denominator}}}"
    return f"-{latex}" if value < 0 else latex


def _choices(question: Question) -> Iterator[Spelling]:
    letter, says = question.gold, question.says
    if "case" not in says and "exact" not in says:
        yield "case", "as a small letter", letter.lower()
    if "alone" in says or "form" in says:
        return
    yield "brackets", "in brackets", f"({letter})"
    yield "point", "with a full stop", f"{letter}."
    if stands := dict(question.options).get(letter):
        yield "named", "with the text of the option", f"{letter}) {stands}"


def _booleans(question: Question) -> Iterator[Spelling]:
    gold, says = question.gold, question.says
    if "case" not in says and "form" not in says:
        yield "lower", "in small letters", gold.lower()
        yield "capital", "with a capital letter", gold.capitalize()
    if not says & {"alone", "form"}:
        yield "point", "with a full stop", f"{gold}."


def _dates(question: Question) -> Iterator[Spelling]:
    found = read_date(question.gold)
    if not found or (found.form not in WRITTEN and found.day.day <= MONTHS):
        return
    day = found.day
    for order, sign in shown_dates(question.prompt):
        how = f"as a date in the prompt's format, {order} first"
        yield f"shown-{order}", how, written_date(day, order, sign)
    if question.says & {"form", "alone"}:
        return
    yield "iso", "as year, month and day", day.isoformat()
    yield "words", "in words", f"{day:%B} {day.day}, {day.year}"
    yield "words-day-first", "in words, day first", f"{day.day} {day:%B} {day.year}"


def _lists(question: Question) -> Iterator[Spelling]:
    gold, says = question.gold, question.says
    written = items_of(gold)
    items, between = written.items, written.between
    if not between:
        # Text in another script stays in it.
        yield (
            "spacing",
            "with other spacing",
            json.dumps(items, separators=(",", ":"), ensure_ascii=False),
        )
    elif "form" not in says and (between != between.strip() or " " not in "".join(map(str, items))):
        # In "0 4 1,15 * *" a blank separates more than a comma does: another one would change the answer.
        other = between.strip() if between != between.strip() else f"{between} "
        if not re.search(r"\d,\d{3}(?!\d)", gold):
            yield "spacing", "with other spacing", written.write(items, other)
    arrow = between.strip() in map(str.strip, ARROWS)
    sections = any(LINE_LABEL.match(str(each)) for each in items)
    bound = len(items) == 2 and f"{gold[:1]}{gold[-1:]}" in ENDS and "interval" in question.prompt
    bound = bound or any(CUT.search(str(each)) for each in items)
    if "any_order" in says and not (arrow or sections or bound) and len({*map(str, items)}) > 1:
        # Twice: a grader that accepts half of all orders has a rule about them.
        orders = [each for each in (items[::-1], [*items[1:], items[0]]) if each != items]
        for name, how, each in zip(("order", "order-2"), ORDERS, orders, strict=False):
            yield name, how, written.write(each)


def _objects(question: Question) -> Iterator[Spelling]:
    try:
        found = json.loads(question.gold)
    except ValueError:
        return
    compact = json.dumps(found, separators=(",", ":"), ensure_ascii=False)
    yield "spacing", "without blanks", compact
    yield "lines", "on several lines", json.dumps(found, indent=2, ensure_ascii=False)
    if isinstance(found, dict) and len(found) > 1:
        turned = dict(reversed(found.items()))
        yield "key-order", "with its keys in another order", json.dumps(turned, ensure_ascii=False)


def _programs(question: Question) -> Iterator[Spelling]:
    gold = question.gold
    yield "comment", "with a comment", f"# the answer\n{gold}\n"
    yield "blank-lines", "with blank lines after it", f"{gold}\n\n\n"
    # If the prompt has the variables, it asks to edit a program and may keep all else.
    if renamed := _renamed(gold, question.prompt):
        yield "names", "with its variables renamed", renamed


class _Rename(ast.NodeTransformer):
    """A transformer that renames the local variables of a program."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.copy_location(ast.Name(self.names.get(node.id, node.id), node.ctx), node)


def _renamed(program: str, prompt: str) -> str:
    """Return a program with renamed local variables, except for variables in the prompt.

    Return "" if it has no such variables or not exactly one function.
    """
    tree = ast.parse(program)
    functions = [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)]
    if len(functions) != 1 or any(isinstance(n, ast.Global | ast.Nonlocal) for n in ast.walk(tree)):
        return ""
    (function,) = functions
    given: list[Any] = [*function.args.args, *function.args.kwonlyargs, *function.args.posonlyargs]
    parameters = {each.arg for each in given}
    assigned = {
        node.id
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    said = set(re.findall(r"\w+", prompt))
    names = {name: f"{name}_1" for name in assigned - parameters - said}
    return ast.unparse(_Rename(names).visit(tree)) if names else ""


def _texts(question: Question) -> Iterator[Spelling]:
    gold, says = question.gold, question.says
    if "form" in says or "\n" in gold or question.free:  # a computed answer may be a formula
        return
    yield from _dates(question)
    # Only names and phrases: in a sentence, marks and capital letters may be what the prompt asks for.
    marks = r"[a-z][A-Z]|[A-Z]{2}|\d|[_@#/\\(){}\[\]=<>;:!?,\"\u201c\u201d\u2026\u2013\u2014]"
    cased = len(gold.split()) > FEW_WORDS or bool(re.search(marks, gold))
    if "case" not in says and not cased:
        yield "lower", "in small letters", gold.lower()
        yield "capital", "with a capital letter", gold[:1].upper() + gold[1:]
    if cased:
        return
    words = len(gold.split())
    if "alone" not in says and words <= FEW_WORDS:
        yield "point", "with a full stop", f"{gold}."
        if re.match(r"(?i)(the|an?) ", gold):
            yield "no-article", "without its article", gold.partition(" ")[2]
    if unicodedata.normalize("NFD", gold) != gold:
        yield (
            "decomposed",
            "with its accents as separate characters",
            unicodedata.normalize("NFD", gold),
        )
    if "'" in gold or "\u2019" in gold:
        yield (
            "apostrophe",
            "with the other form of apostrophe",
            gold.translate({0x27: "\u2019", 0x2019: "'"}),
        )
    if words > 1:
        yield "blanks", "with two spaces between its words", "  ".join(gold.split())


FEW_WORDS = 6
"""Maximum words in an answer that is a name or a phrase; a longer answer is a sentence."""
