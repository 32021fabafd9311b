"""The agreement of two raters, with 95% intervals: Wilson's for shares, the bootstrap's for all other values."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log1p
from statistics import StatisticsError, correlation, fmean

from skill_tools.evidence.grading.shares import Share

DRAWS = 1000
"""Resamples for an interval."""
Pair = tuple[float, float]
"""The judge's value and the gold value of one reply."""


@dataclass(frozen=True)
class Measured:
    """A value with its 95% interval.

    The value is None if the data do not determine it, for example with a single gold label.
    """

    n: int
    """How many replies, or pairs of replies, it comes from."""
    value: float | None = None
    low: float | None = None
    high: float | None = None

    def __str__(self) -> str:
        if self.value is None:
            return "undetermined"
        return f"{self.value:z.2f} ({self.low:z.2f} to {self.high:z.2f})"


def share(found: Sequence[bool]) -> Measured:
    """Return the share of true values, with Wilson's interval."""
    counted = Share(sum(found), len(found))
    return Measured(len(found), counted.value, *counted.interval) if found else Measured(0)


def bootstrap(
    statistic: Callable[[Sequence[Pair]], float | None], pairs: Sequence[Pair]
) -> Measured:
    """Return a statistic with its percentile interval over resamples of the pairs.

    The interval for the same pairs is always the same.
    """
    value = statistic(pairs) if pairs else None
    if value is None:
        return Measured(len(pairs))
    chance = random.Random(0)
    drawn = (statistic(chance.choices(pairs, k=len(pairs))) for _ in range(DRAWS))
    found = sorted(each for each in drawn if each is not None) or [value]
    low, high = found[int(0.025 * len(found))], found[int(0.975 * len(found))]
    return Measured(len(pairs), value, low, high)


def kappa(pairs: Sequence[Pair]) -> float | None:
    """Return Cohen's kappa with quadratic weights. With two labels, this is kappa without weights.

    Chance disagreement means the disagreement of independent draws from both raters.
    """
    ours, gold = [a for a, _ in pairs], [b for _, b in pairs]
    if len(set(gold)) < 2:  # there is nothing to agree on
        return None
    mean, usual = fmean(ours), fmean(gold)
    spread = fmean([(a - mean) ** 2 for a in ours]) + fmean([(b - usual) ** 2 for b in gold])
    expected = spread + (mean - usual) ** 2
    return 1 - fmean([(a - b) ** 2 for a, b in pairs]) / expected


def absolute_error(pairs: Sequence[Pair]) -> float:
    """Return the mean distance from the gold value."""
    return fmean([abs(a - b) for a, b in pairs])


def signed_error(pairs: Sequence[Pair]) -> float:
    """Return by how much the judge's values exceed the gold values on average."""
    return fmean([a - b for a, b in pairs])


def length_correlation(pairs: Sequence[Pair]) -> float | None:
    """Return the correlation of errors with the logarithm of lengths, for pairs of an error and a length."""
    try:
        return correlation([error for error, _ in pairs], [log1p(length) for _, length in pairs])
    except StatisticsError:  # too few, or all alike
        return None


def nearest(value: float, labels: Sequence[float]) -> float:
    """Return the label that is nearest to a value."""
    return min(labels, key=lambda label: abs(label - value))
