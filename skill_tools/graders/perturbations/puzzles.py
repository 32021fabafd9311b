"""Puzzles that ask for an expression of given numbers, with right and wrong answers.

The data do not contain the right answers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from skill_tools.graders.perturbations.operators import PUZZLE, Guess, Operator, perturb
from skill_tools.graders.templates.answer_templates import Template
from skill_tools.graders.templates.question import Question

NUMBERS = re.compile(r"\[?\s?(\d{1,6}(?:\s?,\s?(?:and )?\d{1,6}){1,5})(?:,? and (\d{1,6}))?\s?\]?")
"""The numbers that the expression must use."""
TARGET = re.compile(
    r"(?i)\b(?:equals?|equal to|target(?: (?:number|value))?(?: (?:of|is))?|reach(?:es)?|makes?|gives?|obtains?|gets?|results? in|evaluates? to|value(?: is)?|totals?)\b\s?(?:exactly |of |is |to |the (?:number|target|value) )?[:=]?\s?\**(-?\d{1,7})\b"
)
"""The value that the expression must have."""
ASKS = re.compile(r"(?i)\b(?:expression|equation|arithmetic|operations?|formula|countdown|\+, ?-)")
ONCE = re.compile(r"(?i)\bonce\b|\ball (?:\w+ ){0,3}numbers\b|\beach (?:\w+ ){0,3}number\b")
MOST = 5
"""Maximum numbers in a puzzle to solve by search."""
TRIES = 60_000
"""Maximum expressions to search per puzzle."""
Part = tuple[Fraction, str]


def solved(questions: Sequence[Question]) -> list[Question]:
    """Return the questions that are puzzles. Their right answer is an expression that solves the puzzle."""
    found = []
    for each in questions:
        puzzle = read_puzzle(each.prompt)
        gold = solve(*puzzle) if puzzle else ""
        if gold:
            found.append(
                replace(each, gold=gold, kind="text", also=(), says=each.says - {"creative"})
            )
    return found


def read_puzzle(prompt: str) -> tuple[tuple[int, ...], int] | None:
    """Return the numbers and the target value in a puzzle; None for any other question."""
    target = TARGET.search(prompt)
    if not target or not ASKS.search(prompt):
        return None
    for found in NUMBERS.finditer(prompt):
        numbers = tuple(int(each) for each in re.findall(r"\d+", found[0]))
        if 2 <= len(numbers) <= MOST and (len(numbers) > 2 or "[" in found[0]):
            return numbers, int(target[1])
    return None


def solve(numbers: Sequence[int], target: int) -> str:
    """Return an expression that uses each number once and has the target value; "" if none is found."""
    left = [TRIES]
    found = _search([(Fraction(each), str(each)) for each in numbers], Fraction(target), left)
    return found[1:-1] if found[:1] == "(" else found


def _search(parts: list[Part], target: Fraction, left: list[int]) -> str:
    if len(parts) == 1:
        return parts[0][1] if parts[0][0] == target else ""
    for at, one in enumerate(parts):
        for other_at, two in enumerate(parts):
            if at == other_at:
                continue
            rest = [each for n, each in enumerate(parts) if n not in (at, other_at)]
            for made in _joined(one, two, at < other_at):
                left[0] -= 1
                if left[0] < 0:
                    return ""
                if found := _search([*rest, made], target, left):
                    return found
    return ""


def _joined(one: Part, two: Part, first: bool) -> Iterator[Part]:
    """Yield the sum, product, differences and so on of two expressions.

    ``first`` is false for a pair in reverse order, so that a + b is not followed by b + a.
    """
    if first:
        yield one[0] + two[0], f"({one[1]} + {two[1]})"
        yield one[0] * two[0], f"({one[1]} * {two[1]})"
    yield one[0] - two[0], f"({one[1]} - {two[1]})"
    if two[0]:
        yield one[0] / two[0], f"({one[1]} / {two[1]})"


def _with_comment(puzzle: Puzzle) -> str | None:
    """Return an expression with the target's value that leaves out a number, which follows in a comment."""
    for number in dict.fromkeys(puzzle.numbers) if puzzle.once else ():
        rest = list(puzzle.numbers)
        rest.remove(number)
        if found := solve(rest, puzzle.target):
            return f"{found} # {number}"
    return None


def _with_other_uses(puzzle: Puzzle, more: bool) -> str | None:
    """Return an expression with the target's value that uses one number once too often, or not at all."""
    for number in dict.fromkeys(puzzle.numbers) if puzzle.once else ():
        rest = list(puzzle.numbers)
        if not more:
            rest.remove(number)
        found = (
            solve([*rest, number][: MOST + 1] if more else rest, puzzle.target)
            if len(rest) > 1
            else ""
        )
        if found:
            return found
    return None


@dataclass(frozen=True)
class Puzzle:
    """A puzzle, with an expression that solves it (``gold``), its numbers, and their target value.

    ``once`` states whether the prompt says how often to use a number.
    """

    gold: str
    numbers: tuple[int, ...]
    target: int
    once: bool = False

    @property
    def total(self) -> str:
        """Return the sum of the numbers as an expression."""
        return " + ".join(map(str, self.numbers))

    @property
    def listed(self) -> str:
        """Return the numbers as text, separated by commas."""
        return ", ".join(map(str, self.numbers))


# fmt: off
PUZZLES: tuple[Operator[Puzzle], ...] = (
    Operator("target", "the value alone", lambda p: f"{p.target}"),
    Operator("nothing-used", "an expression of other numbers", lambda p: f"{p.target - 1} + 1"),
    Operator("name", "the name *target*, and the numbers in a list", lambda p: f"target if [{p.listed}] else None"),
    Operator("name-added", "the name *target*, or the numbers", lambda p: f"target or ({p.total})"),
    Operator("twice", "an expression that uses one number twice", lambda p: _with_other_uses(p, True)),
    Operator("left-out", "an expression that leaves out one number", lambda p: _with_other_uses(p, False)),
    Operator("commented", "an expression that has one number in a comment alone", _with_comment),
    Operator("one-more", "an expression whose value is too large by one", lambda p: f"{p.gold} + 1"),
)
# fmt: on


def wrong_expressions_of_numbers(question: Question, frame: Template) -> Iterator[Guess]:
    """Yield wrong answers to a puzzle; yield nothing for other questions."""
    if puzzle := read_puzzle(question.prompt):
        yield from perturb(
            PUZZLES,
            Puzzle(question.gold, *puzzle, bool(ONCE.search(question.prompt))),
            frame.hold,
            PUZZLE,
        )
