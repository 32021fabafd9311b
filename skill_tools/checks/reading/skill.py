"""A study as checks read it: does the return rise with skill, and do groups of samples have variance?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from skill_tools.checks.reading.curves import (
    ALL,
    SEVERAL,
    Curve,
    LazyPlayer,
    SkillLevel,
    draw_curves,
    rate_lazy,
)
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.studied import Studied

EASY = 0.8
"""Share of what the tasks pay from which a random player leaves too little to learn."""
FLAT = 0.1
"""Share of what the tasks pay by which the oracle must earn more than random play: a tenth drowns in noise."""
ORDERED = 0.5
"""Rank correlation of return and skill below which more skill does not pay."""
START = 0.05
"""Share of the groups that must have variance. Measured with a table of logits, REINFORCE and the group's mean, 60
steps of 12 groups of 8, from random play: shares of 5 and 8% at the start were enough to learn all tasks, 3% taught
a sixth of them, and 0% nothing."""


@dataclass(frozen=True)
class Learning:
    """What a study saw, with its curves, and what players who do not look earned."""

    studied: Studied
    curves: Sequence[Curve]
    lazy: Sequence[LazyPlayer]

    @property
    def whole(self) -> Curve:
        """The curve of all tasks."""
        return self.curves[0]

    @property
    def told(self) -> list[Curve]:
        """The curve of all tasks, and of each level that has enough to say something of it."""
        return [self.whole, *(each for each in self.curves[1:] if each.tasks >= SEVERAL)]

    @property
    def low(self) -> float:
        """The least that an episode can earn."""
        return self.studied.reward_range[0]

    @property
    def unit(self) -> float:
        """What the tasks pay between the bottom of the range and their tops, on average."""
        tops = [task.top for task in self.studied.tasks] or [self.studied.reward_range[1]]
        return max(1e-9, fmean(tops) - self.low)

    def is_easy(self, curve: Curve) -> bool:
        """Whether random play already earns most of what there is."""
        return curve.random.mean - self.low >= EASY * self.unit

    def is_flat(self, curve: Curve) -> bool:
        """Whether more skill earns no more; where luck decides, the best play earns a little more.

        What lies between counts only where the oracle can continue from any state: else a list of calls that
        no longer fits may earn less than random play.
        """
        least = curve.random.half if self.studied.luck else FLAT * self.unit
        return curve.rise < least or (self.studied.goes_on == "next_call" and curve.rank < ORDERED)


def read_study(evidence: Evidence) -> Learning | None:
    """The study, unless there is none, or the oracle or random play has no episode with a return."""
    if evidence.studied is None:
        return None
    curves = [curve for curve in draw_curves(evidence.studied) if len(curve.rungs) > 1]
    if not curves or curves[0].level != ALL:
        return None
    if curves[0].oracle.epsilon or curves[0].random.epsilon < 1:
        return None
    return Learning(evidence.studied, curves, rate_lazy(evidence.studied, curves))


def varied(rung: SkillLevel) -> float:
    """The share of the tasks on which a group of samples has variance."""
    return 1 - rung.flat_share


def signal_of(curve: Curve) -> SkillLevel | None:
    """The least skilled rung from which enough groups have variance; None if none has."""
    return next((rung for rung in curve.rungs[::-1] if varied(rung) >= START), None)
