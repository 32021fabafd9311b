"""Shares: a count out of a total, and its uncertainty."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

SURE = 1.96
"""Standard errors on each side of a 95 % interval."""


@dataclass(frozen=True)
class Share:
    """A count out of a total, with its 95% interval (Wilson)."""

    count: int
    of: int

    @property
    def value(self) -> float:
        """Return the count divided by the total; 0 if the total is 0."""
        return self.count / self.of if self.of else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Return the lower and upper bound of the 95% interval; 0 and 1 if the total is 0."""
        if not self.of:
            return 0.0, 1.0
        n, square = self.of, SURE**2
        middle = (self.value + square / (2 * n)) / (1 + square / n)
        reach = SURE * sqrt(self.value * (1 - self.value) / n + square / (4 * n * n))
        reach /= 1 + square / n
        return max(0.0, middle - reach), min(1.0, middle + reach)

    @property
    def text(self) -> str:
        """Return the share as text, such as ``3 of 20 tasks (95 %: 0.05 to 0.36)``."""
        return self.text_of(" tasks")

    def text_of(self, unit: str) -> str:
        """Return the share as text with a given unit instead of tasks."""
        low, high = self.interval
        return f"{self.count} of {self.of}{unit} (95 %: {low:.2f} to {high:.2f})"


NONE = Share(0, 0)
"""The share of an empty total."""
