"""A study as checks read it: whether the return rises with skill, and whether groups of samples have variance."""

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
"""Share of the tasks' maximum at which random play leaves too little to learn."""
FLAT = 0.1
"""Minimum lead of the oracle over random play, as a share of the maximum: a smaller lead drowns in noise."""
ORDERED = 0.5
"""Rank correlation of return and skill below which the reward does not rise with skill."""
START = 0.05
"""Minimum share of groups with variance.

Measured with a table of logits, REINFORCE and the group's mean, over 60 steps of 12 groups of 8, from random play:
initial shares of 5 and 8 % were enough to learn all tasks, 3 % taught a sixth of them, and 0 % nothing.
"""


@dataclass(frozen=True)
class Learning:
    """A study with its curves and the returns of blind players."""

    studied: Studied
    curves: Sequence[Curve]
    lazy: Sequence[LazyPlayer]

    @property
    def whole(self) -> Curve:
        """The curve of all tasks."""
        return self.curves[0]

    @property
    def told(self) -> list[Curve]:
        """The curve of all tasks, then the curves of levels that have enough tasks to judge."""
        return [self.whole, *(each for each in self.curves[1:] if each.tasks >= SEVERAL)]

    @property
    def low(self) -> float:
        """The minimum return."""
        return self.studied.reward_range[0]

    @property
    def unit(self) -> float:
        """The mean difference between a task's maximum return and the minimum return."""
        tops = [task.top for task in self.studied.tasks] or [self.studied.reward_range[1]]
        return max(1e-9, fmean(tops) - self.low)

    def is_easy(self, curve: Curve) -> bool:
        """Return whether random play already gets most of the reward."""
        return curve.random.mean - self.low >= EASY * self.unit

    def is_flat(self, curve: Curve) -> bool:
        """Return whether the return fails to rise with skill. A rise that luck can explain does not count.

        The order of the levels between the oracle and random play counts only if the oracle can continue from any
        state. Otherwise the oracle's list of calls no longer fits after a mistake, and may get a lower return than
        random play.
        """
        least = curve.random.half if self.studied.luck else FLAT * self.unit
        return curve.rise < least or (self.studied.goes_on == "next_call" and curve.rank < ORDERED)


def read_study(evidence: Evidence) -> Learning | None:
    """Return the study with its curves, or None if there was no study.

    The result is also None if the oracle's or random play's episodes have no return.
    """
    if evidence.studied is None:
        return None
    curves = [curve for curve in draw_curves(evidence.studied) if len(curve.rungs) > 1]
    if not curves or curves[0].level != ALL:
        return None
    if curves[0].oracle.epsilon or curves[0].random.epsilon < 1:
        return None
    return Learning(evidence.studied, curves, rate_lazy(evidence.studied, curves))


def varied(rung: SkillLevel) -> float:
    """Return the share of tasks on which the returns in a group of samples differ."""
    return 1 - rung.flat_share


def signal_of(curve: Curve) -> SkillLevel | None:
    """Return the lowest skill level at which the returns in enough groups of samples differ, or None."""
    return next((rung for rung in curve.rungs[::-1] if varied(rung) >= START), None)
