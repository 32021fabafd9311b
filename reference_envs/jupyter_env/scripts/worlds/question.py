"""What a world is made of: files, and questions with answers from the records behind them."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any


@dataclass(frozen=True)
class Question:
    """One task to be. `asks` names it for the oracle and `values` is what differs in it."""

    asks: str
    level: str
    kind: str
    text: str
    answer: str | list[str]
    values: dict[str, Any] = field(default_factory=dict)
    tolerance: str = ""
    unit: str = ""


@dataclass(frozen=True)
class World:
    """Files of one split by name, the page that describes them, and five questions."""

    name: str
    files: dict[str, bytes]
    page: str
    questions: list[Question]


def rounded(value: Fraction | Decimal | float, places: int) -> str:
    """The value with so many decimals; a half is rounded away from zero."""
    exact = Fraction(value)
    scaled = Decimal(exact.numerator) / Decimal(exact.denominator)
    return str(scaled.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP))


def top(scores: dict[str, Any], count: int) -> list[str]:
    """The names with the highest scores, highest first.

    Raises ValueError when a tie would leave the order open.
    """
    ranked = sorted(scores.items(), key=lambda item: item[1], reverse=True)
    for (one, first), (other, second) in pairwise(ranked[: count + 1]):
        if first == second:
            raise ValueError(f"{one} and {other} are tied with {first}")
    return [name for name, _ in ranked[:count]]


def totals(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """The sum of the values of each name."""
    sums: dict[str, Any] = {}
    for name, value in pairs:
        sums[name] = sums.get(name, 0) + value
    return sums


def first(items: Iterable[Any], wanted: Callable[[Any], bool]) -> Any:
    """The first item that is wanted; raises ValueError when there is none."""
    for item in items:
        if wanted(item):
            return item
    raise ValueError("no item is wanted: choose other data or another limit")
