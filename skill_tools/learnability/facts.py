"""What the rules of a study look at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from skill_tools.checks.rules.rewards.blind_baseline import SEVERAL
from skill_tools.evidence.studied import Studied
from skill_tools.learnability.model import Curve, LazyPlayer
from skill_tools.learnability.verdict import unit_of


@dataclass(frozen=True)
class Facts:
    """What the rules look at."""

    studied: Studied
    curves: Sequence[Curve]
    lazy: Sequence[LazyPlayer]
    bound: float

    @property
    def unit(self) -> float:
        """What the tasks pay."""
        return unit_of(self.studied)

    @property
    def told(self) -> list[Curve]:
        """The curve of all tasks, and of each level that has enough to say something of it."""
        return [self.curves[0], *(curve for curve in self.curves[1:] if curve.tasks >= SEVERAL)]

    @property
    def low(self) -> float:
        """The least that an episode can earn."""
        return self.studied.reward_range[0]
