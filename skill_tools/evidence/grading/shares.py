"""Shares: how many of how many, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

SURE = 1.96
"""Standard errors on each side of a 95 % interval."""


@dataclass(frozen=True)
class Share:
    """How many of how many, with the interval that holds 95 of 100 such shares (Wilson)."""

    count: int
    of: int

    @property
    def value(self) -> float:
        """The share, 0 of none."""
        return self.count / self.of if self.of else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Its lower and upper bound; of none, everything."""
        if not self.of:
            return 0.0, 1.0
        n, square = self.of, SURE**2
        middle = (self.value + square / (2 * n)) / (1 + square / n)
        reach = SURE * sqrt(self.value * (1 - self.value) / n + square / (4 * n * n))
        reach /= 1 + square / n
        return max(0.0, middle - reach), min(1.0, middle + reach)

    @property
    def text(self) -> str:
        """As people read it: ``3 of 20 tasks (95 %: 0.05 to 0.36)``."""
        return self.text_of(" tasks")

    def text_of(self, unit: str) -> str:
        """The same of another unit than tasks; "" for none."""
        low, high = self.interval
        return f"{self.count} of {self.of}{unit} (95 %: {low:.2f} to {high:.2f})"


NONE = Share(0, 0)
"""None of none."""
